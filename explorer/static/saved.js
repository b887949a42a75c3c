// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var c={title:"This is a saved page",detail:"No kernel is behind it: look, fold, search and compare here; to mark or run, open the notebook a\
nd call explore(model)."};async function a(n){let r=Uint8Array.from(atob(n),t=>t.charCodeAt(0));return new Response(new Blob([r]).stream().pipeThrough(
new DecompressionStream("gzip"))).text()}function l({states:n,extras:r}){let t=new Map,s=async({id:e,cmd:o})=>{let d=o==="chunk"?{ok:!0,value:{
digest:"saved",text:await a(r)}}:{ok:!1,error:c};t.get("msg:custom")?.forEach(i=>i({type:"reply",id:e,...d}))};return{get:e=>n[e]??"",set:(e,o)=>{
n[e]=String(o)},save_changes:()=>{},send:e=>{s(e)},on:(e,o)=>{t.set(e,(t.get(e)??new Set).add(o))},off:(e,o)=>{t.get(e)?.delete(o)}}}async function m(){
let n=JSON.parse(document.getElementById("saved").textContent),r=URL.createObjectURL(new Blob([await a(n.page)],{type:"text/javascript"})),{
default:t}=await import(r);t.render({model:l(n),el:document.getElementById("page")});let s=document.getElementById("static");s.remove(),addEventListener(
"beforeprint",()=>document.body.append(s)),addEventListener("afterprint",()=>s.remove())}typeof document<"u"&&document.getElementById("saved")&&
m();export{l as savedModel};
