// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var j="http://www.w3.org/2000/svg";function s(r,e={},...t){return R(document.createElement(r),e,t)}function v(r,e={},...t){return R(document.
createElementNS(j,r),e,t)}function R(r,e,t){for(let[n,o]of Object.entries(e))typeof o=="function"?r.addEventListener(n,o):r.setAttribute(n,String(
o));return r.append(...t),r}function d(r,e){r.textContent!==e&&(r.textContent=e)}function f(r,e){for(let[t,n]of Object.entries(e))n===null?r.
removeAttribute(t):r.getAttribute(t)!==String(n)&&r.setAttribute(t,String(n))}function u(r,e,t,n){return s("button",{type:"button","data-cmd":r,
title:t,click:n},e)}var b=class{constructor(e){this.page=e;let t=(n,o)=>u(n,"Copy","Copy to the clipboard",()=>{K(o.textContent??"").then(i=>e.tell(i))});this.element=
s("div",{class:"code"},s("p",{},"Last edit: ",this.last," ",t("copy_last",this.last)),s("p",{},"The whole plan: ",t("copy_code",this.whole)),
this.whole)}page;element;last=s("code",{"data-role":"last-code"});whole=s("pre",{"data-role":"code",tabindex:0});update(e){if(!e.has("plan"))
return;let{state:t}=this.page.plan;d(this.last,t.last||"none yet"),d(this.whole,t.code||"plan = Plan()")}destroy=()=>{}};async function K(r){
try{return await navigator.clipboard.writeText(r),"Copied."}catch{return"The page may not write to the clipboard: select the text and copy i\
t by hand."}}var M=".order-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable}.code p{margin:4px 0}.order{display:grid;grid-temp\
late-columns:44px repeat(4,minmax(0,1fr));gap:8px;line-height:22px;font-family:var(--mono);font-size:12px}.order-rows .order{position:absolu\
te;left:0;right:0;height:22px}.order-heads{color:var(--soft);border-bottom:1px solid var(--line);overflow:hidden;scrollbar-gutter:stable}.or\
der span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}.order>span:first-child{color:var(--soft);text-align:right\
;cursor:default}[data-differs]{box-shadow:inset 0 0 0 1px var(--replicate);border-radius:3px;padding:0 3px}.remarks{margin:0;padding:0;list-\
style:none;max-height:260px;overflow:auto}.remarks li{border-left:3px solid var(--line);padding:2px 8px;margin-bottom:6px}.remarks li[data-s\
everity=conflict],.remarks li[data-severity=error]{border-color:var(--bad)}.remarks p{margin:1px 0}progress{width:140px;accent-color:var(--s\
hard)}[data-role=losses]{margin:6px 0;font-variant-numeric:tabular-nums}.chart{display:grid;grid-template:45px 45px auto / auto 1fr;column-g\
ap:6px;max-width:640px;color:var(--soft);font-size:11px}.chart span:nth-child(2){align-self:end;grid-area:2 / 1}.chart svg{grid-area:1 / 2 /\
 3 / 3;width:100%;height:90px;border-left:1px solid var(--line);border-bottom:1px solid var(--line)}.chart small{grid-area:3 / 2}path{fill:n\
one;vector-effect:non-scaling-stroke;stroke-width:2;stroke:var(--shard)}path.reference{stroke:var(--replicate);stroke-width:4;stroke-dasharr\
ay:.1 7;stroke-linecap:round}";function $(r,e){let t=[];for(let n=e;n>0;n=r.parent[n])t.push(r.names[n]);return t.reverse().join(".")}function H(r,e){let t=0;for(let n of e===
""?[]:e.split(".")){let o=t+1;for(;o<r.end[t]&&r.names[o]!==n;)o=r.end[o];if(o>=r.end[t])return-1;t=o}return t}var O=2,w=class{constructor(e,t,n,o){this.rowHeight=e;this.make=n;this.fill=o;this.view=s("div",{...t,scroll:()=>this.schedule()},this.pad),
typeof ResizeObserver<"u"&&(this.resize=new ResizeObserver(()=>this.paint()),this.resize.observe(this.view))}rowHeight;make;fill;view;pad=s(
"div",{class:"pad",role:"presentation"});pool=[];shown=[];count=0;frame=0;resize;get page(){return Math.max(1,Math.floor(this.view.clientHeight/
this.rowHeight))}get first(){return this.view.scrollTop/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight}show(e,t=-1){this.count=
e,this.pad.style.height=`${e*this.rowHeight}px`,this.shown.fill(-1),t>=0&&this.scrollTo(t*this.rowHeight),this.paint()}paint(){let e=this.page+
1+2*O,t=Math.max(0,Math.floor(this.view.scrollTop/this.rowHeight)-O),n=Math.min(this.count,t+e);this.grow(Math.min(this.count,e));let o=this.
pool.length,i=new Set;for(let l=t;l<n;l++){let a=l%o;i.add(a),this.shown[a]!==l&&(this.shown[a]=l,this.pool[a].hidden=!1,this.pool[a].style.
transform=`translateY(${l*this.rowHeight}px)`,this.fill(this.pool[a],l))}this.pool.forEach((l,a)=>{i.has(a)||(l.hidden=!0,this.shown[a]=-1)})}elementOf(e){
let t=this.shown.indexOf(e);return t<0?void 0:this.pool[t]}destroy(){this.resize?.disconnect(),cancelAnimationFrame(this.frame)}scrollTo(e){
let{scrollTop:t,clientHeight:n}=this.view,o=e+this.rowHeight-n;e<t?this.view.scrollTop=e:n>0&&o>t&&(this.view.scrollTop=o)}grow(e){if(!(e<=this.
pool.length)){for(;this.pool.length<e;){let t=this.make(this.pool.length);this.pool.push(t),this.pad.append(t)}this.shown=this.pool.map(()=>-1)}}schedule(){
cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.paint())}};var x=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrapper\
 init"]],A=22,y=class{constructor(e){this.page=e;let t={class:"order-rows",tabindex:0,role:"region","aria-label":"Orders"};this.list=new w(A,
t,G,(o,i)=>this.fill(o,i)),this.list.view.addEventListener("click",o=>{let i=o.target.dataset.target;i!==void 0&&e.reveal(H(this.tree,i))});
let n=x.map(([,o])=>s("span",{},o));this.element=s("div",{"data-role":"orders"},this.title,s("div",{class:"order order-heads"},s("span",{},"\
k"),...n),this.list.view)}page;element;list;title=s("p",{class:"note","data-role":"orders-note"});tree;plan;update(e){if(!e.has("plan"))return;
let{tree:t,plan:n}=this.page;this.tree=t,this.plan=n;let o=Math.max(t.size,...x.map(([p])=>n.state.orders[p]?.length??0)),[i,l]=[this.of("in\
it_composable"),this.of("init_wrapper")],a=i.filter((p,m)=>p!==l[m]).length;d(this.title,i.length?`I₁ and I₂ differ in ${a} of ${i.length}\
 places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.style.height=`${Math.min(o,8)*A}px`,this.list.show(
o)}destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??[];fill(e,t){let[n,...o]=e.children;d(n,String(t));let i=x.map(([l])=>l===
"dfs"&&t<this.tree.size?$(this.tree,t):this.of(l)[t]);o.forEach((l,a)=>{let p=i[a];d(l,p===void 0?"":p||"(root)");let m=a>1&&i[2]!==i[3];f(l,
{"data-target":p??null,title:p||null,"data-differs":m?"1":null})})}};function G(){return s("div",{class:"order"},s("span"),...x.map(([r])=>s(
"span",{"data-order":r})))}var E=40,T=class{constructor(e){this.page=e}page;list=s("ul",{class:"remarks","data-role":"findings"});element=s("div",{},this.list);update(e){
if(!e.has("plan"))return;let{state:t}=this.page.plan,n=[...t.conflicts.map(i=>({...i,severity:"conflict"})),...t.findings],o=n.slice(0,E).map(
i=>this.item(i));n.length>E&&o.push(s("li",{},`and ${n.length-E} more`)),n.length===0&&o.push(s("li",{class:"note"},"Nothing to report: this\
 plan can run.")),this.list.replaceChildren(...o)}destroy=()=>{};item(e){let t=e.severity??"warn",n=e.fqns.slice(0,4).map((i,l)=>{let a=e.indices[l]??
0;return s("button",{type:"button",class:"link","data-jump":a,click:()=>this.page.reveal(a)},i||"(root)")}),o=e.fqns.length>4?` and ${e.fqns.
length-4} more`:"";return s("li",{"data-severity":t,"data-kind":e.kind},s("b",{},t)," ",...n,o,s("p",{},e.message),s("p",{class:"note"},e.fix??
e.advice??""))}};var S=r=>r.phase==="starting"||r.phase==="running",L={idle:"Not run yet.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",
stopped:"Stopped"};function P(r){let e=[r.backend,r.devices].filter(Boolean).join(", "),t=r.nprocs?` on ${r.nprocs} ${r.nprocs===1?"worker":
"workers"}${e?` (${e})`:""}`:"",n=r.steps?`, step ${r.step} of ${r.steps}`:"",o=r.seconds?`, ${r.seconds.toFixed(1)} s`:"";return r.phase===
"idle"?L.idle:`${L[r.phase]}${t}${n}${o}`}var C=r=>typeof r=="number"?r.toFixed(4):"not finite";function N(r){let e=r.losses.at(-1);if(!e)return"";let[t,...n]=e,o=n.map((a,p)=>`rank ${p}\
 ${C(a)}`).join(", "),i=r.losses.length-1,l=r.reference&&i<r.reference.length?`; unsharded ${C(r.reference[i])}`:"";return`step ${t}: ${o}${l}`}
function I(r,e,t){let n=Array.from({length:(r.losses[0]?.length??1)-1},(h,c)=>r.losses.map(g=>g[c+1])),o=r.reference??[],i=[...n.flat(),...o].
filter(h=>typeof h=="number");if(i.length===0)return null;let l=i.reduce((h,c)=>Math.min(h,c)),a=i.reduce((h,c)=>Math.max(h,c)),p=Math.max(r.
steps,r.losses.length,o.length,2)-1,m=h=>h.map((c,g)=>{if(typeof c!="number")return"";let z=typeof h[g-1]=="number"?"L":"M",_=a===l?t/2:(a-c)/
(a-l)*t;return`${z}${(g/p*e).toFixed(1)} ${_.toFixed(1)}`}).join("");return{lines:n.map(m),reference:m(o),low:l,high:a}}var F=480,q=90,k=class{constructor(e){this.page=e;this.run=u("run","▶ Run","Spawn the workers and train with this plan",()=>{this.start()}),
this.stop=u("stop","■ Stop","End the workers",()=>{e.command("stop")});let t=s("div",{class:"bar"},s("label",{},"workers ",this.nprocs),s(
"label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=s("div",{class:"run"},t,this.error,this.losses,this.
chart,this.details)}page;element;nprocs=s("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=s("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=s("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=s("span",{"data-role":"phase"});losses=s("p",{"data-role":"losses"});chart=s("div",{class:"chart","data-role":"chart"});error=s(
"div",{class:"error","data-role":"run-error",role:"alert"});log=s("pre",{"data-role":"log",tabindex:0});details=s("details",{},s("summary",{},
"Worker log"),this.log);async start(){this.run.disabled=!0,await this.page.command("run",{nprocs:Number(this.nprocs.value),steps:Number(this.
steps.value)}),this.show(this.page.run)}update(e){e.has("run")&&this.show(this.page.run)}destroy=()=>{};show(e){this.run.disabled=S(e),this.
stop.disabled=!S(e),f(this.element,{"data-phase":e.phase}),f(this.progress,{max:e.steps||1,value:e.phase==="done"?e.steps||1:e.step}),d(this.
phase,P(e)),d(this.losses,N(e)),this.error.hidden=e.error===null,e.error&&this.error.replaceChildren(s("b",{},e.error.title),s("pre",{},e.error.
detail)),this.draw(e),this.details.hidden=e.log.length===0,d(this.log,e.log.map(([t,n])=>`[rank ${t}] ${n.trimEnd()}`).join(`
`))}draw(e){let t=I(e,F,q);if(this.chart.hidden=t===null,!t)return;let n=t.lines.map((l,a)=>v("path",{d:l,class:"loss","data-rank":a,"stroke\
-dasharray":a?`${2+2*a} 3`:"none"})),o=v("svg",{viewBox:`-2 -4 ${F+4} ${q+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss of ev\
ery step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[v("path",{d:t.reference,class:"reference"})]:[],...n),i=t.
reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(s("span",{},t.high.toFixed(3)),s("span",{},t.low.toFixed(3)),o,s("s\
mall",{},i))}};var B={style:M,panels:{run:{slot:"tab",label:"Run",make:r=>new k(r)},orders:{slot:"tab",label:"Orders",make:r=>new y(r)},findings:{slot:"tab",
label:"Findings",make:r=>new T(r)},code:{slot:"tab",label:"Code",make:r=>new b(r)}}},ge=B;export{ge as default};
