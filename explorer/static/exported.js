// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var wn="exported",Vs=Symbol.for("sharding-explorer.chunks"),Rt=()=>globalThis[Vs]??=new Map,qs=async n=>{let e=URL.createObjectURL(new Blob(
[n],{type:"text/javascript"}));try{return await import(e)}finally{URL.revokeObjectURL(e)}};async function vn(n,e=qs){let t=Rt(),r=await n.ask(
"chunk",{name:"extras",have:[...t.keys()]});if(!r.ok)throw new Error(r.error?.detail??"The kernel refused and gave no reason.");let{digest:s,
text:i}=r.value,o=t.get(s)??e(i).then(a=>a.default);return t.set(s,o),o.catch(()=>t.delete(s)),o}var Js="http://www.w3.org/2000/svg";function l(n,e={},...t){return yn(document.createElement(n),e,t)}function H(n,e={},...t){return yn(document.
createElementNS(Js,n),e,t)}function yn(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,
String(s));return n.append(...t),n}function m(n,e){n.textContent!==e&&(n.textContent=e)}function u(n,e){for(let[t,r]of Object.entries(e))r===
null?n.removeAttribute(t):n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function ne(n,e,t){for(;n.children.length<e;)n.append(t());
for(;n.children.length>e;)n.lastElementChild.remove()}function w(n,e,t,r){return l("button",{type:"button","data-cmd":n,title:t,click:r},e)}var xn=["B","KiB","MiB","GiB","TiB","PiB"];function b(n){let e=0,t=n;for(;t>=1023.95&&e<xn.length-1;)t/=1024,e++;return e===0?`${y(n)} B`:`${t.
toFixed(1)} ${xn[e]}`}var ge=n=>n<1024?`${y(n)} bytes`:`${b(n)} (${y(n)} bytes)`,y=n=>n.toLocaleString("en"),re=n=>n===0?"0 %":n<5e-4?"<0.1 \
%":`${(100*n).toFixed(1)} %`;function kn(n,e,t){return n===e?"±0":e>n?`+${t(e-n)}`:`−${t(n-e)}`}var $n={status:"status",dfs:"DFS position",unit:"unit",bytes:"bytes per rank"},Tn=5,Ys=[0,3,1,4,2],En={colour:"var(--line)",ink:"var(--ink)"};
function se(n){let e=Math.max(0,Math.min(1,n));return{colour:`hsl(${Math.round(205+15*e)} ${Math.round(75-10*e)}% ${Math.round(88-66*e)}%)`,
ink:e<.575?"#000":"#fff"}}function Rn(n,e,t,r){if(n==="dfs")return o=>se(o/Math.max(1,e.size-1));if(n==="unit")return o=>t.unitOf[o]<0?En:se(
Ys[t.unitOf[o]%Tn]/(Tn-1));if(n==="status")return null;let[s,i]=St(e,r);return o=>r(o)>0?se(Xs(r(o),s,i)):En}function St(n,e){let[t,r]=[1/0,
0];for(let s=0;s<n.size;s++){let i=e(s);i>0&&([t,r]=[Math.min(t,i),Math.max(r,i)])}return[Math.min(t,r),r]}var Xs=(n,e,t)=>t>e?Math.log(n/e)/
Math.log(t/e):1;function Sn(n){let e=JSON.parse(n);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return Zs(e)}function Zs(n){let{classes:e,root:t}=n,{modules:r,own:s,total:i}=Qs(e),o=r[t],a={title:n.name,classes:e,
size:o,cls:new Int32Array(o),end:new Int32Array(o),depth:new Int32Array(o),parent:new Int32Array(o),names:new Array(o),own:s,total:i,refs:n.
refs??[],refsOf:new Map,ties:[],links:new Map};return ti(a,t,r),a.refs.forEach(([d,c,h,p],f)=>{Ot(a.refsOf,d,f),Ot(a.links,d,{kind:"shared m\
odules",label:`${p} ${c}`,target:h})}),ni(a,n.ties??[]),a}function Qs(n){let e=new Float64Array(n.length),t=new Float64Array(n.length),r=new Float64Array(
n.length);return n.forEach(([s,i,o],a)=>{t[a]=i.reduce((d,c)=>d+(ei(c)?Lt(c):0),0),e[a]=1,r[a]=t[a];for(let d of o){if(!(d[2]<a))throw new Error(
`The tree payload is broken: class ${a} (${s}) comes before its child ${d[0]}.`);e[a]+=Mt(d)*e[d[2]],r[a]+=Mt(d)*r[d[2]]}}),{modules:e,own:t,
total:r}}var ei=([,,,n])=>!n.includes("b")&&!n.includes("s"),Mt=([n,e])=>e===null?1:Number(e)-Number(n)+1,Lt=([,n])=>n.reduce((e,t)=>e*t,1);
function ti(n,e,t){let r=[],s=0,i=(o,a,d)=>{let c=s++;n.cls[c]=o,n.end[c]=c+t[o],n.depth[c]=r.length,n.parent[c]=d,n.names[c]=a,n.classes[o][2].
length>0&&r.push({kids:n.classes[o][2],kid:0,nth:0,index:c})};for(i(e,"",-1);r.length>0;){let o=r[r.length-1];if(o.kid===o.kids.length){r.pop();
continue}let a=o.kids[o.kid],d=a[1]===null?a[0]:String(Number(a[0])+o.nth);++o.nth===Mt(a)&&(o.kid++,o.nth=0),i(a[2],d,o.index)}}function ni(n,e){
let t=Mn(n);for(let r of e){let s=r.map(i=>{let o=i.lastIndexOf(".");return[t(i.slice(0,Math.max(0,o))),i.slice(o+1)]});n.ties.push(s.map(([
i])=>i)),s.forEach(([i,o],a)=>{let[d,c]=s[a?0:s.length-1];Ot(n.links,i,{kind:"ties",label:`${o} ${c}`,target:d})})}}function Ot(n,e,t){let r=n.
get(e);r?r.push(t):n.set(e,[t])}function k(n,e){let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}var M=(n,e)=>Mn(
n)(e);function Mn(n){let e=new Map,t=r=>{let s=e.get(r)??new Map;if(s.size===0)for(let i=r+1;i<n.end[r];i=n.end[i])s.set(n.names[i],i);return e.
set(r,s),s};return r=>r===""?0:r.split(".").reduce((s,i)=>t(s).get(i)??-1,0)}var ri={bool:8,half:16,bfloat16:16,double:64,complex64:64,complex128:128},si=n=>(ri[n]??Number(/\d+/.exec(n)?.[0]??32))/8,ii=n=>/[bs]/.test(
n[3])?0:Lt(n)*si(n[2]);function On(n,e,t){let r=n.classes.map(([,i])=>i.reduce((o,a)=>o+ii(a),0)),s=new Map;for(let{runs:i,numel:o,shard_nbytes:a,
max_shard_nbytes:d}of t)for(let[c,h,p]of i)for(let f=c;f<h;f+=p)s.set(f,o?(d??a)/o:0);return i=>{let o=n.cls[i],a=s.get(e.unitOf[i]);return a===
void 0?r[o]:a*n.own[o]}}var Ct=5,be=class{constructor(e){this.page=e;this.#n=e.columns.map(({key:i,title:o})=>l("input",{type:"checkbox",value:i,title:o,change:()=>this.#l()}));
let t=e.columns.map(({label:i,title:o},a)=>l("label",{title:o},this.#n[a],` ${i}`)),r=l("div",{class:"sheet"}),s=l("details",{class:"menu"},
l("summary",{"data-role":"columns"},"Columns"),r);s.addEventListener("toggle",()=>r.replaceChildren(...s.open?t:[])),this.element=l("div",{class:"\
bar appearance"},l("label",{},"colour by ",this.#e),this.#t,s,l("label",{},this.#s," compact")),this.#r=e.kept("colour")??"status",this.#e.value=
this.#r,this.#s.checked=e.kept("compact")===!0}page;element;#e=l("select",{"data-role":"colour-by",change:()=>this.#a(this.#e.value)},...Object.
entries($n).map(([e,t])=>l("option",{value:e},t)));#t=l("span",{class:"scale","data-role":"scale",role:"img"});#n;#s=l("input",{type:"checkb\
ox","data-role":"compact",change:()=>this.page.compact(this.#s.checked)});#r="status";#i=!1;update(e){for(let t of this.#n)t.checked=!this.page.
hidden.has(t.value);["tree","plan","costs"].some(t=>e.has(t))&&this.#o()}destroy=()=>{};#a(e){this.#r=e,this.page.keep("colour",e),this.#o()}#l(){
this.page.hide(this.#n.filter(e=>!e.checked).map(e=>e.value)),this.#o()}#o(){let{page:e}=this,r=this.#r==="bytes"||!e.hidden.has("bytes")?this.#d():
null;e.measure(r);let s=r?oi(e.tree.size,e.tree.end,r):()=>0;e.paint(Rn(this.#r,e.tree,e.plan,s)),this.#c(s)}#d(){let e=this.page.trait("cos\
ts");return e?On(this.page.tree,this.page.plan,e.units):(this.#i||this.page.ask("what_if",{}),this.#i=!0,null)}#c(e){let{tree:t,plan:r}=this.
page,[s,i]=this.#r==="bytes"?St(t,e):[0,0],o={status:()=>"",dfs:d=>`#${Math.round(d*(t.size-1))}`,unit:d=>r.state.units.length?`u${[0,2,4,1,
3][d*(Ct-1)]}+5k`:"",bytes:d=>i>0?b(s*(i/s)**d):""},a=Array.from({length:Ct},(d,c)=>c/(Ct-1)).filter(d=>o[this.#r](d));this.#t.replaceChildren(
...a.map(d=>{let c=l("span",{},o[this.#r](d)),{colour:h,ink:p}=se(d);return c.style.cssText=`background:${h};color:${p}`,c})),this.#t.setAttribute(
"aria-label",`From light to dark: ${a.map(o[this.#r]).join(", ")}`),this.#t.hidden=a.length===0,this.#r==="bytes"&&i===0&&(this.#t.hidden=!1,
m(this.#t,"the costs are being worked out"))}};function oi(n,e,t){let r=new Float64Array(n+1);for(let s=0;s<n;s++)r[s+1]=r[s]+t(s);return s=>r[e[s]]-
r[s]}function q(n,e){return n.flatMap(([r,...s])=>{let i=s.splice(0,e),o=[r];for(let a=0;a<s.length;a+=2){let d=o,[c,h]=[s[a],s[a+1]];o=Array.from(
{length:c},(p,f)=>d.map(v=>v+f*h)).flat()}return o.map(a=>[a,...i])}).sort((r,s)=>r[0]-s[0])}function j([n,...e],t){let r=new Array(t).fill(
n);for(let[s,i]of q(e,1))r[s]=i;return r}var we=([n,e],t)=>j(e,t).map((r,s)=>r===null?null:r+n*s);var g="uFfRrIi",Pt=2,ai=["","info","warn","error"],li={v:Pt,rev:0,areas:[],units:{num:0,nparams:[0,[0]]},conflicts:[],findings:[]};function At(n,{
size:e}){let t=n?JSON.parse(n):li;if(t.v!==Pt)throw new Error(`The plan has format ${t.v}, this page reads ${Pt}. Restart the kernel.`);let{
num:r,nparams:s,setting:i=[0]}=t.units,o=we(s,r),a={payload:t,status:new Uint8Array(e),unitOf:new Int32Array(e).fill(-1),head:new Int32Array(
e).fill(-1),members:new Map,made:j(i,r).map((d,c)=>`setting ${d}, ${o[c]} parameters`),alarm:new Uint8Array(e),groups:new Map};for(let d of q(
t.areas,2))di(a,...d);for(let{at:d,severity:c}of[...t.findings,...t.conflicts]){let h=c===void 0?3:ai.indexOf(c);for(let[p]of q(d,1))a.alarm[p]=
Math.max(a.alarm[p],h)}return a}function di({status:n,unitOf:e,head:t,members:r},s,i,o){let[a]=o,d=/f/i.test(a)?s-Number(o.slice(1)):-1;s===
d&&r.set(d,[]),a==="F"&&r.get(d).push(s),n.fill(g.indexOf(a.toLowerCase()),s,s+i),n[s]=g.indexOf(a),t.fill(d,s,s+i),e.fill(s===d?r.size-1:e[d]??
-1,s,s+i)}function ie(n,e,t,r){if(r)return Pn(n,t).map(i=>An(n,i));let s=e.groups.get(t)??ci(n,e,t);return e.groups.set(t,s),s}var Cn=({end:n},{first:e,
times:t,stride:r},s)=>s>=e&&s<e+t*r&&(s-e)%r<n[e]-e;function Pn(n,e){let t=[];for(let r=e+1;r<n.end[e];r=n.end[r])t.push(r);return t}var An=(n,e)=>({
first:e,times:1,period:1,stride:n.end[e]-e});function ci(n,e,t){let r=Pn(n,t),s=[],i=0;for(let o=0;o<r.length;){if(o>=i)for(i=o+1;i<r.length&&
hi(n,r[i-1],r[i]);)i++;let[a,d]=pi(n,e,r,o,i);for(let c=0;c<Math.min(a,d);c++){let h=Math.ceil((d-c)/a),p=An(n,r[o+c]);s.push(h===1?p:{...p,
times:h,period:a,stride:r[o+c+a]-p.first})}o+=d}return s}var ve=/^(0|[1-9]\d*)$/,hi=(n,e,t)=>ve.test(n.names[e])&&String(Number(n.names[e])+
1)===n.names[t];function pi(n,e,t,r,s){let i=[1,1];for(let o=1;o<=4&&i[1]<s-r;o++){let a=r+o;for(;a<s&&_t(n,e,t[a-o],t[a])==="";)a++;let d=a-
r;a<=s&&d>=2*o&&d>i[1]&&(i=[o,d])}return i}function _t(n,e,t,r){if(n.cls[t]!==n.cls[r])return n.classes[n.cls[t]][0]===n.classes[n.cls[r]][0]?
"structure":"type";let{status:s,head:i,alarm:o}=e,a=n.end[t]-t,d=(c,h)=>c>=h&&c<h+a?c-h:-2-c;for(let c=0;c<a;c++){if(s[t+c]!==s[r+c])return"\
status";if(d(i[t+c],t)!==d(i[r+c],r))return"owner";if(Ln(e,t+c)!==Ln(e,r+c))return"unit settings";if(o[t+c]!==o[r+c])return"findings";let h=ui(
n,t,r,c,d);if(h)return h}return""}function Ln(n,e){return n.head[e]===e?`${n.made[n.unitOf[e]]}, ${n.members.get(e)?.length} modules`:""}function ui({
links:n},e,t,r,s){if(n.size===0)return"";let[i,o]=[n.get(e+r)??[],n.get(t+r)??[]];for(let a=0;a<i.length||a<o.length;a++){let[d,c]=[i[a],o[a]];
if(!d||!c||d.label!==c.label||s(d.target,e)!==s(c.target,t))return d?.kind==="shared modules"?d.kind:(c??d).kind}return""}var _n=n=>({open:new Uint8Array(n.size),split:new Set}),mi=[];function oe(n,e,t){let r=[],s={first:0,times:1,period:1,stride:n.size},i=[{groups:[
s],refs:[],next:0,parent:null}];for(;i.length>0;){let o=i[i.length-1],{groups:a,refs:d,next:c,parent:h}=o,p=a.length+d.length;if(c===p){i.pop();
continue}let f=c<a.length?-1:d[c-a.length],{first:v,times:L,period:I,stride:me}=f<0?a[c]:s,D=f<0?v:n.refs[f][2],fe={at:r.length,node:D,ref:f,
times:L,period:I,stride:me,parent:h,level:i.length,position:++o.next,siblings:p};r.push(fe),f<0&&t.open[D]&&i.push({groups:ie(n,e,D,t.split.
has(D)),refs:n.refsOf.get(D)??mi,next:0,parent:fe})}return r}var It=(n,e)=>n.end[e]>e+1||n.refsOf.has(e);function C(n){let e=[];for(let t=n;t;t=
t.parent)e.push(t);return e}var ye=n=>C(n).reduce((e,{times:t})=>e*t,1),P=n=>C(n).reduce((e,{times:t,stride:r})=>e+(t-1)*r,n.node),N=(n,e)=>C(
e).slice(0,-1).map(t=>Ht(n,t)).reverse().join(".");function Ht(n,{node:e,ref:t,times:r,period:s}){let i=t<0?n.names[e]:n.refs[t][1];if(r===1)
return i;let o=`${i}–${Number(i)+(r-1)*s}`;return s===1?o:`(${o})/${s}`}function Nt(n,e,t,r,s=!1){let i=[];for(let d=r;d>0;d=n.parent[d])i.
push(d);let o=0,a=0;for(let d of i.reverse()){if(s)t.open[a]=1;else if(!t.open[a])return a;let{first:c,stride:h}=ie(n,e,a,t.split.has(a)).find(
p=>Cn(n,p,d-o));a=c+(d-o-c)%h,o=d-a}return a}function In(n,e,t,r=40){for(t.open[0]=1;;){let s=oe(n,e,t).filter(({ref:i,node:o})=>i<0&&!t.open[o]&&
It(n,o));for(let{node:i}of s)t.open[i]=1;if(s.length===0)return;if(oe(n,e,t).length>r){for(let{node:i}of s)t.open[i]=0;return}}}var R={u:"unmanaged",F:"fully sharded",f:"in a sharded unit",R:"replicated",r:"inside a replicated module",I:"ignored",i:"inside an ignored \
module"},z=n=>n==="u"?"":n,fi=[[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e3,"K"]];function $(n){let e=n>=1e4&&fi.find(([t])=>n>=t);return e?`${(n/e[0]).
toFixed(1)} ${e[1]}`:n.toLocaleString("en")}function zt({unitOf:n},e){let[t,r]=[n[e.node],n[P(e)]];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}
function xe(n,e,t){let r=N(n,t)||"the root module",{node:s,times:i}=t;if(t.ref>=0)return`${r}: the same module as ${k(n,s)||"the root"}, num\
ber ${s}`;let o=n.total[n.cls[s]],a=ye(t);return[r,n.classes[n.cls[s]][0],i>1&&`${i} alike`,R[g[e.status[s]]],zt(e,t).replace("u","unit "),`${$(
o)} parameters${a>1?` each, ${$(o*a)} together`:""}`,["","has a finding","has a finding","has a conflict"][e.alarm[s]]].filter(Boolean).join(
", ")}var ke={key:"total",label:"subtree",title:"Elements of the subtree, each tensor once; of each one of a ×n row",text:({tree:n},{node:e})=>n.
total[n.cls[e]]?$(n.total[n.cls[e]]):""},Te={key:"unit",label:"unit",title:"The unit that owns the parameters",text:({plan:n},e)=>zt(n,e)};var Hn=n=>C(n).filter(({times:e})=>e>1),T=n=>n.members??=Hn(n).reduce((e,{times:t,stride:r})=>Array.from({length:t},(s,i)=>e.map(o=>o+i*r)).
flat(),[n.node]);function Bt(n){let[e,...t]=Hn(n),r=e?e.stride*e.times:0;for(let{stride:s,times:i}of t){if(s!==r)return-1;r=s*i}return e?.stride??
0}var gi={code:"",last:"",undo:!1,redo:!1,totals:{}},Nn=new WeakMap;function S(n,e){let t=Nn.get(e)??bi(n,e);return Nn.set(e,t),t}function bi(n,e){
let{payload:t}=e,r=wi(n,e),s={...gi,...t,units:r,orders:vi(r),conflicts:t.conflicts.map(i=>zn(i,n)),findings:t.findings.map(i=>zn(i,n))};return{
...e,state:s,unitAt:new Map(r.map(i=>[i.index,i]))}}function wi(n,{payload:e,members:t}){let{num:r,settings:s,apart:i,within:o,setting:a,...d}=e.
units,c=Object.entries(d).map(([v,L])=>[v,we(L,r)]),[h,p,f]=[j(i??[0],r),j(o??[null],r),j(a??[0],r)];return[...t].map(([v,L],I)=>{let me=Object.
fromEntries(c.map(([$t,Gs])=>[$t,Gs[I]])),[D,fe]=s[f[I]],Ks=L.map($t=>k(n,$t));return{...me,n:I,index:v,fqns:Ks,is_root:me.local_root===I,apart:h[I],
within:p[I],strategy:D,options:fe}})}function vi(n){let e={handles:[],init_composable:[],init_wrapper:[]};for(let{fqns:t,init_c:r,init_w:s,apart:i,
local_root:o}of n){if(r===null)continue;let a=i?`:${n[o].fqns[0]}`:"";(e[`init_composable${a}`]??=[])[r]=t[0],(e[`init_wrapper${a}`]??=[])[s]=
t[0],e[`handles${a}`]=e[`init_composable${a}`]}for(let t in e)t.startsWith("handles")&&(e[t]=e[t].slice().reverse());return e}function zn(n,e){
let t=q(n.at,1),r=([s,i])=>[k(e,s),i].filter(Boolean).join(".");return{...n,indices:t.map(([s])=>s),fqns:t.map(r)}}var Bn={T:"TP",P:"PP",E:"EP",D:"DT"},Fn={TP:"cut by tensor parallelism",PP:"cut by pipeline parallelism",EP:"cut by expert parallelism",DT:"\
a DTensor already"},Un=new WeakMap;function Ee(n,e,t){let r=Un.get(n)??yi(n);return Un.set(n,r),r[t?"total":"own"][n.cls[e]]}function yi({classes:n}){
let e={own:[],total:[]};for(let[,t,r]of n){let s=Object.keys(Bn).filter(i=>t.some(([,,,o])=>o.includes(i))).map(i=>Bn[i]);e.own.push(s),e.total.
push([...new Set([...s,...r.flatMap(([,,i])=>e.total[i])])])}return e}function $e({tree:n,plan:e,folds:t},{node:r,ref:s,times:i}){let o=n.parent[r];if(s>=0||i>1||o<0||t.split.has(o))return"";let a=xi(n,e,o,r);return a<
0?"":_t(n,e,a,r)}function xi(n,e,t,r){if(!ve.test(n.names[r]))return-1;let s=ie(n,e,t,!1),i=ki(s,r),o=d=>d&&ve.test(n.names[d.first])?d.times:
0;if(s[i].times>1)return-1;let a=o(s[i+1])>o(s[i-1])?s[i+1]:s[i-1];return o(a)>1?a.first:-1}function ki(n,e){let[t,r]=[0,n.length-1];for(;t<
r;){let s=t+r>>1;n[s].first<e?t=s+1:r=s}return t}function Re(n,e){let t=$e(n,e),r=e.ref<0?S(n.tree,n.plan).unitAt.get(e.node)?.handle:null,s=e.ref<0?Ee(n.tree,e.node,!0).map(a=>Fn[a]).join(
" and "):"",i=e.ref<0&&Ut(n.tree,e.node)?"checkpointed":"";return[xe(n.tree,n.plan,e),s,i,r==null?"":`handle ${r}`,t&&`differs from its neig\
hbours in ${t}`].filter(Boolean).join(", ")}var Ut=(n,e)=>n.classes[n.cls[e]][3]?.includes("c")??!1;function Ft(n){if(n.length===0||n.some(t=>t<
0))return"";let e=(n[1]??n[0])-n[0];return n.every((t,r)=>t===n[0]+r*e)?Wt(n[0],e):`${n.reduce((t,r)=>Math.min(t,r))}…`}function Wt(n,e){let t=Math.
abs(e)===1?"":Math.abs(e);return e===0?String(n):`${n}${e<0?"−":"+"}${t}k`}function Se(n,e){let t=r=>`${r.includes("b")?" buffer":""}${r.includes(
"f")?" frozen":""}${/[ts]/.test(r)?" tied":""}`;return n.classes[n.cls[e]][1].map(([r,s,i,o])=>`${r} [${s.join(", ")}] ${i}${t(o)}`).join(";\
 ")}function Wn(n,{state:{totals:e,rev:t,units:r}}){let s=(a,d)=>`${a.toLocaleString("en")} ${d}${a===1?"":"s"}`,i=["sharded","replicated","\
ignored","unmanaged"].filter(a=>e[a]).map(a=>`${$(e[a])} ${a}`),o=e.numel===void 0?"":` · ${$(e.numel)} parameters${i.length?": ":""}${i.join(
", ")}`;return`${s(n,"module")}${o} · ${s(r.length,"unit")} · revision ${t}`}var Kn=["own","bytes","exec"],Me=class{execution=new Map;#e=null;columns=[{key:"own",label:"own",title:"Elements of the module's direct para\
meters",text:({tree:e},{node:t})=>Dn(e.own[e.cls[t]],$)},ke,{key:"bytes",label:"B/rank",title:"Parameter bytes of the subtree on rank 0 betw\
een steps, as Costs is set",text:({tree:e},{node:t})=>this.#t(e,t)},Te,{key:"dfs",label:"#",title:"Place in the pre-order (DFS); k counts th\
e modules of a ×n row",text:(e,t)=>`#${Bt(t)<0?`${t.node}…`:Wt(t.node,Bt(t))}`},{key:"handle",label:"H",title:"Place of the unit's handle\
 in get_handles(root)",text:(e,t)=>jt(e,t,"handle")},{key:"init_c",label:"I₁",title:"When its handle is made by fully_shard (composable pa\
th)",text:(e,t)=>jt(e,t,"init_c")},{key:"init_w",label:"I₂",title:"When its handle is made by FullyShardedDataParallel (wrapper path)",text:(e,t)=>jt(
e,t,"init_w")},{key:"exec",label:"X",title:"When the last run unsharded it: → forward, ← backward, counted through the step",text:({tree:e,
plan:t},r)=>$i(S(e,t).unitAt,r,this.execution)}];valueOf(e){return e==="bytes"?({tree:t},{node:r})=>(this.#e?this.#e[t.end[r]]-this.#e[r]:-1)||
-1:e==="exec"?({tree:t,plan:r},{node:s})=>Ei(this.execution.get(S(t,r).unitAt.get(s)?.fqns[0]??"\0")):Ti[e]??(()=>-1)}measure(e,t){this.#e=t&&
new Float64Array(e+1);for(let r=0;this.#e&&r<e;r++)this.#e[r+1]=this.#e[r]+t(r)}#t({end:e},t){let r=this.#e;return r?Dn(r[e[t]]-r[t],b):""}},
Dt=n=>({tree:e,plan:t},{node:r})=>S(e,t).unitAt.get(r)?.[n]??-1,Ti={own:({tree:n},{node:e})=>n.own[n.cls[e]]||-1,total:({tree:n},{node:e})=>n.
total[n.cls[e]]||-1,unit:({plan:n},{node:e})=>n.unitOf[e],dfs:(n,{node:e})=>e,handle:Dt("handle"),init_c:Dt("init_c"),init_w:Dt("init_w")},Ei=n=>n?.
forward[0]??n?.backward[0]??-1,Dn=(n,e)=>n>0?e(n):"",jn=new WeakMap;function jt({tree:n,plan:e},t,r){let{unitAt:s}=S(n,e);if(!s.has(t.node))
return"";let i=jn.get(e)??new Map;jn.set(e,i);let o=`${r} ${t.node} ${ye(t)}`,a=i.get(o)??Ft(T(t).map(d=>s.get(d)?.[r]??-1));return i.set(o,
a),a}function $i(n,e,t){if(t.size===0||!n.has(e.node))return"";let r=T(e).map(i=>t.get(n.get(i)?.fqns[0]??"\0")),s=(i,o)=>{let a=r.length===
1?r[0]?.[o].join(",")??"":Ft(r.map(d=>d?.[o][0]??-1));return a&&i+a};return[s("→","forward"),s("←","backward")].filter(Boolean).join(" ")}var Gn=new WeakMap;function Vn(n,e){let t=Gn.get(n)??Ri(n);return Gn.set(n,t),t[n.cls[e]]===1}function Ri({classes:n}){let e=new Uint8Array(
n.length);return n.forEach(([,t,r],s)=>{for(let[,,,i]of t)i.includes("b")||(e[s]=Math.max(e[s],i.includes("f")?1:2));for(let[,,i]of r)e[s]=Math.
max(e[s],e[i])}),e}var ae=class{constructor(e=[],t){this.nodes=e;this.tree=t;if(e.length===0||!t)return;let r=new Int32Array(t.size+1);for(let s of e)r[s+1]=1;
for(let s=0;s<t.size;s++)r[s+1]+=r[s];this.#e=r}nodes;tree;#e=null;at(e,t){let r=this.#e;if(!r||e.ref>=0)return null;let{end:s}=this.tree;if(r[s[P(
e)]]===r[e.node])return null;let i=T(e);return i.some(o=>r[o+1]>r[o])?"on":!t&&i.some(o=>r[s[o]]>r[o+1])?"in":null}};var Si={f:"shard",r:"replicate",i:"ignore"},qn=n=>Si[n.toLowerCase()]??"none";var Jn=new WeakMap;function J(n){let e=Jn.get(n)??Mi(n);return Jn.set(n,e),e}function Mi({ties:n,size:e}){let t=new Map;n.forEach((s,i)=>{let o=i<
26?String.fromCharCode(97+i):String(i);for(let a of s)t.set(a,[...t.get(a)??[],o])});let r=new Int32Array(e+1);for(let s of t.keys())s>=0&&(r[s+
1]=1);for(let s=0;s<e;s++)r[s+1]+=r[s];return{lettersOf:t,holders:r}}var Yn=(n,e)=>J(n).holders[n.end[e]]-J(n).holders[e+1];var Oe=class{constructor(e){this.core=e;e.view.rows.addEventListener("mouseover",this.#c),e.view.rows.addEventListener("mouseleave",this.#h);
for(let t of["focus","blur"])e.view.rows.addEventListener(t,this.#u)}core;#e=new ae;#t=null;#n=new Map;#s=new Set;#r="";#i={now:[],live:[]};#a={
now:new Set,live:new Set};#l=[];dress(e,t){let{outline:r}=this.core,{tree:s}=r,i=t.ref<0,o=i&&J(s).lettersOf.get(t.node)||[],a=this.#p();r.rows!==
this.#l&&this.#d();let d=i?this.#n.get(t.node):void 0;d!==void 0&&(e.attributes["data-status"]=d,e.main[1]=["swatch",z(d)]),Object.assign(e.
attributes,{"data-hit":this.#e.at(t,r.isOpen(t)),"data-pending":d!==void 0||null,"data-refused":this.#s.has(t.node)||null,"data-dim":a.length>
0&&!o.some(p=>a.includes(p))||null,"data-frozen":i&&Vn(s,t.node)||null,"data-checkpointed":i&&Ut(s,t.node)||null}),Object.assign(e.item,{"da\
ta-now":this.#a.now.has(t.at)||null,"data-live":this.#a.live.has(t.at)||null}),this.#o(e,i?t:null);let c=!i||r.isOpen(t)&&t.times===1?0:Yn(s,
t.node);if(e.attributes["data-frozen"]&&e.main.push(["frozen","fz"]),o.length&&e.main.push(["ties",o.map(p=>`tie ${p}`).join(" ")]),i)for(let p of Ee(
s,t.node,!r.isOpen(t)))e.main.push(["cut",p]);c&&e.main.push(["inside",`${c} tied inside`]);let h=$e(r,t);h&&e.main.push(["differs",`differs\
 in ${h}`]),e.words=Re(r,t),e.item.title=i&&Se(s,t.node)||null,Oi(e)}colourOf(e){let t=qn(g[this.core.outline.plan.status[e]]);return this.#t?.(
e)?.colour??`var(--${t==="none"?"line":t})`}point(e,t){this.#i[e]=t,this.#l=[],this.core.view.draw()}paint(e){this.#t=e,this.core.view.draw()}find(e){
this.#e=new ae(e,this.core.outline.tree),this.core.view.draw()}pend(e,t){this.#n=new Map(t?e.map(r=>[r,t]):[]),this.#s=new Set(t?[]:e),this.
core.view.draw()}destroy(){this.core.view.rows.removeEventListener("mouseover",this.#c),this.core.view.rows.removeEventListener("mouseleave",
this.#h);for(let e of["focus","blur"])this.core.view.rows.removeEventListener(e,this.#u)}#o(e,t){let[r,s]=t&&this.#t?[this.#t(t.node),this.#t(
P(t))]:[null,null];e.attributes["data-painted"]=r&&!0,e.style["--hue"]=r?.colour??null,e.style["--hue-ink"]=r?.ink??null,e.style["--lane"]=r&&
P(t)>t.node?`linear-gradient(${r.colour}, ${s.colour})`:null}#d(){let{outline:e}=this.core;this.#l=e.rows;for(let t of["now","live"])this.#a[t]=
new Set(this.#i[t].map(r=>e.rowOf(r)))}#c=({target:e})=>this.#m(e);#h=()=>this.#m(null);#u=()=>this.core.outline&&J(this.core.outline.tree).
lettersOf.size>0&&this.core.view.draw();#p(){let{outline:e,view:t}=this.core;return this.#r?[this.#r]:t.rows.getRootNode().activeElement===t.
rows&&e.focused.ref<0&&J(e.tree).lettersOf.get(e.focused.node)||[]}#m(e){let t=e?.dataset.cell==="ties"?e.textContent.split(" ")[1]:"";t!==this.#r&&
(this.#r=t,this.core.view.draw())}};function Oi({cells:n}){let e=n.filter(({attributes:r})=>String(r["data-cell"]).startsWith("init_")),t=e.
length===2&&e[0].text?e[0].text===e[1].text?"same":"differ":null;for(let r of n)r.attributes["data-pair"]=e.includes(r)?t:null,r.attributes.
title=r.text.endsWith("…")?"irregular; the least":r.text||null}function Y(n){let e=n.map(t=>[t]);for(let t=0;t<3;t++)e=Li(e);return e.map(t=>t.length===1?t[0]:t)}function Li(n){let e=[];for(let t=0;t<n.length;){
let r=t+1<n.length?n[t+1][0]-n[t][0]:0,s=t+1;for(;s<n.length&&n[s][0]-n[s-1][0]===r&&Ci(n[s],n[t]);)s++;s-t>2?e.push([...n[t],s-t,r]):e.push(
...n.slice(t,s=Math.max(t+1,s-1))),t=s}return e}var Ci=(n,e)=>n.length===e.length&&n.every((t,r)=>r===0||t===e[r]);function X(n){let e=n.rows.filter(t=>t.ref<0&&n.isSelected(t));return[...new Set([...e.flatMap(T),...n.like])].sort((t,r)=>t-r)}function Xn(n){
let{cls:e}=n.tree,t=e[n.focused.node];n.like=new Set(Array.from(e.keys()).filter(r=>e[r]===t)),n.anchor=n.focus}function Zn({focus:n,anchor:e,
like:t}){let r=Math.abs(n-e)+1;return[r>1?`${r} rows selected`:"",t.size>1?`${t.size} alike selected`:""].filter(Boolean).join(" · ")}var Pi={fully_shard:"F",replicate:"R",ignore:"I",clear:"u"},Ai={run:"The run has started.",stop:"The run is being stopped.",undo:"Undone.",redo:"\
Redone."},_i="No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a res\
tart.",Le=class{constructor(e,t,r,s,i){this.core=e;this.patience=t;this.dressing=r;this.status=s;this.isLive=i;this.gone.hidden=!0}core;patience;dressing;status;isLive;gone=l(
"div",{class:"gone","data-role":"gone",role:"alert"},_i);silent(e){this.gone.hidden=!e,u(this.core.root,{"data-kernel":e?"gone":"alive"})}act=e=>{
switch(e.do){case"mark":return this.#t("mark",{verb:e.verb});case"group":return this.#t("group");case"undo":case"redo":return void this.command(
e.do);case"find":return this.core.root.querySelector('[data-role="find"]')?.focus();case"leave":return this.#e();case"selectLike":return this.
core.moved(()=>Xn(this.core.outline))}};command=async(e,t={},r=[])=>{let{dressing:s,status:i}=this,{root:o,outline:a}=this.core,{verb:d}=t;s.
pend(r,Pi[d??"fully_shard"]),u(o,{"data-waiting":e});let c=await this.patience.ask(e,t);return u(o,{"data-waiting":null}),s.pend(c.ok?[]:r),
c.ok?(e!=="stop"||this.isLive())&&i.tell(Ai[e]??(S(a.tree,a.plan).state.last||e)):i.refuse(c.error??{title:"The kernel refused",detail:"It g\
ave no reason."}),c.ok};#e(){let{view:e,root:t}=this.core;e.rows.blur(),t.getRootNode().host.closest("[tabindex]")?.focus()}#t(e,t={}){let r=X(
this.core.outline);r.length?this.command(e,{...t,indices:Y(r)},r):this.status.refuse({title:"This row is a reference",detail:"Its module is \
listed elsewhere: Enter goes there, then mark it."})}};var Ii=new Set(["ModuleList","ModuleDict"]),Qn=(n,e)=>Ii.has(n.classes[n.cls[e]][0]);function Kt(n,e,t){let r=t==="up"?e.map(s=>Hi(n,s)).filter(
s=>s>=0):e.flatMap(s=>er(n,s));return[...new Set(r)].sort((s,i)=>s-i)}function Hi(n,e){let t=n.parent[e];for(;t>=0&&Qn(n,t);)t=n.parent[t];return t}
function er(n,e){let t=[];for(let r=e+1;r<n.end[e];r=n.end[r])Qn(n,r)?t.push(...er(n,r)):n.total[n.cls[r]]>0&&t.push(r);return t}var Ni=10,zi=6,tr=["pointerdown","pointermove","pointerup","pointercancel"],Ce=class{constructor(e,t){this.core=e;this.mover=t;for(let r of tr)
e.view.rows.addEventListener(r,this.#t);e.root.addEventListener("keydown",this.#i,!0)}core;mover;#e=null;move(e,t){let r=Kt(this.core.outline.
tree,e,t);this.mover.command("boundary",{way:t,indices:Y(e)},r)}moveSelected(e){let{outline:t}=this.core,r=X(t),s=r.filter(i=>g[t.plan.status[i]]===
"F");r.length&&this.move(s.length?s:r,e)}destroy(){for(let e of tr)this.core.view.rows.removeEventListener(e,this.#t);this.core.root.removeEventListener(
"keydown",this.#i,!0)}#t=e=>{e.type==="pointerdown"?this.#n(e):e.type==="pointermove"?this.#s(e):e.type==="pointerup"?this.#r():this.#i(e)};#n(e){
let t=e.target,r=t.closest(".row");if(e.button!==0||!r)return;let s=e.clientX-r.getBoundingClientRect().left<Ni,i=this.core.outline.rows[Number(
r.dataset.row)];i.ref>=0||g[this.core.outline.plan.status[i.node]]!=="F"||!(s||t.dataset.cell==="unit")||(this.#e={row:i,from:e.clientY,way:null})}#s(e){
if(!this.#e)return;let{row:t,from:r,way:s}=this.#e,i=e.clientY-r,o=Math.abs(i)<zi?null:i<0?"up":"down";if(o===s)return;this.core.view.rows.setPointerCapture?.(
e.pointerId),this.#e.way=o;let a=o?Kt(this.core.outline.tree,T(t),o):[];this.mover.outline(a),this.mover.tell(o?this.#l(t,o,a):"The boundary\
 stays where it is."),this.core.root.toggleAttribute("data-dragging",o!==null)}#r(){let e=this.#a();e?.way&&this.move(T(e.row),e.way)}#i=e=>{
(e.key??"Escape")!=="Escape"||!this.#a()||(this.mover.tell("The boundary stays where it is."),e.stopPropagation())};#a(){let e=this.#e;return this.#e=
null,this.core.root.removeAttribute("data-dragging"),e?.way&&this.mover.outline([]),e}#l(e,t,r){let{tree:s}=this.core.outline,i=N(s,e)||"the\
 root module",o=`${r.length.toLocaleString("en")} module${r.length===1?"":"s"}`;return r.length===0?`There is no level ${t==="up"?"above":"b\
elow"} ${i} to move the boundary to.`:`Let go to move the boundary of ${i} ${t} to ${o}; Escape lets it be.`}};function nr(n){let e=new Map,t=0;for(let[r,s,i]of Bi(n)){if(s!=="U")continue;let o=e.get(i)??{forward:[],backward:[]};o[r==="B"?"backward":"\
forward"].push(t++),e.set(i,o)}return e}function Bi(n){let e=s=>n.slice(s).find(([,i])=>i==="U")?.[2],t=e(0),r=([s],i)=>s==="F"&&n[i-1]?.[0]!==
"F"&&e(i)===t;return n.slice(Math.max(0,n.findLastIndex(r)))}var Z={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,events:[],error:null,log:[],seconds:0},
Ui=500,sr=n=>n?{...Z,...JSON.parse(n)}:Z;function ir(n,e){let t=e.id!==void 0&&e.id!==n.id?Z:n;return e.seq!==void 0&&t!==Z&&e.seq<=t.seq?n:
{...t,...e,losses:[...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-Ui)}}var B=n=>n.phase==="starting"||n.phase==="running",rr={
idle:"Not run yet.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function Pe(n){let e=[n.backend,n.devices].
filter(Boolean).join(", "),t=n.nprocs?` on ${n.nprocs} ${n.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",r=n.steps?`, step ${n.step} o\
f ${n.steps}`:"",s=n.seconds?`, ${n.seconds.toFixed(1)} s`:"";return n.phase==="idle"?rr.idle:`${rr[n.phase]}${t}${r}${s}`}var Ae=class{constructor(e,t,r,s){this.model=e;this.status=t;this.changed=r;this.executed=s;e.on("change:run",this.#n),e.on("change:costs",this.#e),
e.on("change:comparison",this.#t),this.#n()}model;status;changed;executed;run=Z;hear(e){e.type==="run"?this.#s(ir(this.run,e)):e.type==="not\
ice"&&this.status.refuse(e.error)}destroy(){this.model.off("change:run",this.#n),this.model.off("change:costs",this.#e),this.model.off("chan\
ge:comparison",this.#t)}#e=()=>this.changed("costs");#t=()=>this.changed("comparison");#n=()=>this.#s(sr(String(this.model.get("run")??"")));#s(e){
let[t,r]=[B(this.run),B(e)],{events:s}=this.run;this.run=e,e.events!==s&&this.executed(nr(e.events));let{status:i}=this;r&&!t?i.tell("The ru\
n has started."):t&&!r&&!i.failing&&i.tell(Pe(e)),this.changed("run")}};var Fi=[["u7","unit"],["H I₁ I₂","handles: listed, made by fully_shard, by the wrapper"],["5+10k","k-th of a ×n row"],["↪","same modu\
le again"],["tie a","tied parameters"],["fz","frozen"],["TP PP EP","cut by another parallelism"],["⧈","checkpointed: a double border"],["▲",
"finding"],["!","conflict"]];function or(){let n=[...g].map(t=>l("span",{class:"key","data-status":t},l("span",{"data-cell":"swatch"},z(t)),
R[t])),e=Fi.map(([t,r])=>l("span",{class:"key"},l("b",{},t),r));return l("div",{class:"legend",role:"group","aria-label":"Legend"},...n,...e)}var Wi=["mark","group","undo","redo","find","selectLike","leave","review","boundary"],ar=n=>Wi.includes(n.do),Di={f:{do:"mark",verb:"fully_s\
hard"},r:{do:"mark",verb:"replicate"},i:{do:"mark",verb:"ignore"},u:{do:"mark",verb:"clear"},g:{do:"group"},l:{do:"selectLike"},"/":{do:"fin\
d"},"=":{do:"review"},Escape:{do:"leave"}},ji={ArrowUp:{do:"boundary",way:"up"},ArrowDown:{do:"boundary",way:"down"}};function lr({key:n,shiftKey:e,
ctrlKey:t,metaKey:r,altKey:s}){let i=n.length===1?n.toLowerCase():n;return s?ji[i]??null:!t&&!r?Di[i]??null:i==="z"?{do:e?"redo":"undo"}:i===
"y"?{do:"redo"}:null}var Ki={set:(n,e)=>setTimeout(n,e),clear:n=>clearTimeout(n)},_e=class{constructor(e,t,r=Ki){this.talk=e;this.onSilence=t;this.clock=r}talk;onSilence;clock;#e=new Set;#t=!1;async ask(e,t={}){
let r=this.clock.set(()=>this.#n(!0),1e4);this.#e.add(r);let s=await this.talk.ask(e,t);return this.clock.clear(r),this.#e.delete(r),s}hear=()=>this.#n(
!1);destroy(){for(let e of this.#e)this.clock.clear(e);this.#e.clear()}#n(e){this.#t!==e&&(this.#t=e,this.onSilence(e))}};var Gi=14,dr=()=>l("span");function Ie(n,e){return l("div",{class:n,...e?{id:e,role:"treeitem"}:{}},l("span",{class:"words"}),l("span",{class:"\
main","aria-hidden":"true"}))}function cr(n,e,t){let{tree:r,plan:s,focus:i}=n,{at:o,node:a}=t,d=t.ref<0,c=g[s.status[a]],h=n.isParent(t)?n.isOpen(
t):null;return{attributes:{"data-row":o,"data-status":d?c:"ref","data-alarm":d?s.alarm[a]:0,"data-lane":d&&s.unitOf[a]===Vi(n,t)?"on":"start\
s"},item:{"data-index":a,"data-fqn":N(r,t),"data-count":t.times,"data-focus":o===i||null,"aria-level":t.level,"aria-posinset":t.position,"ar\
ia-setsize":t.siblings,"aria-selected":n.isSelected(t),"aria-expanded":h},style:{"--indent":`${Math.min(t.level-1,24)*Gi}px`},main:d?[["fold",
h===null?"":h?"▾":"▸"],["swatch",z(c)],...Ji(n,t)]:qi(n,t),cells:e.map(({key:p,text:f})=>({text:d?f(n,t):"",attributes:{class:`num ${p}`,
"data-cell":p,"aria-hidden":!0}})),words:xe(r,s,t)}}function Vi({rows:n,plan:e},{at:t}){let r=n[t-1];return r&&r.ref<0?e.unitOf[r.node]:-2}function qi({
tree:n},{ref:e,node:t}){let[,r,,s]=n.refs[e],i=`same as ${t===0?n.title:k(n,t)} (#${t})`;return[["fold",s==="back"?"↺":"↪"],["swatch",""],
["name",r],["type",i]]}function Ji({tree:n,plan:e,folds:t},r){let{node:s,times:i}=r,[o]=n.classes[n.cls[s]],a=Ht(n,r),d=n.names[n.parent[s]],
c=[["times",i>1?`×${i}`:t.split.has(n.parent[s])?"⊟":""],["alarm",["","i","▲","!"][e.alarm[s]]]];return[["name",s===0?n.title:d&&/^\(?\d/.
test(a)?`${d}.${a}`:a],["type",s===0&&o===n.title?"":o],...c.filter(([,h])=>h)]}function hr(n,{attributes:e,item:t,style:r,main:s,cells:i,words:o},a){
let[d,c]=n.children;u(n,e),a||(u(n,t),m(d,o));for(let h in r)n.style.setProperty(h,r[h]);ne(c,s.length,dr),s.forEach(([h,p],f)=>{u(c.children[f],
{"data-cell":h}),m(c.children[f],p)}),ne(n,2+i.length,dr),i.forEach(({text:h,attributes:p},f)=>{u(n.children[2+f],p),m(n.children[2+f],h)})}var pr=4,He=class{constructor(e){this.core=e;e.view.rows.prepend(this.#e),e.view.pinned=pr}core;#e=l("div",{class:"pins","aria-hidden":"true"});draw(){
let{view:e,outline:t}=this.core,{first:r,rowHeight:s}=e.list,i=this.#t(Math.floor(r));ne(this.#e,i.length,()=>Ie("pin")),i.forEach((o,a)=>{let d=this.#e.
children[a];d.style.transform=`translateY(${a*s}px)`,e.fill(d,o,!0),u(d,{"data-selected":t.isSelected(t.rows[o])||null})})}#t(e){let{rows:t}=this.
core.outline,r=[];for(;r.length<pr&&e+r.length<t.length;){let s=e+r.length,i=C(t[s]).at(-1-r.length);if(!i||i.at>=s||t[s].level===1)break;r.
push(i.at)}return r}};var ze={opened:"since this page was opened",run:"since the last run began",edit:"by the last edit"},Ne=class{#e={};#t=null;#n=null;of=e=>this.#e[e]??
null;plan(e){if(this.#t?.state.rev===e.state.rev)return void(this.#t=e);this.#t&&(this.#e.edit=this.#t),this.#e.opened??=e,this.#t=e}run(e){
let t=this.#n!==null&&e!==""&&e!==this.#n;return t&&this.#t&&(this.#e.run=this.#t),this.#n=e,t}forget(){this.#e={},this.#t=null}};var U=["","added","removed","changed","follows"],le={"":"",added:"+",removed:"−",changed:"~",follows:"→"},Be=n=>"FRI".includes(n);function fr(n,e,t){
let r=new Uint8Array(n.size),s={"":0,added:0,removed:0,changed:0,follows:0},i=[ur(e),ur(t)];for(let o=0;o<n.size;o++){let[a,d]=[g[e.status[o]],
g[t.status[o]]],c=a===d&&e.head[o]===t.head[o],h=Be(a)&&Be(d)?c&&i[0](o)===i[1](o)?0:3:Be(d)?1:Be(a)?2:c?0:4;r[o]=h,s[U[h]]++}return{kinds:r,
counts:s,before:e}}function ur({unitAt:n}){return e=>{let t=n.get(e);return t?JSON.stringify([t.strategy,t.options,t.fqns]):""}}var gr=({before:n},e)=>`\
was ${R[g[n.status[e]]]}`;function br(n,{kinds:e,before:t},r){let s=new Map;return e.forEach((i,o)=>{if(i===0||i===4)return;let[a,d]=[g[t.status[o]],
g[r.status[o]]],c=k(n,o),h=c.replace(/(^|\.)\d+(?=\.|$)/g,"$1*"),p=`${i} ${a} ${d} ${h}`,f=s.get(p);f?(f.nodes.push(o),f.name=h):s.set(p,{kind:U[i],
name:c,was:a,is:d,nodes:[o]})}),[...s.values()]}function wr(n,e){let[t,r]=[n,e].map(s=>s.split(`
`).filter(i=>i.trim()));return{gone:mr(t,r),fresh:mr(r,t)}}function mr(n,e){let t=new Map;for(let r of e)t.set(r,(t.get(r)??0)+1);return n.filter(
r=>{let s=t.get(r)??0;return t.set(r,s-1),s<=0})}var Gt=[1,2,3],Ue=class{baselines=new Ne;#e=null;last="opened";difference=null;#t=[];get since(){return this.#e}set since(e){this.#e=e,this.
last=e??this.last}compare(e,t){let r=this.since&&this.baselines.of(this.since);this.difference=r&&fr(e,r,t),this.#t=this.difference?Gt.map(s=>Xi(
this.difference.kinds,s)):[]}dress(e,t,r,s){if(e.attributes["data-change"]=null,!this.difference)return;let i=t.ref<0?this.#n(t):null,o=t.ref<
0&&!s?this.#s(t,r):"";e.attributes["data-change"]=i&&U[i.kind],i&&e.main.push(["change",`${i.sign} ${i.kind===4?"follows":i.was}`]),o&&e.main.
push(["changes",`${o} inside`]);let a=[i&&`${i.kind===4?"follows another mark":U[i.kind]}${i.count>1?` ${i.count} times`:""}, ${i.was}`,o&&`\
changes inside: ${Yi(o)}`];e.words=[e.words,...a.filter(Boolean)].join(", ")}#n(e){let{kinds:t}=this.difference,r=T(e).filter(a=>t[a]>0),s=r.
find(a=>t[a]<4)??r[0];if(s===void 0)return null;let i=t[s],o=r.filter(a=>t[a]===i).length;return{kind:i,sign:le[U[i]]+(o>1&&o<e.times?String(
o):""),was:gr(this.difference,s),count:o}}#s(e,{end:t}){let r=P(e)>e.node?T(e):[e.node];return this.#t.map(i=>r.reduce((o,a)=>o+i[t[a]]-i[a+
1],0)).map((i,o)=>i?`${le[U[Gt[o]]]}${i}`:"").filter(Boolean).join(" ")}get summary(){if(!this.difference||!this.since)return"";let{counts:e}=this.
difference,t=Gt.map(s=>U[s]).filter(s=>e[s]).map(s=>`${e[s].toLocaleString("en")} ${s}`),r=e.follows?` (${e.follows.toLocaleString("en")} fo\
llow)`:"";return`${t.join(", ")||"No mark changed"} ${ze[this.since]}${r}.`}},Yi=n=>n.replace(/\+/g,"added ").replace(/−/g,"removed ").replace(
/~/g,"changed ");function Xi(n,e){let t=new Int32Array(n.length+1);for(let r=0;r<n.length;r++)t[r+1]=t[r]+(n[r]===e?1:0);return t}var Fe=class{constructor(e){this.core=e;this.#t=e.restored,e.model.on("change:view",this.follow)}core;#e={};#t;#n;soon(){clearTimeout(this.#n),
this.#n=setTimeout(()=>this.#r(),250)}read=()=>({...JSON.parse(this.#s()||"{}"),...this.#e});keep(e,t){this.#e[e]=t,this.soon()}follow=()=>{
if(this.#s()===this.#t)return;this.#t=this.#s();let{outline:e}=this.core,{selected:t}=this.read();t!==void 0&&t<e.tree.size&&this.core.moved(
()=>e.jump(t))};destroy(){clearTimeout(this.#n),this.core.model.off("change:view",this.follow)}#s=()=>String(this.core.model.get("view")??"");#r(){
let{model:e,outline:t}=this.core,{rows:r,focused:s,isOpen:i,folds:o}=t,a=r.filter(i).map(({node:d})=>d).slice(0,2e3);this.#t=JSON.stringify(
{...this.read(),selected:s.node,open:a,split:[...o.split]}),e.set("view",this.#t),e.save_changes()}};var Vt={dfs:"modules",handle:"handles",init_c:"composable",init_w:"wrapper"},We=class{constructor(e,t,r){this.sort=t;this.play=r;this.#e=e,e.
before(this.#t),this.#t.append(e),e.removeAttribute("aria-hidden"),u(e,{role:"row"}),e.addEventListener("click",this.#s),e.addEventListener(
"keydown",this.#r)}sort;play;#e;#t=l("div",{role:"table","aria-label":"Columns, each sorts the rows",class:"headtable"});show(e,t){let[r,...s]=this.#e.
children;u(r,{role:"columnheader"}),s.forEach((i,o)=>{let{key:a,label:d,title:c}=e[o],h=t?.key===a?t:null,p=Vt[a];u(i,{role:"columnheader","\
data-sort":a,tabindex:o===this.#n(s)?0:-1,"aria-sort":h?h.down?"descending":"ascending":"none","aria-label":`${d}: ${c}`,title:`${c}. Press:\
 sort the rows, the other way round, the tree again${p?"; P plays this order":""}.`}),i.replaceChildren(...p?[l("span",{class:"play","data-p\
lay":p,"aria-hidden":"true",title:"Play this order (P)"},"▸")]:[],`${d}${h?h.down?"▾":"▴":""}`)})}destroy(){this.#e.removeEventListener(
"click",this.#s),this.#e.removeEventListener("keydown",this.#r)}#n=e=>Math.max(0,e.indexOf(this.#e.getRootNode().activeElement));#s=({target:e})=>{
let{play:t}=e.dataset,r=e.closest("[data-sort]")?.dataset.sort;t?this.play(t):r&&this.sort(r)};#r=e=>{if(e.ctrlKey||e.altKey||e.metaKey)return;
let t=[...this.#e.querySelectorAll("[data-sort]")].filter(o=>getComputedStyle(o).display!=="none"),r=t.indexOf(e.target),s=t[r]?.dataset.sort,
i={ArrowRight:r+1,ArrowLeft:r-1+t.length,Home:0,End:t.length-1}[e.key];if(s){if(e.key==="Enter"||e.key===" ")this.sort(s);else if(e.key.toLowerCase()===
"p"&&Vt[s])this.play(Vt[s]);else{if(i===void 0)return;this.#i(t,t[i%t.length])}e.preventDefault()}};#i(e,t){for(let r of e)r.tabIndex=r===t?
0:-1;t.focus()}};var Zi=new Set(["own","total","bytes"]);function vr(n,e){let t=Zi.has(e);return n?.key!==e?{key:e,down:t}:n.down===t?{key:e,down:!t}:null}function yr(n,e,t,r){
let s=new Float64Array(e.length);for(let a of e){let d=a.ref<0?t(n,a):-1;s[a.at]=d<0?1/0:r?-d:d}let i=new Array(e.length),o=Qi(s);for(let a=0;a<
e.length;a++){let d=e[a],c=o[a];d.at=c,d.level=1,d.position=c+1,d.siblings=e.length,i[c]=d}return i}function Qi(n){let e=n.slice().sort(),t=new Uint32Array(
n.length),r=new Uint32Array(n.length);for(let s=0;s<n.length;s++){let i=eo(e,n[s]);r[s]=i+t[i]++}return r}function eo(n,e){let t=0,r=n.length;
for(;t<r;){let s=t+r>>1;n[s]<e?t=s+1:r=s}return t}var De=class{constructor(e,t,r,s){this.core=e;this.measured=t;this.tell=r;this.#e=new We(e.view.heads,i=>this.#n(i),s)}core;measured;tell;order=null;#e;#t=[];show(e){
this.#t=e,this.#e.show(e,this.order)}destroy=()=>this.#e.destroy();#n(e){this.order=vr(this.order,e),this.#r(),this.tell(this.#s())}#s(){if(!this.
order)return"The rows are a tree again.";let{label:e}=this.#t.find(({key:t})=>t===this.order.key);return`${this.core.outline.rows.length.toLocaleString(
"en")} rows by ${e}, ${this.order.down?"largest":"least"} first. Enter shows a module in the tree again.`}follow(){this.order&&this.#r()}press({
key:e,altKey:t,ctrlKey:r,metaKey:s}){if(!this.order||t||r||s||!["ArrowLeft","ArrowRight","Enter"].includes(e))return!1;if(e==="Enter"){let{node:i}=this.
core.outline.focused;this.order=null,this.#r(),this.core.moved(()=>this.core.outline.jump(i))}return!0}dress(e,t){if(!this.order)return;let{
tree:r}=this.core.outline,[,s,[,i],...o]=e.main;e.main=[["place",""],s,["name",N(r,t)||i],...o],e.item["aria-expanded"]=null,e.attributes["d\
ata-lane"]="starts"}#r(){let{outline:e}=this.core,{order:t,measured:r}=this;e.arrange=t?s=>yr(e,s,r.valueOf(t.key),t.down):s=>s,this.#e.show(
this.#t,t),this.core.moved(()=>e.rebuild())}};var je=n=>l("div",{class:`slot ${n}`});function xr({root:n,view:e,panels:t}){let r={tools:je("tools"),top:je("top"),edge:je("edge"),side:je(
"side"),tab:t};return n.querySelector(".head").after(r.tools),n.querySelector(".body").append(r.side),e.element.before(r.top),e.stage.append(
r.edge),r}var Ke=class{constructor(e){this.element=e}element;get failing(){return this.element.dataset.kind==="error"}get empty(){return this.element.
textContent===""}tell(e){this.element.replaceChildren(e),u(this.element,{"data-kind":"told"})}refuse({title:e,detail:t}){this.element.replaceChildren(
l("b",{},e),l("p",{},t)),u(this.element,{"data-kind":"error"})}};var Ge=class{constructor(e){this.opened=e;this.element.append(this.#e)}opened;element=l("div",{class:"panels"});#e=l("div",{class:"tabs",role:"\
tablist","aria-label":"Panels",keydown:e=>this.#n(e)});#t=[];get current(){return this.#t.find(({place:e})=>!e.hidden)?.name??""}place(e,t){
let r=this.#t.find(o=>o.name===e);if(r)return r.place;let s=l("button",{type:"button",role:"tab",id:`tab-${e}`,"data-tab":e,"aria-selected":"\
false",tabindex:-1,click:()=>this.open(e)},t),i=l("div",{role:"tabpanel","aria-labelledby":s.id});return i.hidden=!0,this.#t.push({name:e,tab:s,
place:i}),this.#e.append(s),this.element.append(i),i}label(e,t){let r=this.#t.find(s=>s.name===e)?.tab;r&&m(r,t)}open(e){for(let{name:t,tab:r,
place:s}of this.#t)s.hidden=t!==e,u(r,{"aria-selected":t===e,tabindex:t===e?0:-1});this.opened(e)}#n(e){let t={ArrowRight:1,ArrowLeft:-1}[e.
key];if(!t)return;let r=this.#t.findIndex(({name:i})=>i===this.current),s=this.#t[(r+t+this.#t.length)%this.#t.length];this.open(s.name),s.tab.
focus()}};var to=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],["boundary_up","Unit ↑","Move the boundary of the selected units up to their parents (Alt+Up, or dra\
g the unit's chip)",{do:"boundary",way:"up"}],["boundary_down","Unit ↓","Move the boundary of the selected units down to their children (A\
lt+Down, or drag the unit's chip)",{do:"boundary",way:"down"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷\
 Redo","Redo (Ctrl+Shift+Z)",{do:"redo"}],["changes","± Changes","Show what changed in the plan, or stop (=)",{do:"review"}],null,["open_al\
l","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",{do:"closeAll"}],["split","Spli\
t ×n","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],kr=["fully_shard","replicate","ignore","cle\
ar"],no={fully_shard:"F",replicate:"R",ignore:"I"};function qt(n,e,t,r){let s=w(n,e,t,r),i=no[n]??"";return i&&(s.dataset.status=i),(i||!e)&&
s.prepend(l("span",{"data-cell":"swatch","aria-hidden":"true",class:i?"":"empty"},i)),e||s.classList.add("bare"),s}var Ve=class{element=l("d\
iv",{class:"bar",role:"toolbar","aria-label":"Plan",keydown:e=>this.#t(e)});#e=new Map;constructor(e){for(let t of to){if(t===null){this.element.
append(l("span",{class:"gap"}));continue}let[r,s,i,o]=t,a=qt(r,s,i,()=>e(o));this.#e.set(r,a),this.element.append(a),a.tabIndex=this.#e.size===
1?0:-1}}enable(e,t){this.#e.get(e).disabled=!t}#t(e){let t=[...this.#e.values()].filter(i=>!i.disabled),r=t.findIndex(i=>i===e.target),s={ArrowRight:r+
1,ArrowLeft:r-1+t.length,Home:0,End:t.length-1}[e.key];if(!(r<0||s===void 0)){e.preventDefault();for(let i of this.#e.values())i.tabIndex=-1;
t[s%t.length].tabIndex=0,t[s%t.length].focus()}}};var F=class{constructor(e,t){this.content=e;this.turned=t;this.element=l("div",{},e),this.observer=new ResizeObserver(()=>this.look()),this.
observer.observe(this.element)}content;turned;element;observer;shown=!1;destroy=()=>this.observer.disconnect();look(){let e=this.element.clientWidth>
0;e!==this.shown&&(this.shown=e,e?this.element.append(this.content):this.content.remove(),this.turned(e))}};var Xt=["visit","again","barred","leave","take"],Zt=[];function*Qt(n,e){let t=[],r=new Uint8Array(n.tree.size);for(let s of n.starts){let i=[
s];for(;i.length>0;){let o=ro(n,e,r,i.pop());for(let a of o.pushed)i.push(a);o.finds&&t.push(o.node),yield o}}for(;t.length>0;)yield{node:t.
pop(),act:"take",produces:!0,finds:!1,pushed:Zt}}function ro(n,e,t,r){let s={produces:!1,finds:!1,pushed:Zt};if(r<0)return{...s,node:~r,act:"\
leave",produces:n.handles.has(~r)};if(t[r])return{...s,node:r,act:"again"};let i=e==="modules"||e==="rightToLeft";if(!i&&n.barred.has(r))return{
...s,node:r,act:"barred"};t[r]=1;let o=en(n.tree,r);if(e!=="rightToLeft"&&o.reverse(),e==="wrapper")return{...s,node:r,act:"visit",pushed:[~r,
...o]};let a=n.handles.has(r);return{node:r,act:"visit",produces:i||e==="handles"&&a,finds:e==="composable"&&a,pushed:o}}function en(n,e){let t=[];
for(let s=e+1;s<n.end[e];s=n.end[s])t.push(s);let r=(n.refsOf.get(e)??Zt).filter(s=>n.refs[s][3]==="shared");for(let s of r)t.splice(so(n,s,
t.length),0,n.refs[s][2]);return t}function so(n,e,t){return Math.min(t,n.refs[e][4]??t)}function Tr(n,e){let t=new Jt(e),r=[...n.starts].reverse();
t.begin(r.pop());for(let s of Qt(n,e))t.take(s),t.idle&&t.begin(r.pop());return t.end()}function Er(n,e,t){let r=[];for(let s=n.top[e];s>=0&&
r.length<t;s=n.below[s])r.push(n.entry[s]);return r}var Jt=class{constructor(e){this.kind=e}kind;node=new E;act=new E;top=new E;depth=new E;done=new E;listed=new E;produced=new E;found=new E;stack=new Yt;reversing=-1;get idle(){
return this.stack.depth===0}begin(e){e!==void 0&&this.stack.push(e)}take(e){e.act==="take"&&this.reversing<0&&this.reverse(),this.mark(),this.
node.push(e.node),this.act.push(Xt.indexOf(e.act)),this.stack.pop();for(let t of e.pushed)this.stack.push(t);e.finds&&this.found.push(e.node),
e.produces&&this.produced.push(e.node)}end(){this.mark();let e=this.node.size;return{kind:this.kind,steps:e,reversing:this.reversing<0?e:this.
reversing,node:this.node.array(),act:Uint8Array.from(this.act.array()),top:this.top.array(),depth:this.depth.array(),done:this.done.array(),
listed:this.listed.array(),entry:this.stack.entry.array(),below:this.stack.below.array(),produced:this.produced.array(),found:this.found.array()}}reverse(){
this.reversing=this.node.size;for(let e=0;e<this.found.size;e++)this.stack.push(this.found.at(e))}mark(){this.top.push(this.stack.top),this.
depth.push(this.stack.depth),this.done.push(this.produced.size),this.listed.push(this.found.size)}},Yt=class{entry=new E;below=new E;top=-1;depth=0;push(e){
this.entry.push(e),this.below.push(this.top),this.top=this.entry.size-1,this.depth++}pop(){this.top=this.below.at(this.top),this.depth--}},E=class{size=0;values=new Int32Array(
256);push(e){if(this.size===this.values.length){let t=new Int32Array(2*this.size);t.set(this.values),this.values=t}this.values[this.size++]=
e}at=e=>this.values[e];array=()=>this.values.slice(0,this.size)};var tn=[{kind:"composable",label:"I₁ composable init",about:"fully_shard(policy): lists the handles left to right, then makes them from th\
e end of that list.",made:"Handles made"},{kind:"wrapper",label:"I₂ wrapper init",about:"FullyShardedDataParallel(policy): a handle is mad\
e once all children are done (post-order).",made:"Handles made"},{kind:"handles",label:"H get_handles",about:"Lists the handles left to righ\
t, parents first; a replicated module is not entered.",made:"Handles listed"},{kind:"modules",label:"# modules()",about:"Every module once, \
left to right, parents first.",made:"Modules met"},{kind:"rightToLeft",label:"right to left",about:"Children from the right, for contrast: n\
othing runs in this order.",made:"Modules met"}],qe=n=>tn.find(e=>e.kind===n);function $r(n,e,t){let r=new Set(e.state.units.filter(o=>o.handle!==
null).map(o=>o.index)),s=g.indexOf("R"),i=new Set;return e.status.forEach((o,a)=>o===s&&i.add(a)),{tree:n,handles:r,barred:i,starts:t}}var io=5;
function Q(n,e){if(e===0)return"(root)";let t=[],r=e;for(;r>0&&t.length<io;r=n.parent[r])t.push(n.names[r]);return(r>0?"…":"")+t.reverse().
join(".")}function Rr(n,e,t){let{tree:r,handles:s}=n,i=e.produced.length.toLocaleString("en");if(t>=e.steps)return`Done: ${qe(e.kind).made.toLowerCase()}\
, ${i} in all.`;let o=e.node[t],a=Q(r,o),d=s.has(o);switch(Xt[e.act[t]]){case"again":return`${a} was met before, by another path: nothing to\
 do.`;case"barred":return`${a} is replicated: not entered, nothing below it is listed.`;case"leave":return d?`All children of ${a} are done:\
 its handle is made.`:`All children of ${a} are done; it has no handle.`;case"take":return`${a} is the last of the list: its handle is made.`;default:
return`Visit ${a} (${r.classes[r.cls[o]][0]})${oo(e.kind,d)}; ${ao(en(r,o).length)}.`}}function oo(n,e){return n==="modules"||n==="rightToLe\
ft"?", and list it":n==="wrapper"?e?": it has a handle, to be made when its children are done":", without a handle":e?", and list its handle":
", without a handle"}function ao(n){return n===0?"it has no children":n===1?"its child goes on the stack":`its ${n.toLocaleString("en")} chi\
ldren go on the stack`}var Sr=[1,2,5,10,30,60,200,1e3,1e4],lo=.25,Je=(n,e=2)=>({steps:n,at:0,rate:e,playing:!1,owed:0});function Mr(n,e){if(!n.playing)return n;let t=n.
owed+n.rate*Math.min(e,lo),r=Math.min(n.steps,n.at+Math.floor(t));return{...n,at:r,owed:t%1,playing:r<n.steps}}var nn=n=>({...n,at:n.at===n.
steps?0:n.at,owed:0,playing:n.steps>0}),de=n=>({...n,playing:!1,owed:0}),Ye=(n,e)=>({...n,at:Math.max(0,Math.min(n.steps,Math.round(e))),owed:0}),
Xe=(n,e)=>de(Ye(n,n.at+e)),Or=(n,e)=>({...n,rate:e,owed:0});var Ze=4,Qe=8,co=250,ho=8,et="play-walk",tt=class{constructor(e){this.page=e;this.rate.value="2";let t=w("step_back","◀","One step back (,\
)",()=>this.move(Xe(this.now,-1))),r=w("step","▶|","One step on (.)",()=>this.move(Xe(this.now,1)));u(t,{"aria-label":"One step back"}),u(
r,{"aria-label":"One step on"});let s=l("div",{class:"player","data-role":"player"},l("div",{class:"bar"},this.walk,this.start,t,this.playing,
r,this.rate,this.scrub,this.count),this.about,this.said,l("div",{class:"columns"},this.around.element,this.stack.element,this.made.element));
this.curtain=new F(s,i=>this.turn(i)),this.element=this.curtain.element,e.root.addEventListener("keydown",this.press),e.root.addEventListener(
et,this.begin)}page;element;curtain;shown=!0;walk=l("select",{"data-role":"walk","aria-label":"Walk",change:()=>this.rewalk()},...tn.map(({kind:e,
label:t})=>l("option",{value:e},t)));start=l("select",{"data-role":"walk-start","aria-label":"Where the walk begins",change:()=>this.rewalk()});playing=w(
"play","▶ Play","Play or pause",()=>this.toggle());rate=l("select",{"data-role":"rate","aria-label":"Rows a second",change:()=>this.move(Or(
this.now,Number(this.rate.value)))},...Sr.map(e=>l("option",{value:e},`${e.toLocaleString("en")} rows/s`)));scrub=l("input",{type:"range",min:0,
value:0,"data-role":"scrub","aria-label":"Step",input:()=>this.move(de(Ye(this.now,Number(this.scrub.value))))});count=l("span",{class:"note",
"data-role":"step"});about=l("p",{class:"note"});said=l("p",{class:"said","data-role":"said","aria-live":"polite"});around=new ce("around",2*
Ze+1,"Modules around the next one");stack=new ce("stack",Qe,"Stack");made=new ce("made",Qe,"Produced");ground;recording;metAt;now=Je(0);frame=0;drawnAt=0;calm=matchMedia(
"(prefers-reduced-motion: reduce)");press=e=>this.key(e);update(e){!e.has("tree")&&!e.has("plan")||(this.offerStarts(),this.rewalk())}destroy(){
cancelAnimationFrame(this.frame),this.curtain.destroy(),this.page.root.removeEventListener("keydown",this.press),this.page.root.removeEventListener(
et,this.begin),this.page.point("now",[])}begin=e=>{this.walk.value=e.detail,this.rewalk(),this.move(nn(Je(this.recording.steps,this.now.rate)))};offerStarts(){
let{tree:e,plan:t}=this.page,r=t.state.units.filter(i=>i.is_root&&i.apart).slice(0,50),s=this.start.value;this.start.replaceChildren(l("opti\
on",{value:0},"from the root"),...r.map(({index:i})=>l("option",{value:i},`from ${Q(e,i)}`))),this.start.value=r.some(({index:i})=>String(i)===
s)?s:"0",this.start.hidden=r.length===0}rewalk(){let{tree:e,plan:t}=this.page,r=this.walk.value,s=this.recording?.kind!==r;this.ground=$r(e,
t,[Number(this.start.value)]),this.recording=Tr(this.ground,r),this.metAt=new Int32Array(e.size).fill(this.recording.steps);for(let o=this.recording.
steps-1;o>=0;o--)this.recording.act[o]===0&&(this.metAt[this.recording.node[o]]=o);m(this.about,qe(r).about),u(this.scrub,{max:this.recording.
steps});let i=Je(this.recording.steps,this.now.rate);this.move(s?i:Ye(i,this.now.at))}toggle(){this.move(this.now.playing?de(this.now):nn(this.
now))}move(e){this.now=e,this.draw(),cancelAnimationFrame(this.frame),e.playing&&this.follow(performance.now())}turn(e){this.shown=e,e?this.
draw():this.move(de(this.now))}follow(e){this.frame=requestAnimationFrame(t=>{this.now=Mr(this.now,Math.max(0,t-e)/1e3),(!this.calm.matches||
t-this.drawnAt>=co||!this.now.playing)&&this.draw(t),this.now.playing&&this.follow(Math.max(t,e))})}key(e){e.ctrlKey||e.altKey||e.metaKey||!this.
shown||e.key!=="."&&e.key!==","||e.composedPath()[0].matches("input:not([type=range]), textarea")||(e.preventDefault(),this.move(Xe(this.now,
e.key==="."?1:-1)))}draw(e=performance.now()){this.drawnAt=e;let{now:t,recording:r,ground:s}=this,{at:i,steps:o}=t;this.scrub.value=String(i),
u(this.scrub,{"aria-valuetext":`step ${i} of ${o}`}),m(this.count,`step ${i.toLocaleString("en")} of ${o.toLocaleString("en")}`),m(this.playing,
t.playing?"❚❚ Pause":"▶ Play"),u(this.said,{"aria-live":t.playing?"off":"polite"}),m(this.said,(i<o?"Next: ":"")+Rr(s,r,i));let a=i<o?
r.node[i]:-1;this.drawAround(a),this.drawStack(),this.drawMade(),this.page.point("now",a<0||!this.shown?[]:[a])}drawAround(e){let{tree:t}=this.
page,r=Math.max(0,e),s=Math.max(0,Math.min(r-Ze,t.size-2*Ze-1)),i=Math.min(t.size,s+2*Ze+1),o=1/0;for(let a=s;a<i;a++)o=Math.min(o,t.depth[a]);
this.around.show("Modules",i-s,a=>{let d=s+a,c=d===e?"▶":this.metAt[d]<this.now.at?"✓":"·",h="  ".repeat(Math.min(ho,t.depth[d]-o)),p=this.
ground.handles.has(d)?" [H]":this.ground.barred.has(d)?" [R]":"";return`${c} ${h}${d===0?"(root)":t.names[d]}${p}`},e-s)}drawStack(){let{recording:e,
now:t}=this,r=Er(e,t.at,Qe),s=t.at>=e.reversing&&e.reversing<e.steps?"Handles listed, taken from the end":"Stack";this.stack.show(`${s}: ${e.
depth[t.at].toLocaleString("en")}`,r.length,i=>r[i]<0?`${Q(this.page.tree,~r[i])}, once its children are done`:Q(this.page.tree,r[i]),0)}drawMade(){
let{recording:e,now:t}=this,r=e.kind==="composable"&&t.at<e.reversing,[s,i]=r?[e.found,e.listed[t.at]]:[e.produced,e.done[t.at]],o=Math.max(
0,i-Qe),a=r?"Handles listed":qe(e.kind).made;this.made.show(`${a}: ${i.toLocaleString("en")} of ${s.length.toLocaleString("en")}`,i-o,d=>`${o+
d}  ${Q(this.page.tree,s[o+d])}`,i-o-1)}},ce=class{element;heading=l("h4");lines;constructor(e,t,r){this.lines=Array.from({length:t},()=>l("\
li")),this.element=l("div",{"data-role":e},this.heading,l("ol",{"aria-label":r},...this.lines))}show(e,t,r,s){m(this.heading,e),this.lines.forEach(
(i,o)=>{i.style.visibility=o<t?"visible":"hidden",o<t&&m(i,r(o)),u(i,{"data-now":o===s&&o<t?"1":null})})}};var po="Select modules (click, Shift+click, arrows; L all alike), then mark them: F fully shard, R replicate, I ignore, U clear. / finds.",uo=[
"tree","plan","run","costs","comparison","focus","rows","scroll","hits","colour","theme","size","changes"],nt=class{constructor(e,t,r){this.
core=e;this.#o=new Oe(e),this.#u=new Fe(e),this.#h=new He(e),this.#p=new Ke(e.status),this.#c=new _e(e.talk,i=>this.#i.silent(i)),this.#i=new Le(
e,this.#c,this.#o,this.#p,()=>B(this.run)),this.#a=new Ae(e.model,this.#p,i=>this.changed(i),this.#S),this.#s=new Ve(i=>ar(i)?this.#v(i):e.act(
i)),this.#n=new De(e,this.#e,this.tell,this.#R),this.#t=new Ce(e,{outline:i=>this.point("now",i),tell:this.tell,command:this.command}),this.
hidden=new Set(this.#u.read().hidden??Kn);let s=xr(e);e.root.after(l("style",{},r)),e.status.before(this.#l),s.tools.append(this.#s.element),
s.tab.replaceChildren(this.#r.element),s.tab.classList.remove("note"),s.tab.before(this.#i.gone);for(let[i,o]of Object.entries(t)){let a=o.slot===
"tab"?this.#r.place(i,o.label):s[o.slot].appendChild(l("div",{"data-panel":i}));this.#m.set(i,{kind:o,place:a,owed:new Set(uo),scrolled:[]})}
s.tools.append(or()),this.#y([]),this.#x(),this.#p.empty&&this.#p.tell(po),e.view.rows.addEventListener("scroll",this.#T),this.#d.observe(e.
root,{attributeFilter:["data-theme"]}),this.#k(),this.#r.open("run")}core;hits=[];hidden;changes=new Ue;#e=new Me;#t;#n;#s;#r=new Ge(()=>this.#E());#i;#a;#l=l(
"div",{class:"detail","data-role":"detail"});#o;#d=new MutationObserver(()=>this.changed("theme","colour"));#c;#h;#u;#p;#m=new Map;#f=new Set;#g=new Set;#b=0;get root(){
return this.core.root}get tree(){return this.core.outline.tree}get plan(){return S(this.tree,this.core.outline.plan)}get run(){return this.#a.
run}get rows(){return this.core.outline.rows}get focus(){return this.core.outline.focus}get focused(){return this.rows[this.focus].node}get selected(){
return X(this.core.outline)}get columns(){return this.#e.columns}get viewport(){let{first:e,page:t,rowHeight:r}=this.core.view.list;return{first:e,
count:t,rowHeight:r}}trait=e=>JSON.parse(String(this.core.model.get(e)||"null"));rowOf=e=>this.core.outline.rowOf(e);colourOf=e=>this.#o.colourOf(
e);kept=e=>this.#u.read()[e];ask=(e,t={})=>this.#c.ask(e,t);command=(e,t={},r=[])=>this.#i.command(e,t,r);tell=e=>this.#p.tell(e);refuse=e=>this.#p.
refuse(e);scrollTo=e=>this.core.view.list.jumpTo(e);point=(e,t)=>this.#o.point(e,t);focusTree=()=>this.core.view.takeFocus();keep=(e,t)=>this.#u.
keep(e,t);label=(e,t)=>this.#r.label(e,t);open=e=>this.#r.open(e);reveal=e=>{e>=0&&this.core.moved(()=>this.core.outline.jump(e)),this.focusTree()};measure=e=>{
this.#e.measure(this.tree.size,e),this.core.view.draw()};hide=e=>{this.hidden=new Set(e),this.keep("hidden",[...this.hidden]),this.#w(),this.
changed("rows")};find=e=>{this.hits=e,this.#o.find(e),this.changed("hits")};paint=e=>{this.#o.paint(e),this.changed("colour")};compact=e=>{this.
keep("compact",e),this.#w(),this.changed("size")};subscribe(e){return this.#f.add(e),()=>this.#f.delete(e)}started(){this.#w(),this.#u.follow()}dress(e,t){
let{outline:r}=this.core;this.#o.dress(e,t),this.changes.dress(e,t,r.tree,r.isOpen(t)),this.#n.dress(e,t)}drawn=()=>this.#h.draw();press(e){
let t=lr(e);return t&&this.#v(t),t!==null||this.#n.press(e)}hear(e){this.#c.hear(),this.#a.hear(e)}changed(...e){for(let t of e)this.#g.add(
t);this.#b||=requestAnimationFrame(()=>this.#M()),e.includes("tree")&&this.#n.follow(),["tree","plan","run"].some(t=>e.includes(t))&&this.#y(
e),e.includes("plan")&&this.#x(),e.includes("rows")&&this.#k(),e.includes("rows")&&!e.includes("plan")&&this.#u.soon()}destroy(){cancelAnimationFrame(
this.#b),this.#a.destroy(),this.core.view.rows.removeEventListener("scroll",this.#T),this.#d.disconnect(),this.#o.destroy(),this.#t.destroy(),
this.#n.destroy(),this.#c.destroy(),this.#u.destroy();for(let{panel:e}of this.#m.values())e?.destroy()}review=e=>{this.changes.since=e,this.
changes.compare(this.tree,this.plan),this.tell(e?this.changes.summary:"Changes are no longer shown."),this.changed("changes"),this.core.view.
draw()};#v(e){e.do==="review"?this.#$():e.do==="boundary"?this.#t.moveSelected(e.way):this.#i.act(e)}#$(){let e=this.changes.since;this.review(
e?null:this.changes.last),e||this.open("changes")}#y(e){let{baselines:t}=this.changes;if(!this.#a)return;e.includes("tree")&&t.forget(),t.plan(
this.plan),(t.run(this.run.id)||!e.includes("run"))&&this.changes.compare(this.tree,this.plan)}#R=e=>{this.open("player"),this.root.dispatchEvent(
new CustomEvent(et,{detail:e}))};#x(){m(this.core.totals,Wn(this.tree.size,this.plan));let{undo:e,redo:t,conflicts:r,findings:s}=this.plan.state,
i=r.length+s.length;this.label("findings",i?`Findings (${i})`:"Findings"),this.#s.enable("undo",e),this.#s.enable("redo",t),this.#p.failing&&
this.#p.tell("The plan has changed.")}#k(){let{tree:e,focused:t}=this.core.outline,r=[Zn(this.core.outline),Re(this.core.outline,t),t.ref<0?
Se(e,t.node):""];m(this.#l,r.filter(Boolean).join(" · "))}#T=()=>{this.#h.draw(),this.changed("scroll")};#S=e=>{this.#e.execution=e,this.core.
view.draw()};#w(){let e=this.columns.filter(({key:t})=>!this.hidden.has(t));this.core.view.show(e,this.kept("compact")===!0),this.#n.show(e),
this.core.view.draw()}#M(){this.#b=0;let e=new Set(this.#g);this.#g.clear();for(let{owed:t}of this.#m.values())for(let r of e)t.add(r);this.#E();
for(let t of this.#f)t(e)}#E(){for(let[e,t]of this.#m){let{place:r,panel:s}=t;if(r.hidden){s?.element.isConnected&&mo(t);continue}if(s&&!s.element.
isConnected&&fo(t),t.owed.size===0)continue;let i=t.owed;t.owed=new Set;try{t.panel??=this.#O(t),t.panel.update(i)}catch(o){this.#m.delete(e),
r.replaceChildren(l("p",{class:"note"},`The panel ${e} failed: ${o}`)),console.error(o)}}}#O({kind:e,place:t}){let r=e.make(this);return t.append(
r.element),r}};function mo(n){let{element:e}=n.panel;n.scrolled=[...e.querySelectorAll("*")].filter(({scrollTop:t})=>t>0).map(t=>[t,t.scrollTop]),
e.remove()}function fo({place:n,panel:e,scrolled:t}){n.append(e.element);for(let[r,s]of t)r.scrollTop=s}var Lr=60,go="Compares the plan with an earlier one, on the rows and here. Key: =",rt=class{constructor(e){this.page=e;this.element=l("div",
{"data-role":"changes-panel"},l("div",{class:"bar"},this.#e,this.#t,this.#n),this.#s,this.#r)}page;element;#e=l("select",{"data-role":"since",
"aria-label":"What changed",change:()=>this.page.review(this.#e.value)},...Object.entries(ze).map(([e,t])=>l("option",{value:e},`what change\
d ${t}`)));#t=w("review","Show on the tree","Show what changed, or stop (=)",()=>this.page.review(this.page.changes.since?null:this.#e.value));#n=l(
"b",{"data-role":"changes-note"});#s=l("ol",{class:"changes","data-role":"changes","aria-label":"Changes",click:e=>this.#d(e)});#r=l("pre",{
"data-role":"changed-code",tabindex:0,"aria-label":"Lines of code that changed"});#i=[];#a=new Map;update(e){if(!["tree","plan","run","chang\
es"].some(i=>e.has(i)))return;let{since:t,difference:r,baselines:s}=this.page.changes;for(let i of this.#e.options)i.disabled=s.of(i.value)===
null;t&&(this.#e.value=t),m(this.#t,t?"Stop (=)":"Show on the tree"),u(this.#t,{"aria-pressed":t!==null}),m(this.#n,t?this.page.changes.summary:
go),this.#i=r?br(this.page.tree,r,this.page.plan):[],this.#a.clear(),this.#s.hidden=this.#i.length===0,this.#s.replaceChildren(...this.#i.slice(
0,Lr).map((i,o)=>l("li",{},this.#l(i,o))),...this.#o()),this.#c(r?.before.state.code)}destroy=()=>{};#l({kind:e,name:t,was:r,is:s,nodes:i},o){
let a=i.length>1?` ×${i.length.toLocaleString("en")}`:"",d=r===s?`${R[s]}, other settings or modules`:`${R[r]} → ${R[s]}`;return l("butto\
n",{type:"button",class:"link","data-change":e,"data-line":o,title:a?"Goes to the next of them":"Goes there"},l("b",{},le[e]),` ${t||"(root)"}${a}`,
l("span",{class:"note"},` ${d}`))}#o(){let e=this.#i.length-Lr;return e>0?[l("li",{class:"note"},`and ${e.toLocaleString("en")} more lines`)]:
[]}#d({target:e}){let t=e.closest("[data-line]")?.dataset.line;if(t===void 0)return;let{nodes:r}=this.#i[Number(t)],s=this.#a.get(Number(t))??
0;this.#a.set(Number(t),(s+1)%r.length),this.page.reveal(r[s]),this.page.tell(`${k(this.page.tree,r[s])||"the root module"}: change ${s+1} o\
f ${r.length}.`)}#c(e){let{gone:t,fresh:r}=e===void 0?{gone:[],fresh:[]}:wr(e,this.page.plan.state.code);this.#r.hidden=t.length+r.length===
0,m(this.#r,[...t.map(s=>`− ${s}`),...r.map(s=>`+ ${s}`)].join(`
`))}};var Cr=`
.headtable { display: block; }
.heads [data-sort] { cursor: pointer; }
.heads [data-sort]:hover { color: var(--ink); text-decoration: underline; }
.heads [aria-sort]:not([aria-sort="none"]) { color: var(--ink); font-weight: 700; }
.heads .play { padding: 0 2px; visibility: hidden; }
.heads :is(:hover, :focus) > .play { visibility: visible; }
.row > .unit:not(:empty) { cursor: ns-resize; user-select: none; touch-action: none; }
[data-dragging] .rows, [data-dragging] .rows * { cursor: ns-resize !important; user-select: none; }
[data-cell="place"] { width: 0; }
.shx { --added: #1a7037; --removed: #b3261e; --changed: #6b4f00; }
.shx[data-theme="dark"] { --added: #6fd08c; --removed: #ff8a80; --changed: #e3c15c; }
[data-change="added"] { --sign: var(--added); }
[data-change="removed"] { --sign: var(--removed); }
[data-change="changed"] { --sign: var(--changed); }
[data-change="follows"] { --sign: var(--soft); }
.main > [data-cell="change"], .main > [data-cell="changes"] { color: var(--sign, var(--soft)); border-color: currentColor; }
.main > [data-cell="change"] { font-weight: 700; }
[data-cell="cut"] { font-weight: 700; }
[data-role="changes-note"] { margin-left: 6px; }
.changes { margin: 6px 0; padding: 0; list-style: none; max-height: 220px; overflow: auto; }
.changes .link { text-decoration: none; text-align: left; }
.changes b { display: inline-block; width: 1.2em; color: var(--sign); }
`;var st=class{constructor(e){this.page=e;let t=(r,s)=>w(r,"Copy","Copy to the clipboard",()=>{bo(s.textContent??"").then(i=>e.tell(i))});this.
element=l("div",{class:"code"},l("p",{},"Last edit: ",this.last," ",t("copy_last",this.last)),l("p",{},"The whole plan: ",t("copy_code",this.
whole)),this.whole)}page;element;last=l("code",{"data-role":"last-code"});whole=l("pre",{"data-role":"code",tabindex:0});update(e){if(!e.has(
"plan"))return;let{state:t}=this.page.plan;m(this.last,t.last||"none yet"),m(this.whole,t.code||"plan = Plan()")}destroy=()=>{}};async function bo(n){
try{return await navigator.clipboard.writeText(n),"Copied."}catch{return"The page may not write to the clipboard: select the text and copy i\
t by hand."}}var Pr=1,rn=16e6,O=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=l("div",t,this.#e),this.view.addEventListener(
"scroll",()=>{cancelAnimationFrame(this.#r),this.#r=requestAnimationFrame(()=>this.paint())}),this.#a.observe(this.view)}rowHeight;make;fill;view;#e=l(
"div",{class:"pad",role:"presentation"});#t=[];#n=[];#s=0;#r=0;#i=0;#a=new ResizeObserver(()=>this.paint());get page(){return Math.max(1,Math.
floor(this.view.clientHeight/this.rowHeight))}get first(){return this.view.scrollTop*this.#l/this.rowHeight}jumpTo(e){this.view.scrollTop=e*
this.rowHeight/this.#l}get#l(){let e=this.#s*this.rowHeight,{clientHeight:t}=this.view;return e<=rn?1:(e-t)/(rn-t)}show(e,t=-1,r=0){this.#s=
e,this.#e.style.height=`${Math.min(rn,e*this.rowHeight)}px`,this.#n.fill(-1);let s=this.view.clientHeight/this.rowHeight;t>=0&&t<this.first+
r?this.jumpTo(Math.max(0,t-r)):s>0&&t+1>this.first+s&&this.jumpTo(t+1-s),this.paint()}paint(){let e=Math.min(this.#s,this.page+1+2*Pr),t=Math.
max(0,Math.floor(this.first)-Pr),r=Math.min(this.#s,t+e),s=this.view.scrollTop*(1-this.#l);for(;this.#t.length<e;)this.#o();s!==this.#i&&this.#n.
fill(-1),this.#i=s;for(let i=t;i<t+this.#t.length;i++){let o=i%this.#t.length,a=this.#t[o];a.hidden=i>=r,!(a.hidden||this.#n[o]===i)&&(this.#n[o]=
i,a.style.transform=`translateY(${i*this.rowHeight+s}px)`,this.fill(a,i))}}elementOf(e){return this.#t.find((t,r)=>this.#n[r]===e&&!t.hidden)}destroy(){
this.#a.disconnect(),cancelAnimationFrame(this.#r)}#o(){let e=this.make(this.#t.length);this.#t.push(e),this.#e.append(e),this.#n=this.#t.map(
()=>-1)}};var sn=[{key:"init_composable",sign:"I₁",label:"I₁ composable init"},{key:"init_wrapper",sign:"I₂",label:"I₂ wrapper init"},{key:"ha\
ndles",sign:"H",label:"H get_handles"},{key:"forward",sign:"X→",label:"X→ gathered in the forward pass"},{key:"backward",sign:"X←",label:"\
X← gathered in the backward pass"},{key:"modules",sign:"#",label:"# modules(), left to right"},{key:"rightToLeft",sign:"#R",label:"#R righ\
t to left"}],on=n=>sn.find(e=>e.key===n),Ar=n=>Object.keys(n.state.orders).filter(e=>e.startsWith("handles:")).map(e=>e.slice(8));function _r(n,e,t,r,s=""){
if(n==="modules"||n==="rightToLeft")return wo(e,n);let i=new Map(t.state.units.map(a=>[a.fqns[0],a.index])),o=a=>i.get(a)??M(e,a);return n===
"forward"||n==="backward"?vo(r,n==="forward"?"F":"B").map(o).filter(a=>a>=0):(t.state.orders[s?`${n}:${s}`:n]??[]).map(o)}function wo(n,e){return[
...Qt({tree:n,handles:new Set,barred:new Set,starts:[0]},e)].filter(r=>r.produces).map(r=>r.node)}function vo(n,e){let{events:t=[]}=n,r=t.filter(
([s,i])=>s===e&&i==="U").map(([,,s])=>s);return[...new Set(r)]}var W=class{constructor(e){this.root=e;this.probe.hidden=!0}root;known=new Map;probe=document.createElement("i");of(e){let t=this.known.get(
e);if(t)return t;this.root.append(this.probe),this.probe.style.color=e;let r=getComputedStyle(this.probe).color;return this.probe.remove(),this.
known.set(e,r),r}forget=()=>this.known.clear()};function ee(n,e,t){let r=devicePixelRatio||1,[s,i]=[Math.max(1,Math.round(e*r)),Math.max(1,Math.
round(t*r))];(n.width!==s||n.height!==i)&&([n.width,n.height]=[s,i]),Object.assign(n.style,{width:`${e}px`,height:`${t}px`});let o=n.getContext(
"2d");return o.setTransform(r,0,0,r,0,0),o.clearRect(0,0,e,t),o}function an(n,e){let t=Ir(n,e),r=Math.max(n.length,e.length),s=0;for(let i=0;i<r;i++)n[i]!==e[i]&&s++;return{left:n,right:e,rightOf:t,leftOf:Ir(
e,n),places:r,differ:s,crossings:yo(t,e.length)}}function Ir(n,e){let t=new Map(e.map((r,s)=>[r,s]));return Int32Array.from(n,r=>t.get(r)??-1)}
function yo(n,e){let t=new Int32Array(e+1),r=0,s=0;for(let i of n){if(i<0)continue;let o=0;for(let a=i+1;a>0;a-=a&-a)o+=t[a];r+=s++-o;for(let a=i+
1;a<=e;a+=a&-a)t[a]++}return r}function Hr({rightOf:n,leftOf:e},t,r){let s=new Map;for(let i=Math.max(0,t);i<r;i++)i<n.length&&n[i]>=0&&s.set(
i,{from:i,to:n[i]}),i<e.length&&e[i]>=0&&s.set(e[i],{from:e[i],to:i});return[...s.values()].sort((i,o)=>i.from-o.from)}function Nr(n,e,{places:t,
differ:r,crossings:s}){let i=`${n} vs ${e}: ${r.toLocaleString("en")} of ${t.toLocaleString("en")} differ`;return s?`${i}, ${s.toLocaleString(
"en")} crossing${s===1?"":"s"}`:i}var he=22,xo=12,ko=an([],[]),it=class{constructor(e){this.page=e;this.palette=new W(e.root);let t={class:"compare-rows",role:"grid",tabindex:0,
"aria-label":"Two orders side by side"};this.list=new O(he,t,Eo,(i,o)=>this.fill(i,o));let{view:r}=this.list;r.append(this.canvas),r.addEventListener(
"scroll",()=>this.drawSoon()),r.addEventListener("click",i=>this.click(i)),r.addEventListener("keydown",i=>this.press(i));let s=l("div",{class:"\
compare","data-role":"compare"},l("div",{class:"bar"},this.left,l("span",{},"vs"),this.right,this.root,this.title),l("p",{class:"note"},"Box\
ed places differ; lines join the two places of one module. Arrows move, Enter shows the module in the tree."),r);this.curtain=new F(s,i=>i&&
this.repaint()),this.element=this.curtain.element}page;element;curtain;left=this.chooser("left","init_composable");right=this.chooser("right",
"init_wrapper");root=l("select",{"data-role":"compare-root","aria-label":"Local root",change:()=>this.pair()});title=l("b",{"data-role":"com\
pare-note"});list;canvas=l("canvas",{class:"connectors","aria-hidden":"true"});pairing=ko;at={place:0,side:0};frame=0;palette;update(e){e.has(
"theme")&&this.palette.forget(),["tree","plan","run"].some(t=>e.has(t))?this.pair():(e.has("theme")||e.has("size"))&&this.repaint()}destroy(){
cancelAnimationFrame(this.frame),this.curtain.destroy(),this.list.destroy()}chooser(e,t){let r=sn.map(({key:s,label:i})=>l("option",{value:s,
...s===t?{selected:""}:{}},i));return l("select",{"data-role":`compare-${e}`,"aria-label":`Order on the ${e}`,change:()=>this.pair()},...r)}pair(){
let{tree:e,plan:t,run:r}=this.page;this.offerRoots();let s=a=>_r(a.value,e,t,r,this.root.value);this.pairing=an(s(this.left),s(this.right));
let[i,o]=[on(this.left.value).sign,on(this.right.value).sign];m(this.title,this.pairing.places?Nr(i,o,this.pairing):"Neither order exists ye\
t: mark a module, or run the plan."),this.at={place:Math.min(this.at.place,Math.max(0,this.pairing.places-1)),side:this.at.side},this.repaint()}offerRoots(){
let e=Ar(this.page.plan),t=this.root.value;this.root.replaceChildren(l("option",{value:""},"from the root"),...e.slice(0,50).map(r=>l("optio\
n",{value:r},`from ${r}`))),this.root.value=e.includes(t)?t:"",this.root.hidden=e.length===0}repaint(){let{places:e}=this.pairing;this.list.
view.style.height=`${Math.min(Math.max(e,1),xo)*he}px`,u(this.list.view,{"aria-rowcount":e}),this.list.show(e),this.point(),this.drawSoon()}fill(e,t){
let[r,s,i]=e.children;m(r,String(t)),u(e,{"aria-rowindex":t+1,"data-place":t});let o=this.pairing.left[t]!==this.pairing.right[t];this.fillCell(
s,t,0,o),this.fillCell(i,t,1,o)}fillCell(e,t,r,s){let i=(r?this.pairing.right:this.pairing.left)[t],o=i===void 0?-1:(r?this.pairing.leftOf:this.
pairing.rightOf)[t],a=i===void 0?"":k(this.page.tree,i)||"(root)";m(e,a),u(e,{"data-node":i??null,"data-differs":s&&i!==void 0?"1":null,"dat\
a-now":this.at.place===t&&this.at.side===r?"1":null,title:a||null,"aria-label":i===void 0?"nothing":`${a}, place ${t}${s?`, on the other sid\
e ${o<0?"missing":`place ${o}`}`:", the same on both sides"}`})}click(e){let t=e.target.closest("[data-side]"),r=t?.closest("[data-place]");
!t||!r||(this.move(Number(r.dataset.place),Number(t.dataset.side)),t.dataset.node!==void 0&&this.page.reveal(Number(t.dataset.node)))}press(e){
let{place:t,side:r}=this.at,s=this.list.page-1,i={ArrowDown:1,ArrowUp:-1,PageDown:s,PageUp:-s,Home:-t,End:this.pairing.places};if(e.key in i)
this.move(t+i[e.key],r);else if(e.key==="ArrowLeft"||e.key==="ArrowRight")this.move(t,e.key==="ArrowLeft"?0:1);else if(e.key==="Enter")this.
enter();else return;e.preventDefault()}enter(){let e=(this.at.side?this.pairing.right:this.pairing.left)[this.at.place];e!==void 0&&this.page.
reveal(e)}move(e,t){this.at={place:Math.max(0,Math.min(this.pairing.places-1,e)),side:t},this.list.show(this.pairing.places,this.at.place),this.
point(),this.drawSoon()}point(){let e=this.list.elementOf(this.at.place);u(this.list.view,{"aria-activedescendant":e?.children[1+this.at.side].
id??null})}drawSoon(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())}draw(){let{view:e}=this.list,t=e.querySelector(
"[data-place]:not([hidden])");if(!t||e.clientHeight===0)return;let[r,s]=[t.children[1],t.children[2]],i=r.offsetLeft+r.offsetWidth,o=s.offsetLeft-
i,a=e.clientHeight;Object.assign(this.canvas.style,{left:`${i}px`,top:`${e.scrollTop}px`}),this.drawLines(ee(this.canvas,o,a),o,e.scrollTop,
a)}drawLines(e,t,r,s){let[i,o,a]=["--soft","--replicate","--ring"].map(h=>this.palette.of(`var(${h})`)),d=h=>(h+.5)*he-r,c=Math.floor(r/he);
for(let{from:h,to:p}of Hr(this.pairing,c,Math.ceil((r+s)/he))){let f=(this.at.side?p:h)===this.at.place;e.strokeStyle=f?a:h===p?i:o,e.lineWidth=
f?2.5:h===p?1:1.5,e.beginPath(),e.moveTo(0,d(h)),e.lineTo(t,d(p)),e.stroke()}}},To=0;function Eo(){let n=e=>l("span",{role:"gridcell","data-\
side":e,id:`compare-cell-${To++}`});return l("div",{class:"compare-row",role:"row"},l("span",{role:"rowheader"}),n(0),n(1))}var zr=`
.compare select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px \
4px; max-width: 100%; }
.compare p { margin: 4px 0; }
.compare-rows { position: relative; overflow: auto; contain: strict; scrollbar-gutter: stable; border: 1px solid var(--line); border-radius:\
 4px; }
.compare-row { position: absolute; left: 0; right: 0; height: 22px; line-height: 20px; display: grid; column-gap: 8px; padding-right: 8px;
  grid-template-columns: 36px minmax(0, 1fr) clamp(32px, 16cqw, 160px) minmax(0, 1fr); font-family: var(--mono); font-size: 12px; }
.compare-row > :first-child { color: var(--soft); text-align: right; }
.compare-row [data-side] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 4px; margin: 1px 0; cursor: pointer; b\
order-radius: 3px; }
.compare-row [data-side="1"] { grid-column: 4; }
.compare-row [data-now] { background: var(--chosen); }
.compare-rows:focus .compare-row [data-now] { outline: 2px solid var(--ring); outline-offset: -2px; }
.connectors { position: absolute; pointer-events: none; }
`;var Br=`
.bar { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; }
.gap { width: 8px; }
button, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px 8p\
x; }
button { cursor: pointer; }
button:hover:enabled { border-color: var(--ring); }
button:disabled { opacity: .5; cursor: default; }
button:not(.bare) > [data-cell] { margin-right: 5px; }
button.link { background: none; border: 0; padding: 0 4px 0 0; color: var(--ring); text-decoration: underline; font-family: var(--mono); }
input { width: 64px; }
.slot.tools { display: flex; flex-wrap: wrap; gap: 5px 16px; padding-bottom: 5px; align-items: center; }
.slot.tools > .bar, .slot.tools > .legend { flex: 1 0 100%; }
[data-panel="finder"] { flex: 1 1 420px; min-width: 0; }
.finder { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; }
.finder input { flex: 1 1 260px; width: auto; min-width: 0; max-width: 620px; font-family: var(--mono); font-size: 12px; }
[data-role="found"] { color: var(--soft); font-size: 12px; }
[data-count="0"] > .bar { display: none; }
button > [data-cell] { vertical-align: middle; }
button > .empty { background: none !important; border: 1.5px dotted var(--soft); }
select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
[type="checkbox"] { width: auto; margin: 0 2px; vertical-align: -2px; }
.appearance { gap: 4px 14px; font-size: 12px; color: var(--soft); }
.scale { display: inline-flex; border: 1px solid var(--line); border-radius: 3px; overflow: hidden; font: 11px/18px var(--mono); }
.scale span { padding: 0 7px; }
.menu { position: relative; }
.menu summary { cursor: pointer; }
.sheet { position: absolute; z-index: 3; top: 100%; right: 0; display: grid; grid-template-columns: auto auto; gap: 2px 14px; padding: 6px 1\
0px; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; box-shadow: 0 3px 10px #0004; white-spa\
ce: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 12px; color: var(--soft); font-size: 12px; }
.key { display: inline-flex; align-items: center; gap: 4px; }
.key b { color: var(--ink); }
.row[data-hit="on"] [data-cell="name"] { background: var(--find); border-radius: 2px; }
.row[data-hit="in"] [data-cell="fold"] { background: var(--find); border-radius: 2px; }
.row[data-live] { box-shadow: inset 0 0 0 1px var(--hue); }
.row[data-now] { outline: 2px dashed var(--ring); outline-offset: -2px; }
.row[data-refused] { background: var(--bad-paper); box-shadow: inset 0 0 0 1px var(--bad); animation: back .3s; }
.row[data-pending] [data-cell="swatch"] { outline: 1px dashed var(--ink); outline-offset: 1px; }
.row[data-dim] { opacity: .45; }
@keyframes back { from { background: var(--bad); } }
[data-waiting] .status::after { content: " …"; }
.tabs { display: flex; flex-wrap: wrap; gap: 2px; border-bottom: 1px solid var(--line); margin-bottom: 8px; }
.tabs button { border: 0; border-radius: 4px 4px 0 0; background: none; padding: 4px 12px; color: var(--soft); }
.tabs button[aria-selected="true"] { color: var(--ink); box-shadow: inset 0 -2px var(--ring); font-weight: 600; }
pre { margin: 4px 0; max-height: 220px; overflow: auto; font: 12px/1.4 var(--mono); background: var(--raised); padding: 6px 8px; border-radi\
us: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
.error pre { background: none; padding: 0; }
code { font-family: var(--mono); }
.order-rows { position: relative; overflow: auto; contain: strict; scrollbar-gutter: stable; }
.code p { margin: 4px 0; }
.order { display: grid; grid-template-columns: 44px repeat(4, minmax(0, 1fr)); gap: 8px; line-height: 22px; font-family: var(--mono); font-s\
ize: 12px; }
.order-rows .order { position: absolute; left: 0; right: 0; height: 22px; }
.order-heads { color: var(--soft); border-bottom: 1px solid var(--line); overflow: hidden; scrollbar-gutter: stable; }
.order span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; cursor: pointer; }
.order > span:first-child { color: var(--soft); text-align: right; cursor: default; }
[data-differs] { box-shadow: inset 0 0 0 1px var(--replicate); border-radius: 3px; padding: 0 3px; }
.remarks { margin: 0; padding: 0; list-style: none; max-height: 260px; overflow: auto; }
.remarks li { border-left: 3px solid var(--line); padding: 2px 8px; margin-bottom: 6px; }
.remarks li[data-severity="conflict"], .remarks li[data-severity="error"] { border-color: var(--bad); }
.remarks p { margin: 1px 0; }
progress { width: 140px; accent-color: var(--shard); }
[data-role="losses"] { margin: 6px 0; font-variant-numeric: tabular-nums; }
.chart { display: grid; grid-template: 45px 45px auto / auto 1fr; column-gap: 6px; max-width: 640px; color: var(--soft); font-size: 11px; }
.chart span:nth-child(2) { align-self: end; grid-area: 2 / 1; }
.chart svg { grid-area: 1 / 2 / 3 / 3; width: 100%; height: 90px; border-left: 1px solid var(--line); border-bottom: 1px solid var(--line); \
}
.chart small { grid-area: 3 / 2; }
path { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2; stroke: var(--shard); }
path.reference { stroke: var(--replicate); stroke-width: 4; stroke-dasharray: 0.1 7; stroke-linecap: round; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
`;var dn=[["flat","This project's engine"],["torch","torch's FSDP2"],["ddp","torch's DistributedDataParallel"],["fsdp1","torch's FullyShardedD\
ataParallel"]],cn=({phase:n})=>n==="starting"||n==="running";function Ur(n){let{phase:e,doing:t,done:r,total:s,nprocs:i,backend:o,devices:a,
seconds:d}=n;return cn(n)?`${t}: ${y(r)} of ${y(s)}`:e==="done"?`Done in ${d.toFixed(1)} s on ${i} workers over ${o} (${a}).`:e==="stopped"?
"Stopped.":"Failed."}var ln=n=>e=>{let[,t,r]=e.collectives.find(([s])=>s===n)??[n,0,0];return e.outcome!=="ran"?"-":t?`${y(t)}, ${b(r)}`:"0"},
Fr=[{title:"engine",hint:"What trained; none is the unsharded model",text:n=>n.engine,left:!0},{title:"loss apart",hint:"Largest distance of\
 any rank's loss in any step from the unsharded model's",text:$o},{title:"step time",hint:"As a multiple of the first engine's: median of th\
e rounds, and their middle half",text:Ro,left:!0},{title:"peak a rank",hint:"Most bytes of tensors alive in a step, on the rank that holds m\
ost",text:So},{title:"all-gathers",hint:"In a step, with the bytes they fill",text:ln("all_gather")},{title:"reduce-scatters",hint:"In a ste\
p, with the bytes they read",text:ln("reduce_scatter")},{title:"all-reduces",hint:"In a step, with the bytes they average",text:ln("all_redu\
ce")},{title:"",hint:"What the numbers do not say",text:Mo,left:!0}];function $o({engine:n,outcome:e,loss_difference:t}){return e!=="ran"?e:
n==="none"?"reference":t===null?"-":t===0?"0":t.toExponential(1)}function Ro({ratio:n}){return n===null?"-":`${n[0].toFixed(2)} (${n[1].toFixed(
2)}-${n[2].toFixed(2)})`}function So({peak_nbytes:n}){return n.length?b(Math.max(...n)):"-"}function Mo({why:n,remarks:e}){return[n,...e].filter(
t=>t).join("; ")}var x=(n,e,t)=>({title:n,hint:e,text:r=>t(r)?b(t(r)):"0"}),K=(n,e,t)=>({title:n,hint:e,text:r=>y(t(r))}),A=(n,e,t)=>({title:n,hint:e,text:t,
left:!0});function Oo(n){return n.map(([e,t,r])=>{let s=e+Math.floor((t-1-e)/r)*r;return s===e?`u${e}`:`u${e}–${s}${r>1?` by ${r}`:""}`}).
join(", ")}var Wr=[A("unit","Number of the unit, or of all units that cost the same",n=>Oo(n.runs)),A("first module","Its module, or that of\
 the first of them",n=>n.fqn||"(root)"),K("×","How many units cost the same",n=>n.times),K("elements","Parameters of one of them",n=>n.numel),
A("held","How its parameters are held, over how many ranks",Lo),x("whole","Bytes of its parameters while they are gathered",n=>n.unsharded_nbytes),
x("a rank","Bytes that a rank keeps between steps",n=>n.shard_nbytes),{title:"waste",hint:"Padding, as a share of the parameters",text:n=>re(
n.waste)},K("empty","Ranks that keep nothing of it",n=>n.empty_ranks),x("gathered","Bytes of one all-gather",n=>n.all_gather_nbytes),x("redu\
ced","Bytes of one reduce-scatter",n=>n.reduce_scatter_nbytes),x("averaged","Bytes of one all-reduce",n=>n.all_reduce_nbytes),K("calls","Col\
lectives of one of them in a step",n=>n.collectives),x("sent","Bytes a rank sends for one of them in a step, if the ring is used",n=>n.sent_nbytes),
A("after forward","Whether it frees what it gathered after its forward, and why",n=>`${n.frees_after_forward?"frees":"keeps"}: ${n.reason}`)];
function Lo(n){let e=n.num_copies>1&&n.num_shards>1?` ×${n.num_copies}`:"";return n.num_shards>1?`${n.in_effect} /${n.num_shards}${e}`:n.in_effect}
var Dr=[A("ranks","Ranks that keep the same",({ranks:[n,e]})=>n===e?`${n}`:`${n}–${e}`),x("parameters","Bytes of parameters between steps",
n=>n.parameters),x("padding","Of them, padding",n=>n.padding),x("gradients","Bytes of gradients",n=>n.gradients),x("optimizer","Bytes of the\
 optimizer's states",n=>Object.values(n.optimizer).reduce((e,t)=>e+t,0)),x("buffers","Bytes of buffers",n=>n.buffers),x("buckets","Bytes of \
replicate groups' buckets",n=>n.buckets),x("offloaded","Bytes kept on the CPU instead",n=>n.offloaded),x("total","All of it",n=>n.total)],jr=[
A("collective","What the ranks do together",n=>n.kind.replaceAll("_","-")),A("phase","When",n=>n.phase),K("a step","How many in a step",n=>n.
count),x("bytes","Of all of them together, whole buffers",n=>n.nbytes),x("largest","Of the largest one",n=>n.largest_nbytes),K("small","How \
many carry less than 1 MiB",n=>n.small),x("sent","Bytes a rank sends, if the ring is used",n=>n.sent_nbytes)],Kr=[A("replicate group","The r\
eplicated module",n=>n.fqn||"(root)"),K("elements","Its parameters",n=>n.numel),x("a rank","Bytes that every rank keeps",n=>n.nbytes),A("buc\
kets","All-reduces of its gradients in a step",n=>n.buckets.map(b).join(", ")||"none")],Gr=(n,e)=>n.map(({title:t,text:r})=>`${t} ${r(e)}`).
join(", ");function hn({world_size:n,mesh_shape:e,optimizer:t,engine:r,strategy:s,mixed_precision:i,accumulation_steps:o}){let a=`${y(n)} ra\
nk${n===1?"":"s"}${e.length>1?` as ${e.join(" × ")}`:""}`,d=o>1?`, ${o} forwards and backwards a step`:"";return`${a}, ${s??"each unit's ow\
n strategy"}, ${pn(i)}, ${t}, ${r} engine${d}`}function pn(n){if(n===null)return"each unit's own precision";let{param_dtype:e,reduce_dtype:t,
...r}=n;return[...[e??"parameters as they are",t&&t!==e?`reduced in ${t}`:""].filter(Boolean),...Object.entries(r).map(([i,o])=>`${i} ${o}`)].
join(", ")}function Vr(n){let e=n.trim().split(/\s*[x×*,]\s*|\s+/),t=e.map(Number);return e.length<=2&&e[0]!==""&&t.every(r=>Number.isInteger(
r)&&r>=1)?t:`${JSON.stringify(n)} is no mesh: give the number of ranks (8), or replicate x shard (2x4)`}var qr=20,Co=400,Po=52,Jr="  ",Ao=0,_=class{constructor(e,t,r,s,i){this.columns=r;this.seen=s;this.enter=i;let o={class:"table-rows",role:"l\
istbox",tabindex:0,"aria-label":t},a=Ao++;this.list=new O(qr,o,d=>l("div",{class:"table-row",role:"option",id:`table-${a}-${d}`}),(d,c)=>this.
fill(d,c)),this.list.view.prepend(this.head),this.list.view.addEventListener("click",d=>this.click(d)),this.list.view.addEventListener("keyd\
own",d=>this.press(d)),u(this.head,{title:r.map(({title:d,hint:c})=>`${d}: ${c}`).join(`
`)}),this.element=l("div",{class:"table","data-role":e},this.list.view)}columns;seen;enter;element;list;head=l("div",{class:"table-head","ar\
ia-hidden":"true"});rows=[];widths=[];at=0;show(e){this.rows=e,this.widths=this.columns.map(t=>this.widthOf(t)),m(this.head,this.line(t=>t.title)),
this.at=Math.min(this.at,Math.max(0,e.length-1)),this.list.view.style.height=`${(Math.min(e.length,this.seen)+1)*qr+14}px`,this.list.view.style.
setProperty("--table-width",`${this.widths.reduce((t,r)=>t+r+Jr.length,0)}ch`),this.move(this.at)}repaint=()=>this.move(this.at);destroy=()=>this.
list.destroy();widthOf(e){let t=[...this.rows.slice(0,Co),...this.rows.slice(-1)];return Math.min(Po,t.reduce((r,s)=>Math.max(r,e.text(s).length),
e.title.length))}line(e){return this.columns.map((t,r)=>{let s=this.widths[r],i=e(t),o=i.length>s?`${i.slice(0,s-1)}…`:i;return t.left?o.padEnd(
s):o.padStart(s)}).join(Jr).trimEnd()}fill(e,t){let r=this.rows[t],s=Gr(this.columns,r);m(e,this.line(i=>i.text(r))),u(e,{"data-row":t,title:s,
"aria-posinset":t+1,"aria-setsize":this.rows.length,"aria-selected":t===this.at})}click(e){let t=e.target.closest("[data-row]");t&&(this.move(
Number(t.dataset.row)),this.enter?.(this.rows[this.at]))}press(e){let t=Math.max(1,this.seen-1),r={ArrowDown:1,ArrowUp:-1,PageDown:t,PageUp:-t,
Home:-this.rows.length,End:this.rows.length};if(e.key in r)this.move(this.at+r[e.key]);else if(e.key==="Enter"&&this.rows.length)this.enter?.(
this.rows[this.at]);else return;e.preventDefault()}move(e){this.at=Math.max(0,Math.min(this.rows.length-1,e)),this.list.show(this.rows.length,
this.at),u(this.list.view,{"aria-activedescendant":this.list.elementOf(this.at)?.id??null})}};var ot=class{constructor(e){this.page=e;let t=this.#n.map((s,i)=>l("label",{},s,` ${dn[i][0]}`)),r=l("div",{class:"bar"},l("label",{},"worke\
rs ",this.#e),l("label",{},"steps ",this.#t),...t,this.#s,this.#r,this.#i,this.#a);this.element=l("div",{class:"engines","data-role":"engine\
s"},r,this.#l,this.#o.element),this.#h()}page;element;#e=l("input",{type:"number",min:1,max:64,value:2,"data-role":"engines-nprocs"});#t=l("\
input",{type:"number",min:1,max:1e5,value:5,"data-role":"engines-steps"});#n=dn.map(([e,t],r)=>l("input",{type:"checkbox","data-engine":e,title:t,
...r<2?{checked:""}:{}}));#s=w("compare","Compare","Train this plan on each engine, beside the unsharded model",()=>{this.#c()});#r=w("stop_\
compare","■ Stop","End the workers",()=>{this.page.command("stop")});#i=l("progress",{max:1,value:0,"data-role":"engines-progress","aria-l\
abel":"Progress of the comparison"});#a=l("span",{"data-role":"engines-phase","aria-live":"polite"});#l=l("div",{class:"error","data-role":"\
engines-error",role:"alert"});#o=new _("engines-table","Engines side by side",Fr,6);#d=!1;update(e){(e.has("comparison")||e.has("size"))&&this.#h()}destroy(){
this.#o.destroy()}async#c(){this.#d=!0,this.#h();let e=this.#n.filter(({checked:t})=>t).map(t=>t.dataset.engine);await this.page.command("co\
mpare",{nprocs:Number(this.#e.value),steps:Number(this.#t.value),engines:e}),this.#d=!1,this.#h()}#h(){let e=this.page.trait("comparison"),t=e!==
null&&cn(e);this.#s.disabled=t||this.#d,this.#r.disabled=!t,this.#i.hidden=!t,this.#l.hidden=!e?.error,this.#o.element.hidden=!e?.rows.length,
m(this.#a,e?Ur(e):"Not compared yet."),e&&(u(this.#i,{max:e.total||1,value:e.done}),e.error&&this.#l.replaceChildren(l("b",{},e.error.title),
l("pre",{},e.error.detail)),e.rows.length&&this.#o.show(e.rows))}};function te(n){let e=new RegExp(`^(?:${n.split(".").map(Zr).join("\\.")})$`,"s");return t=>e.test(t)}function Xr(n){return n.split(".").map(
e=>{if(e==="**")return null;let t=new RegExp(`^(?:${Zr(e)})$`,"s"),r=new Map;return s=>{let i=r.get(s)??t.test(s);return r.set(s,i),i}})}function Zr(n){
return n.replace(/\*\*|\*|\?|\[([^\]][^\]]*)\]|[\s\S]/g,(e,t)=>t!==void 0?`[${t.replace(/[\\\]^-]/g,"\\$&")}]`:{"**":".*","*":"[^.]*","?":"[\
^.]"}[e]??e.replace(/[\\^$.*+?()[\]{}|/]/g,"\\$&"))}function Qr(n,e,t){let r=new Int32Array(n.size);r[0]=es(e,1);let s=1<<e.length;for(let i=!0;i;){
i=!1;for(let o=1;o<n.size;o++)r[o]|=Yr(e,r[n.parent[o]],n.names[o]);for(let[o,a,d,c]of n.refs){let h=c==="shared"?Yr(e,r[o],a):0;(h|r[d])!==
r[d]&&(i=!0),r[d]|=h}}for(let i=1;i<n.size;i++)r[i]&s&&(t[i]=1)}function Yr(n,e,t){if(e===0)return 0;let r=0;for(let s=0;s<n.length;s++){if(!(e&
1<<s))continue;let i=n[s];i===null?r|=1<<s|(s===n.length-1?1<<s+1:0):i(t)&&(r|=1<<s+1)}return es(n,r)}function es(n,e){for(let t=0;t<n.length-
1;t++)n[t]===null&&e&1<<t&&(e|=1<<t+1);return e}var G=class extends Error{constructor(t,r){super(t?`${t}: ${r}`:r);this.part=t}part},ts=["name","type","unit","status","finding","conflict"],
_o=["tied","frozen","shared"],Io={"":1,K:1e3,M:1e6,B:1e9,T:1e12},Ho=["unmanaged","fully_shard","in_unit","replicate","replicated","ignored",
"in_ignored"],is=/(\[[^\]]+\])/,No=/\s*(>=|<=|>|<|=)\s*/g,zo=/(?:\[[^\]]+\]|[^,\s])+|,/g,os=/^([^<>=]*)(>=|<=|>|<|=)(\d+(?:\.\d+)?)([KMBT]?)$/i;
function Bo(n){let e=n.split(is).map((r,s)=>s%2?r:r.replace(No,"$1")).join(""),t=[[]];for(let r of e.match(zo)??[])r!==","?t[t.length-1].push(
Uo(r)):t.push([]);if(t.length===1&&t[0].length===0)throw new G("","it says nothing");if(t.some(r=>r.length===0))throw new G("","an alternati\
ve is empty");return t}function Uo(n){let e=n.startsWith("!"),t=e?n.slice(1):n,r=t.split(is).filter((a,d)=>d%2===0).join("");if(_o.includes(
t))return{kind:t,text:"",negated:e};if(/[<>=]/.test(r)){let a=os.exec(t);if(!a||!["params","own"].includes(a[1]))throw new G(n,"a comparison\
 is params or own, a sign, and a number such as 10M");return{kind:a[1],text:t.slice(a[1].length),negated:e}}let s=r.includes(":")?t.indexOf(
":"):-1,i=s<0?"name":t.slice(0,s),o=t.slice(s+1);if(!ts.includes(i))throw new G(n,`no such kind; known are ${ts.join(", ")}`);if(!o||o.startsWith(
"!"))throw new G(n,"something is missing");return{kind:i,text:o,negated:e}}function as(n,e,t){let r=new Uint8Array(n.size);for(let i of Bo(t)){
let o=new Uint8Array(n.size).fill(1);for(let a of i){let d=new Uint8Array(n.size);Fo[a.kind](n,e,a.text,d);for(let c=0;c<n.size;c++)d[c]===(a.
negated?1:0)&&(o[c]=0)}for(let a=0;a<n.size;a++)r[a]|=o[a]}let s=[];for(let i=0;i<n.size;i++)r[i]&&s.push(i);return s}var at=n=>(e,t,r,s)=>{
let i=e.classes.map((o,a)=>n(e,a,r));for(let o=0;o<e.size;o++)s[o]=Number(i[e.cls[o]])},ns=n=>(e,{state:t},r,s)=>{let i=te(r);for(let{kind:o,
indices:a}of t[n])if(i(o))for(let d of a)s[d]=1},rs=n=>at((e,t)=>e.classes[t][1].some(([,,,r])=>!r.includes("b")&&n.test(r))),Fo={name:(n,e,t,r)=>{
let s=t==="."?0:M(n,t);s>=0?r[s]=1:Qr(n,Xr(t),r)},type:at((n,e,t)=>{let[r]=n.classes[e];return te(t)(r)||te(t)(r.slice(r.lastIndexOf(".")+1))}),
unit:(n,e,t,r)=>{let s=te(/^\d+$/.test(t)?`u${t}`:t),i=e.state.units.map(({n:o})=>s(`u${o}`));for(let o=0;o<n.size;o++)r[o]=Number(e.unitOf[o]>=
0&&i[e.unitOf[o]])},status:(n,e,t,r)=>{let s=te(t),i=Ho.map((o,a)=>t===g[a]||s(o));for(let o=0;o<n.size;o++)r[o]=Number(i[e.status[o]])},finding:ns(
"findings"),conflict:ns("conflicts"),params:at((n,e,t)=>ss(n.total[e],t)),own:at((n,e,t)=>ss(n.own[e],t)),tied:rs(/[ts]/),frozen:rs(/f/),shared:(n,e,t,r)=>{
for(let[,,s,i]of n.refs)i==="shared"&&(r[s]=1)}};function ss(n,e){let[,,t,r,s]=os.exec(e),i=Number(r)*Io[s.toUpperCase()];return{">=":n>=i,"\
<=":n<=i,">":n>i,"<":n<i,"=":n===i}[t]}var Wo="find: layers.*  type:Block  params>10M  tied",lt=class{constructor(e){this.page=e;for(let t of this.#s)t.dataset.cmd=`found_${t.dataset.
cmd}`;this.element=l("div",{class:"finder",role:"search"},this.#e,...this.#n,this.#t,l("span",{class:"bar"},...this.#s)),this.#a("",0)}page;element;#e=l(
"input",{type:"search","data-role":"find",placeholder:Wo,"aria-label":"Find or select modules",spellcheck:"false",title:"Also unit:u7, findi\
ng:*. Blanks mean and, commas or, ! not; * stays between dots, ** crosses them. Enter: next find; Escape: back to the tree. Key: /",input:()=>this.#i(),
keydown:e=>this.#d(e)});#t=l("span",{"data-role":"found",role:"status"});#n=[w("find_prev","↑","Previous find (Shift+Enter)",()=>this.#o(-1)),
w("find_next","↓","Next find (Enter)",()=>this.#o(1))];#s=kr.map(e=>qt(e,"",`${Do[e]} all that was found`,()=>this.#l(e)));#r="";update(e){
this.#e.value&&(e.has("plan")||e.has("tree"))&&this.#i()}destroy=()=>{};#i(){let e=this.#e.value.trim(),t=[],r="";this.#r="";try{e&&(t=as(this.
page.tree,this.page.plan,e)),this.#r=t.length?e:"",e&&!t.length&&(t=jo(this.page,e)),r=e&&(t.length?`${t.length.toLocaleString("en")} module${t.
length===1?"":"s"}${this.#r?"":" with that in the name"}`:"nothing found")}catch(s){r=s.message}this.page.find(t),this.#a(r,t.length)}#a(e,t){
m(this.#t,e),u(this.element,{"data-count":t});for(let r of[...this.#n,...this.#s])r.disabled=t===0}#l(e){let{hits:t}=this.page;this.page.command(
"mark",this.#r?{verb:e,selector:this.#r}:{verb:e,indices:Y(t)},t)}#o(e){let{hits:t,focused:r}=this.page;if(!t.length)return;let s=e>0?t.find(
i=>i>r):t.findLast(i=>i<r);this.page.reveal(s??t[e>0?0:t.length-1]),this.#e.focus()}#d(e){if(e.key==="Enter")this.#o(e.shiftKey?-1:1);else if(e.
key==="Escape")this.#e.value="",this.#i(),this.page.focusTree();else return;e.preventDefault()}},Do={fully_shard:"Fully shard",replicate:"Re\
plicate",ignore:"Ignore",clear:"Clear"};function jo({tree:n},e){let t=e.toLowerCase(),r=n.classes.map(([i])=>i.toLowerCase().includes(t)),s=[];
for(let i=0;i<n.size;i++)(r[n.cls[i]]||n.names[i].toLowerCase().includes(t))&&s.push(i);return s}var ls=9,[ds,cs]=[600,60];function Ko(n){let e=n.reduce((o,[,a])=>o+a,0),t=n.filter(([,o])=>o>0),r=t.length>ls?t.slice(0,ls-1):t,s=t.slice(r.
length);return(s.length?[...r,[`${s.length} smaller terms`,s.reduce((o,[,a])=>o+a,0)]]:r).map(([o,a])=>({label:o,nbytes:a,share:a/e}))}function Go(n,e,t){
let r=n.reduce((a,[,d])=>Math.max(a,d),1),s=e/Math.max(1,n.length-1),i=n.map(([,a],d)=>[d*s,t-a/r*t]),o=i.reduce((a,d)=>d[1]<a[1]?d:a,i[0]??
[0,t]);return{path:i.map(([a,d],c)=>`${c?"L":"M"}${a.toFixed(1)} ${d.toFixed(1)}`).join(""),x:o[0],y:o[1]}}var dt=class{headline=l("p",{"dat\
a-role":"peak"});bar=l("div",{class:"stacked",role:"img"});list=l("ol",{class:"terms","data-role":"terms"});line=H("path",{class:"memory"});mark=H(
"circle",{r:4,class:"top"});chart=H("svg",{viewBox:`0 -6 ${ds} ${cs+6}`,preserveAspectRatio:"none",role:"img"},this.line,this.mark);ends=l("\
small",{class:"note"});element=l("div",{class:"peak"},this.headline,this.bar,this.list,this.chart,this.ends);show({nbytes:e,moment:t,is_estimate:r,
terms:s,timeline:i},o){let a=o===null||o===e?"":` (${kn(o,e,b)} against the question before)`;m(this.headline,`Peak: ${ge(e)} on a rank${r?"\
, an estimate,":""} at ${t}${a}`);let d=Ko(s);this.bar.replaceChildren(...d.map(({share:c},h)=>Vo(h,c))),u(this.bar,{"aria-label":`The peak \
is made of ${d.map(({label:c,share:h})=>`${c} ${re(h)}`).join(", ")}`}),this.list.replaceChildren(...d.map(({label:c,nbytes:h,share:p},f)=>l(
"li",{style:hs(f)},`${b(h)}, ${re(p)}: ${c}`))),this.drawLine(i,t)}drawLine(e,t){let{path:r,x:s,y:i}=Go(e,ds,cs);u(this.line,{d:r}),u(this.mark,
{cx:s.toFixed(1),cy:i.toFixed(1)}),u(this.chart,{"aria-label":`Memory over one step, highest at ${t}`});let o=e.length?`Over one step: ${e[0][0]}\
, ${b(e[0][1])} → ${e.at(-1)[0]}, ${b(e.at(-1)[1])}`:"";m(this.ends,o),this.chart.toggleAttribute("hidden",e.length<2)}},hs=n=>`--shade: ${Math.
max(12,100-11*n)}%`;function Vo(n,e){let t=e>.03;return l("span",{style:`${hs(n)}; flex: ${e.toFixed(5)} 0 0`,...n<4?{"data-dark":"1"}:{}},t?
String(n+1):"")}function qo({phases:n}){let e=n.flatMap(({phase:r,compute_s:s,communication_s:i})=>[{phase:r,what:"compute",seconds:s,share:0},{phase:r,what:"\
communication",seconds:i,share:0}]),t=e.reduce((r,{seconds:s})=>Math.max(r,s??0),0);return e.map(r=>({...r,share:t?(r.seconds??0)/t:0}))}function Jo(n){
return n===null?"not known":n>=1?`${Number(n.toPrecision(3))} s`:`${Number((1e3*n).toPrecision(3))} ms`}var ct=class{list=l("ul",{class:"tim\
es"});note=l("small",{class:"note"});element=l("div",{class:"step-time","data-role":"step-time"},l("b",{},"Time of a step, each by itself"),
this.list,this.note);show(e){this.list.replaceChildren(...qo(e).map(Yo));let t=e.missing.length?` Missing for ${e.missing.join("; for ")}.`:
"";m(this.note,`At the rates above throughout. A step takes at least the longer of the two; how far they overlap is not known before it runs\
.${t}`)}};function Yo({phase:n,what:e,seconds:t,share:r}){let s=l("span",{class:`time-bar ${e}`,"aria-hidden":"true"});return u(s,{style:`wi\
dth:${(60*r).toFixed(2)}%`}),l("li",{},l("span",{class:"time-name"},`${n}, ${e}`),s,` ${Jo(t)}`)}var pe={flops_per_s:{label:"TFLOP/s",scale:1e12,title:"What one rank computes, for the time of a step"},bytes_per_s:{label:"GB/s",scale:1e9,
title:"What one rank sends, for the time of a step"},latency_s:{label:"µs a collective",scale:1e-6,title:"What every collective takes besid\
es"}},Xo={strategy:"each unit's own",mixed_precision:"each unit's own"},ht=class{constructor(e){this.ask=e;this.number("world_size","ranks",
1e6),this.add("mesh_shape","mesh",l("input",{type:"text",size:7,title:"Ranks, or replicate x shard: 2x4"}));for(let[t,r]of[["strategy","stra\
tegy"],["mixed_precision","precision"],["optimizer","optimizer"],["engine","engine"]])this.add(t,r,l("select"));this.number("accumulation_st\
eps","accumulate",1e4),this.add("traced","trace",l("input",{type:"checkbox",title:"Run the example inputs through a copy without data: order\
, activations and operations are then known"}));for(let[t,{label:r,title:s}]of Object.entries(pe))this.add(t,r,l("input",{type:"number",min:0,
step:"any",class:"rate",title:s}));this.refusal.hidden=!0}ask;element=l("form",{class:"bar what-if","data-role":"what-if","aria-label":"What\
 if",submit:e=>e.preventDefault()});fields=new Map;costs;refusal=l("span",{class:"refusal","data-role":"refusal",role:"alert"});show(e){this.
costs=e;let{what_if:t,choices:r}=e;for(let[s,i]of Object.entries(r))this.offer(s,i);for(let[s,i]of this.fields)i.getAttribute("aria-invalid")===
"true"||i.matches(":focus")&&i.dataset.typed==="1"||(i.type==="checkbox"?i.checked=t.traced:i.value=ta(s,t[s]))}number(e,t,r){this.add(e,t,l(
"input",{type:"number",min:1,max:r}))}add(e,t,r){u(r,{"data-field":e}),r.addEventListener("input",()=>r.dataset.typed="1"),r.addEventListener(
"change",()=>{this.changed(e,r)}),this.fields.set(e,r),this.element.append(l("label",{},`${t} `,r))}offer(e,t){let r=this.fields.get(e);!r||
r.childElementCount===t.length||r.replaceChildren(...t.map(s=>l("option",{value:JSON.stringify(s)},na(e,s))))}async changed(e,t){delete t.dataset.
typed;let r=t.type==="checkbox"?t.checked:Qo(e,t.value),s=r instanceof Error?{title:"This cannot be asked",detail:r.message}:await this.ask(
Zo(e,r));this.judge(t,s)}judge(e,t){for(let r of this.fields.values())u(r,{"aria-invalid":null,"aria-describedby":null});if(this.refusal.hidden=
t===null,t===null)return this.costs&&this.show(this.costs);m(this.refusal,`${t.title}: ${t.detail}`),this.refusal.id="what-if-refusal",u(e,{
"aria-invalid":"true","aria-describedby":this.refusal.id}),e.parentElement.after(this.refusal)}};function Zo(n,e){return n==="world_size"?{world_size:e,
mesh_shape:[e]}:n==="mesh_shape"?{mesh_shape:e,world_size:e.reduce((t,r)=>t*r,1)}:{[n]:e}}function Qo(n,e){if(n==="mesh_shape"){let r=Vr(e);
return typeof r=="string"?new Error(r):r}if(n in pe)return ea(n,e);if(n!=="world_size"&&n!=="accumulation_steps")return JSON.parse(e);let t=Number(
e);return e.trim()!==""&&Number.isInteger(t)?t:new Error(`${JSON.stringify(e)} is no whole number`)}function ea(n,e){if(e.trim()==="")return null;
let t=Number(e);return Number.isFinite(t)?t*pe[n].scale:new Error(`${JSON.stringify(e)} is no number`)}var ta=(n,e)=>n in pe?e===null?"":String(
Number((e/pe[n].scale).toPrecision(6))):n==="mesh_shape"?e.join("x"):typeof e=="number"?String(e):JSON.stringify(e),na=(n,e)=>e===null?Xo[n]??
"none":n==="mixed_precision"?pn(e):String(e);var un=8,pt=class{constructor(e){this.page=e;this.parts=[ue("Units",this.units.element,!0),ue("Ranks, between steps",this.ranks.element),ue(
"Collectives",this.collectives.element),ue("Replicate groups",this.groups.element),ue("What is assumed and left out",this.notes)];for(let r of this.
parts)r.addEventListener("toggle",()=>this.repaint());let t=l("div",{class:"costs","data-role":"costs"},this.form.element,this.setting,this.
refused,this.totals,this.peak.element,this.time.element,...this.parts);this.curtain=new F(t,r=>r&&this.repaint()),this.element=this.curtain.
element}page;element;curtain;form=new ht(e=>this.ask(e));setting=l("p",{class:"note","data-role":"costs-setting"});refused=l("div",{class:"e\
rror",role:"alert","data-role":"costs-refused"});totals=l("p",{"data-role":"costs-totals"});peak=new dt;time=new ct;units=new _("costs-units",
"Costs of the units",Wr,un,e=>this.jump(e.fqn));ranks=new _("costs-ranks","What each rank keeps between steps",Dr,un);collectives=new _("cos\
ts-collectives","Collectives of a step",jr,un);groups=new _("costs-groups","Replicate groups",Kr,4,e=>this.jump(e.fqn));notes=l("ul",{class:"\
cost-notes","data-role":"costs-notes"});parts;asked=!1;before={setting:"",peak:null};now={setting:"",peak:null};update(e){let t=this.page.trait(
"costs");if(t===null)return this.begin();["costs","tree"].some(r=>e.has(r))&&this.show(t)}destroy(){this.curtain.destroy();for(let e of this.
tables)e.destroy()}get tables(){return[this.units,this.ranks,this.collectives,this.groups]}begin(){m(this.setting,"Asking for the costs of t\
his plan …"),this.sections(!1),!this.asked&&(this.asked=!0,this.ask({}).then(e=>e&&m(this.setting,`${e.title}: ${e.detail}`)))}async ask(e){
let t=await this.page.ask("what_if",e);return t.ok?null:t.error??{title:"The kernel refused",detail:"It gave no reason."}}show(e){this.form.
show(e),m(this.setting,`For ${hn(e.what_if)}.`),m(this.refused,e.refused?`${e.refused.title}: ${e.refused.detail}`:""),this.refused.hidden=!e.
refused,this.sections(!e.refused),!e.refused&&(this.remember(e),m(this.totals,sa(e.totals)),this.peak.show(e.peak,this.before.setting&&this.
before.setting!==this.now.setting?this.before.peak:null),this.time.element.hidden=e.time===null,e.time&&this.time.show(e.time),this.tabulate(
e))}tabulate(e){this.units.show(e.units),this.ranks.show(e.per_rank),this.collectives.show(e.collectives),this.groups.show(e.groups),this.notes.
replaceChildren(...e.notes.map(([r,s])=>l("li",{},l("b",{},r.replaceAll("_"," ")),` ${s}`)));let t=[e.totals.units??e.units.length,e.what_if.
world_size,e.totals.collectives??0,e.groups.length,e.notes.length];this.parts.forEach((r,s)=>{r.hidden=t[s]===0;let i=r.firstElementChild;m(
i,`${i.dataset.name}: ${y(t[s])}${s===1?ra(e):""}`)})}remember(e){let t=hn(e.what_if),r=e.peak.nbytes??null;t!==this.now.setting&&(this.before=
this.now),this.now={setting:t,peak:r}}sections(e){for(let t of[this.totals,this.peak.element,this.time.element,...this.parts])t.hidden=!e}repaint(){
for(let e of this.tables)e.repaint()}jump(e){let t=M(this.page.tree,e);t>=0&&this.page.reveal(t)}};function ue(n,e,t=!1){let r=l("details",{},
l("summary",{"data-name":n},n),e);return u(r,{open:t?"":null}),r}function ra({per_rank:n,what_if:e}){let t=(n.at(-1)?.ranks[1]??0)+1;return t<
e.world_size?`, ${e.world_size/t} copies of these ${t}`:""}function sa(n){let e=n.small_messages?`, ${y(n.small_messages)} of them under 1 M\
iB`:"";return`A rank keeps ${b(n.shard_nbytes)} of parameters (${b(n.padding_nbytes)} padding); a step has ${y(n.collectives)} collectives${e}\
, for which a rank sends ${b(n.sent_nbytes)}.`}var ps=`
.costs p { margin: 4px 0; }
.costs details { margin: 4px 0; }
.costs summary { cursor: pointer; font-weight: 600; }
.what-if { gap: 5px 12px; }
.what-if select, .what-if input { max-width: 100%; }
.what-if select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px \
4px; }
.what-if [aria-invalid] { border: 2px solid var(--bad); }
.refusal { flex: 1 1 240px; border-left: 3px solid var(--bad); background: var(--bad-paper); padding: 2px 8px; overflow-wrap: anywhere; }
.refusal::before { content: "! "; font-weight: 700; color: var(--bad); }
.stacked { display: flex; height: 24px; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; margin: 6px 0; }
.stacked span { --mixed: color-mix(in srgb, var(--shard) var(--shade), var(--paper)); background: var(--mixed); color: var(--ink); border-ri\
ght: 1px solid var(--paper); min-width: 1px; text-align: center; font: 700 12px/24px ui-monospace, monospace; overflow: hidden; }
.stacked span[data-dark] { color: var(--shard-ink); }
.terms { margin: 0; padding-left: 0; columns: 2 300px; list-style-position: inside; font-variant-numeric: tabular-nums; }
.terms li { break-inside: avoid; overflow-wrap: anywhere; }
.terms li::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 6px; border: 1px solid var(--soft); backgro\
und: color-mix(in srgb, var(--shard) var(--shade), var(--paper)); }
.peak svg { display: block; width: 100%; max-width: 640px; height: 66px; border-bottom: 1px solid var(--line); margin-top: 6px; overflow: vi\
sible; }
.peak .top { fill: var(--bad); }
.cost-notes { margin: 2px 0; padding-left: 18px; }
.table { font-family: var(--mono); font-size: 12px; }
.table-rows { position: relative; overflow: auto; contain: strict; border: 1px solid var(--line); border-radius: 4px; }
.table-head { position: sticky; top: 0; z-index: 1; height: 20px; line-height: 20px; white-space: pre; padding: 0 6px; color: var(--soft); b\
ackground: var(--paper); box-shadow: inset 0 -1px var(--line); width: max-content; min-width: 100%; box-sizing: border-box; cursor: help; }
.table-row { position: absolute; left: 0; height: 20px; line-height: 20px; white-space: pre; padding: 0 6px; min-width: 100%; box-sizing: bo\
rder-box; width: max-content; cursor: default; }
.table-row:hover { background: var(--raised); }
.table-row[aria-selected="true"] { background: var(--chosen); }
.table-rows:focus .table-row[aria-selected="true"] { outline: 2px solid var(--ring); outline-offset: -2px; }
.step-time { margin: 8px 0; }
.times { list-style: none; margin: 4px 0; padding: 0; font-variant-numeric: tabular-nums; }
.times li { white-space: nowrap; }
.time-name { display: inline-block; width: 12em; max-width: 40%; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.time-bar { display: inline-block; height: 10px; min-width: 1px; border: 1px solid var(--soft); box-sizing: border-box; background: var(--sh\
ard); }
.time-bar.communication { background: repeating-linear-gradient(45deg, var(--replicate) 0 3px, var(--paper) 3px 6px); }
.what-if .rate { width: 6em; }
`;function us(n,e,t){let r=n.total[n.cls[0]];if(!(r>0))return[];let s=e/r,i=[],o=[{node:0,many:1,stride:n.size,level:0,left:0,width:e}];for(;o.
length>0;){let a=o.pop();i.push(a),a.many===1&&a.level+1<t&&o.push(...ia(n,a,s).reverse())}return i}function ia(n,e,t){let r=[],s=e.left+n.own[n.
cls[e.node]]*t,i=e.node+1;for(let[o,a,d]of n.classes[n.cls[e.node]][2]){let c=a===null?1:Number(a)-Number(o)+1,h=n.total[d]*t,p=n.end[i]-i,f=e.
level+1;if(h>=1)for(let v=0;v<c;v++)r.push({node:i+v*p,many:1,stride:p,level:f,left:s+v*h,width:h});else h*c>=1&&r.push({node:i,many:c,stride:p,
level:f,left:s,width:h*c});s+=h*c,i+=p*c}return r}function ms(n,e,t){let r;for(let s of n)s.level<=t&&e>=s.left&&e<s.left+s.width&&(r=s);return r?
r.node+r.stride*Math.min(r.many-1,Math.floor((e-r.left)/r.width*r.many)):-1}var fs=28,fn=3,mn=fs/fn,oa=11,ut=class{constructor(e){this.page=e;this.palette=new W(e.root),this.element.addEventListener("click",t=>this.show(
this.under(t))),this.element.addEventListener("mousemove",t=>u(this.element,{title:this.words(this.under(t))})),this.element.addEventListener(
"keydown",t=>this.press(t))}page;canvas=l("canvas",{"aria-hidden":"true"});element=l("div",{class:"icicle","data-role":"icicle",tabindex:0,role:"\
slider","aria-label":"Parameters by module"},this.canvas);palette;blocks=[];top=0;chosen=0;update(e){e.has("theme")&&this.palette.forget(),(e.
has("tree")||e.has("size"))&&this.measure(),["tree","plan","theme","size","colour","focus"].some(t=>e.has(t))&&this.draw()}destroy=()=>{};measure(){
let e=us(this.page.tree,this.element.clientWidth,fn+8),t=r=>e.filter(s=>s.level===r).length<=1;for(this.top=0;t(this.top)&&e.some(({level:r})=>r>
this.top);)this.top++;this.blocks=e.filter(({level:r})=>r>=this.top&&r<this.top+fn),this.chosen=Math.min(this.chosen,Math.max(0,this.blocks.
length-1)),this.element.hidden=this.blocks.length===0}draw(){let e=ee(this.canvas,this.element.clientWidth,fs);e.font="700 8px ui-monospace,\
 monospace",e.textBaseline="middle",e.textAlign="center";for(let t of this.blocks)this.drawBlock(e,t);this.outline(e),this.announce()}drawBlock(e,t){
let r=this.status(t.node),s=z(r),i=this.palette.of(this.page.colourOf(t.node)),o=r===r.toUpperCase(),[a,d,c,h]=this.place(t);r!=="u"&&(e.globalAlpha=
o?1:.3,e.fillStyle=i,e.fillRect(a,d,c,h),e.globalAlpha=1),e.strokeStyle=t.many>1?"transparent":i,e.setLineDash(r==="u"?[1,2]:[]),c>2&&e.strokeRect(
a+.5,d+.5,c-1,h-1),!(c<oa||!s)&&(e.fillStyle=this.palette.of(o?"var(--paper)":"var(--ink)"),e.fillText(s,a+c/2,d+h/2+.5))}outline(e){let{tree:t,
focused:r}=this.page,s=this.blocks.filter(({node:h,many:p,stride:f})=>h<=r&&r<(p>1?h+p*f:t.end[h])),i=s[s.length-1];if(!i)return;this.chosen=
this.blocks.indexOf(i);let[o,a,d,c]=this.place(i);e.setLineDash([]),e.strokeStyle=this.palette.of("var(--ring)"),e.lineWidth=2,e.strokeRect(
o+1,a+1,Math.max(1,d-2),c-2),e.lineWidth=1}place=({left:e,width:t,level:r})=>[e,(r-this.top)*mn,Math.max(t-(t>4?1:0),1),mn-.5];status=e=>g[this.
page.plan.status[e]];under(e){let t=this.element.getBoundingClientRect();return ms(this.blocks,e.clientX-t.left,this.top+Math.floor((e.clientY-
t.top)/mn))}show(e){e>=0&&this.page.reveal(e)}words(e){if(e<0)return"";let{tree:t}=this.page,r=t.total[t.cls[e]],s=(100*r/t.total[t.cls[0]]).
toFixed(1);return`${k(t,e)||"(root)"}, ${t.classes[t.cls[e]][0]}: ${$(r)} parameters, ${s} %, ${R[this.status(e)]}`}announce(){let e=this.blocks[this.
chosen];u(this.element,{"aria-valuemin":0,"aria-valuemax":Math.max(0,this.blocks.length-1),"aria-valuenow":this.chosen,"aria-valuetext":e?this.
words(e.node):"no parameters"})}press(e){let{node:t,level:r,left:s}=this.blocks[this.chosen]??{node:-1,level:0,left:0},i=this.blocks.filter(
h=>h.level===r),o=i.findIndex(h=>h.node===t),a=h=>this.blocks.filter(p=>p.level===h&&p.left<=s+.5).at(-1)??this.blocks.find(p=>p.level===h),
d={ArrowLeft:()=>i[o-1],ArrowRight:()=>i[o+1],ArrowUp:()=>a(r-1),ArrowDown:()=>a(r+1),Home:()=>i[0],End:()=>i.at(-1),Enter:()=>this.blocks[this.
chosen]}[e.key];if(!d)return;e.preventDefault();let c=d();c&&this.page.reveal(c.node),this.element.focus()}};var V=n=>n||"(root)";function gs({name:n,shape:e,dtype:t,numel:r,frozen:s},i){let o=i&&n.startsWith(`${i}.`)?n.slice(i.length+1):n,a=e===null?
"lazy":e.length===0?"scalar":`[${e.join(", ")}]`;return`${o} ${a} ${t}, ${y(r)} elements${s?", frozen":""}`}function bs(n,e){let t={unit:"un\
it of ",replicate:"replicated with ",ignored:"ignored with ",unmanaged:"unmanaged"},s=n.owner_kind==="ignored"&&n.owner===null?"ignored by i\
tself":n.owner_kind==="unmanaged"?t.unmanaged:t[n.owner_kind]+V(n.owner??""),i=n.tied.length?`; tied to ${la(n.tied)}`:"";return`${s}; ${aa(
n,e)}, ${ge(n.nbytes_per_rank)}${i}`}function aa({piece:n},e){if(n===null)return"whole on every rank";let t=n[1]>n[0]?`elements ${y(n[0])} t\
o ${y(n[1])}`:"nothing";return`rank 0 of ${y(e)} holds ${t}`}var la=n=>n.slice(0,3).join(", ")+(n.length>3?` and ${n.length-3} more`:"");function ws({
unit:n,unit_fqn:e,local_root:t,within:r}){return[n===null?"":`Unit u${n}, of ${V(e??"")}`,t!==null&&n!==null?`local root ${V(t)}`:"",r===null?
"":`inside ${r.replace(/^(\w+):(.*)$/,(i,o,a)=>`${o==="replicate"?"replicated":o} ${V(a)}`)}`].filter(Boolean).join("; ")}function vs(n,e,t){
if(!(n===null||n.rev!==e||t===null))return n.units.find(({runs:r})=>r.some(([s,i,o])=>t>=s&&t<i&&(t-s)%o===0))}var da=120,mt=12,ca=1e3,ft=class{constructor(e){this.page=e;this.open(e.root.clientWidth>=ca)}page;toggle=l("button",{type:"button",class:"i\
nspector-toggle","data-cmd":"inspector",click:()=>this.open(this.body.hidden===!0)},"Inspector");title=l("h4",{"data-role":"inspected"});why=l(
"p",{"data-role":"why"});owner=l("p",{class:"note","data-role":"belongs"});costs=l("p",{class:"note","data-role":"unit-costs"});params=l("ul",
{"data-role":"params"});remarks=l("ul",{class:"remarks","data-role":"remarks"});code=l("pre",{tabindex:0,"data-role":"inspected-code","aria-\
label":"Code that makes it so"});body=l("div",{class:"inspector-body",role:"region","aria-label":"Inspector",tabindex:0},this.title,this.why,
this.owner,this.costs,this.params,this.remarks,this.code);element=l("div",{class:"inspector","data-role":"inspector"},this.toggle,this.body);timer;asked=0;shown=null;update(e){
["tree","plan","focus","rows"].some(t=>e.has(t))?this.lookSoon():e.has("costs")&&this.shown&&this.showCosts(this.shown)}destroy(){clearTimeout(
this.timer),this.asked++}open(e){this.body.hidden=!e,u(this.toggle,{"aria-expanded":e,title:e?"Hide what is known of the focused module":"Sh\
ow what is known of the focused module"}),e&&this.lookSoon()}lookSoon(){clearTimeout(this.timer),this.body.hidden||(this.timer=setTimeout(()=>{
this.look()},da))}async look(){let e=++this.asked,{focused:t,rows:r,focus:s}=this.page,{times:i}=r[s];u(this.body,{"aria-busy":"true"});let o=await this.
page.ask("inspect",{index:t});e===this.asked&&(u(this.body,{"aria-busy":null}),o.ok?this.show(o.value,i):this.fail(`${o.error?.title}: ${o.error?.
detail}`))}fail(e){this.shown=null,m(this.title,"Not known"),m(this.why,e);for(let t of[this.owner,this.costs,this.params,this.remarks,this.
code])t.hidden=!0}show(e,t){this.shown=e;let r=t>1?`, the first of ${t} alike`:"";m(this.title,`${V(e.fqn)} · ${e.cls} · #${e.index}${r}`),
m(this.why,e.why),this.showOwner(e),this.showCosts(e),this.showParams(e),this.showRemarks(e),m(this.code,e.code.join(`
`)),this.code.hidden=e.code.length===0}showOwner(e){let t=e.names.length>1?` Also called ${e.names.slice(1,4).join(", ")}.`:"",r=ws(e),s=e.unit_fqn!==
null&&e.unit_fqn!==e.fqn?[" ",this.jump(e.unit_fqn)]:[];this.owner.replaceChildren(r?`${r}.${t}`:t,...s),this.owner.hidden=!r&&!t}showCosts({
unit:e}){let t=vs(this.page.trait("costs"),this.page.plan.state.rev,e);this.costs.hidden=e===null,t?this.costs.replaceChildren(`Its unit: ${b(
t.unsharded_nbytes)} gathered, ${b(t.shard_nbytes)} on a rank; ${t.frees_after_forward?"frees":"keeps"} it after forward (${t.reason}); a ra\
nk sends ${b(t.sent_nbytes)} for it in a step.`):this.costs.replaceChildren(this.link("What its unit costs",()=>this.page.open("costs")))}showParams({
params:e,fqn:t,world_size:r}){let s=e.slice(0,mt).map(i=>l("li",{},l("b",{},gs(i,t)),l("br"),bs(i,r)));e.length>mt&&s.push(l("li",{},`and ${e.
length-mt} more parameters`)),e.length===0&&s.push(l("li",{class:"note"},"It has no parameters of its own.")),this.params.replaceChildren(...s),
this.params.hidden=!1}showRemarks({findings:e,conflicts:t}){let r=[...t.map(({message:s,fix:i})=>({severity:"conflict",message:s,advice:i})),
...e].slice(0,mt);this.remarks.replaceChildren(...r.map(({severity:s,message:i,advice:o})=>l("li",{"data-severity":s},l("b",{},s),` ${i}`,l(
"br"),o))),r.length&&this.remarks.append(l("li",{},this.link("All findings",()=>this.page.open("findings")))),this.remarks.hidden=r.length===
0}jump(e){return this.link(`Go to ${V(e)}`,()=>{let t=M(this.page.tree,e);t>=0&&this.page.reveal(t)})}link(e,t){let r=w("go",e,e,t);return r.
classList.add("link"),r}};var ys=`
.side:has(.inspector-body:not([hidden])) { flex: 0 0 320px; min-width: 0; }
.side { position: relative; }
.side:has(.inspector-toggle[aria-expanded="false"]) { flex: 0 0 34px; }
.inspector { position: absolute; inset: 0 0 0 8px; }
.inspector-toggle { width: 100%; text-align: left; font-weight: 600; }
.inspector-toggle::before { content: "▸ "; }
.inspector-toggle[aria-expanded="true"]::before { content: "▾ "; }
.inspector-toggle[aria-expanded="false"] { writing-mode: vertical-rl; width: auto; padding: 8px 2px; }
.inspector-body { position: absolute; inset: 28px 0 0; overflow: auto; overflow-wrap: anywhere; font-size: 12px; padding: 0 4px; }
.inspector-body h4 { margin: 6px 0 4px; font-size: 13px; }
.inspector-body p { margin: 4px 0; }
.inspector-body ul { margin: 6px 0; padding: 0; list-style: none; max-height: none; }
.inspector-body li { margin-bottom: 6px; }
.inspector-body [data-role="params"] li { border-left: 3px solid var(--line); padding-left: 6px; }
.inspector-body [aria-busy] { opacity: .7; }
@container (max-width: 999px) {
  .body { flex-direction: column; }
  .side:has(.inspector-body:not([hidden])) { flex: none; }
  .side:has(.inspector-toggle[aria-expanded="false"]) { flex: none; }
  .inspector { position: static; margin-top: 4px; }
  .inspector-toggle[aria-expanded] { writing-mode: horizontal-tb; width: auto; padding: 2px 8px; }
  .inspector-body { position: static; height: 170px; resize: vertical; border: 1px solid var(--line); border-radius: 4px; } /* of one height\
: what is below must not jump */
}
`;var xs=`
.icicle { height: 28px; margin-bottom: 3px; cursor: pointer; overflow: hidden; border-radius: 3px; }
.icicle canvas, .minimap canvas { display: block; }
.edge { position: relative; }
.minimap { position: absolute; inset: 0; width: 64px; overflow: hidden; cursor: pointer; touch-action: none; border-left: 1px solid var(--li\
ne); box-sizing: border-box; }
.glass { position: absolute; left: 0; right: 0; border: 1px solid var(--ring); background: color-mix(in srgb, var(--ring) 12%, transparent);\
 box-sizing: border-box; border-radius: 2px; pointer-events: none; }
@container (max-width: 480px) {
  .edge { display: none; }
  .tree:has(.edge:not(:empty)) .heads { margin-right: 0; }
}
`;function gn(n,e,t,r){let s=Math.max(1,Math.min(4,Math.floor(r/Math.max(1,n.length)))),i=Math.min(n.length,Math.floor(r/s)),o=new Uint8Array(
i),a=new Uint8Array(i),d=new Uint8Array(i);for(let c=0;c<i;c++){let h=ks(c+1,i,n.length);for(let p=ks(c,i,n.length);p<h;p++){let{ref:f,node:v}=n[p];
f>=0||(o[c]|=1<<e.status[v],a[c]=Math.max(a[c],e.alarm[v]))}}for(let c of t)c>=0&&c<n.length&&(d[ha(c,i,n.length)]=1);return{count:i,thick:s,
rows:n.length,statuses:o,alarm:a,hit:d}}var ks=(n,e,t)=>Math.ceil(n*t/e),ha=(n,e,t)=>Math.floor(n*e/t);function Ts({count:n,thick:e,rows:t},r,s){
if(t===0)return{top:0,height:0};let i=n*e/t,o=Math.max(6,Math.min(s,t)*i);return{top:Math.max(0,Math.min(r*i,n*e-o)),height:o}}function Es({
count:n,thick:e,rows:t},r){return Math.max(0,Math.min(t-1,Math.floor(r*t/Math.max(1,n*e))))}function $s(n,e){return n.length<=e?n:Array.from(
{length:e},(t,r)=>n[Math.floor(r*n.length/e)])}var pa=64,ua=[["Ff","var(--shard)",3],["Rr","var(--replicate)",18],["Ii","var(--ignore)",33]],ma=13,fa=6,Rs={left:48,width:5},Ss={left:56,width:6},
ga=1e3,gt=class{constructor(e){this.page=e;this.palette=new W(e.root),this.element.addEventListener("pointerdown",t=>this.grab(t)),this.element.
addEventListener("pointermove",t=>this.dragging&&this.go(t));for(let t of["pointerup","pointercancel"])this.element.addEventListener(t,()=>this.
dragging=!1);this.element.addEventListener("keydown",t=>this.press(t))}page;canvas=l("canvas",{"aria-hidden":"true"});glass=l("div",{class:"\
glass"});element=l("div",{class:"minimap","data-role":"minimap",tabindex:0,role:"slider","aria-orientation":"vertical","aria-label":"Rows of\
 the tree on the screen",title:"All rows: sharded, replicated, ignored (short: managed from above), search hits, findings. Click to go there\
."},this.canvas,this.glass);palette;buckets=gn([],{status:new Uint8Array(0),alarm:new Uint8Array(0)},[],1);dragging=!1;update(e){e.has("them\
e")&&this.palette.forget(),["tree","plan","rows","hits","theme","size"].some(t=>e.has(t))&&this.draw(),this.frame()}destroy=()=>{};draw(){let{
rows:e,plan:t,hits:r}=this.page,s=this.element.clientHeight,i=$s(r,ga).map(a=>this.page.rowOf(a));this.buckets=gn(e,t,i,s);let o=ee(this.canvas,
pa,s);for(let a=0;a<this.buckets.count;a++)this.drawLine(o,a)}drawLine(e,t){let{statuses:r,alarm:s,hit:i,thick:o}=this.buckets,a=Math.max(1,
o-(o>2?1:0)),d=(c,h,p)=>{e.fillStyle=this.palette.of(p),e.fillRect(c,t*o,h,a)};for(let[c,h,p]of ua){let[f,v]=[...c].map(L=>r[t]&1<<g.indexOf(
L));(f||v)&&d(p,f?ma:fa,h)}i[t]&&d(Rs.left,Rs.width,"var(--ink)"),s[t]>1&&d(Ss.left,Ss.width,s[t]===3?"var(--bad)":"var(--soft)")}frame(){let{
first:e,count:t}=this.page.viewport,r=this.page.rows.length,{top:s,height:i}=Ts(this.buckets,e,t);Object.assign(this.glass.style,{top:`${s}p\
x`,height:`${i}px`});let o=Math.min(r,Math.floor(e)+1);u(this.element,{"aria-valuemin":1,"aria-valuemax":Math.max(1,r),"aria-valuenow":o,"ar\
ia-valuetext":`rows ${o} to ${Math.min(r,Math.floor(e+t))} of ${r}`})}grab(e){e.button===0&&(this.dragging=!0,this.element.setPointerCapture(
e.pointerId),this.go(e))}go(e){let t=e.clientY-this.element.getBoundingClientRect().top;this.page.scrollTo(Es(this.buckets,t)-this.page.viewport.
count/2)}press(e){let{first:t,count:r}=this.page.viewport,s=this.page.rows.length,i={ArrowDown:t+1,ArrowUp:t-1,PageDown:t+r-1,PageUp:t-r+1,Home:0,
End:s};e.key in i&&(e.preventDefault(),this.page.scrollTo(Math.max(0,Math.min(i[e.key],s-r))))}};var bt=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrappe\
r init"]],Ms=22,wt=class{constructor(e){this.page=e;let t={class:"order-rows",tabindex:0,role:"region","aria-label":"Orders"};this.list=new O(
Ms,t,ba,(s,i)=>this.fill(s,i)),this.list.view.addEventListener("click",s=>{let i=s.target.dataset.target;i!==void 0&&e.reveal(M(this.tree,i))});
let r=bt.map(([,s])=>l("span",{},s));this.element=l("div",{"data-role":"orders"},this.title,l("div",{class:"order order-heads"},l("span",{},
"k"),...r),this.list.view)}page;element;list;title=l("p",{class:"note","data-role":"orders-note"});tree;plan;update(e){if(!e.has("plan"))return;
let{tree:t,plan:r}=this.page;this.tree=t,this.plan=r;let s=Math.max(t.size,...bt.map(([d])=>r.state.orders[d]?.length??0)),[i,o]=[this.of("i\
nit_composable"),this.of("init_wrapper")],a=i.filter((d,c)=>d!==o[c]).length;m(this.title,i.length?`I₁ and I₂ differ in ${a} of ${i.length}\
 places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.style.height=`${Math.min(s,8)*Ms}px`,this.list.show(
s)}destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??[];fill(e,t){let[r,...s]=e.children;m(r,String(t));let i=bt.map(([o])=>o===
"dfs"&&t<this.tree.size?k(this.tree,t):this.of(o)[t]);s.forEach((o,a)=>{let d=i[a];m(o,d===void 0?"":d||"(root)");let c=a>1&&i[2]!==i[3];u(o,
{"data-target":d??null,title:d||null,"data-differs":c?"1":null})})}};function ba(){return l("div",{class:"order"},l("span"),...bt.map(([n])=>l(
"span",{"data-order":n})))}var Os=`
.player .bar [data-role="scrub"] { flex: 1 1 120px; min-width: 80px; padding: 0; }
.player select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px 4\
px; max-width: 100%; }
.player p { margin: 4px 0; }
.said { font-family: var(--mono); font-size: 12px; min-height: 2.8em; overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 4px 16px; }
.columns h4 { margin: 0 0 2px; font-size: 12px; font-weight: 600; }
.columns ol { list-style: none; margin: 0; padding: 0; font-family: var(--mono); font-size: 12px; }
.columns li { line-height: 18px; height: 18px; white-space: pre; overflow: hidden; text-overflow: ellipsis; padding: 0 4px; border-left: 3px\
 solid transparent; }
.columns [data-role="around"] li { line-height: 16px; height: 16px; }
.columns li[data-now] { background: var(--chosen); border-left-color: var(--ring); font-weight: 600; }
@container (max-width: 560px) {
  .columns { grid-template-columns: minmax(0, 1fr); }
}
`;var Ls=`
.slot:empty { display: none; }
.edge { width: 64px; }
.tree:has(.edge:not(:empty)) .heads { margin-right: 64px; }
.pins { position: sticky; top: 0; height: 0; z-index: 1; }
.pin { background: var(--raised); }
.pin:last-child { box-shadow: 0 1px var(--line); }
.pin[data-selected] { background: var(--chosen); }
[data-painted] [data-cell="swatch"] { box-shadow: 0 0 0 1px var(--soft); }
[data-painted]:not([data-status="F"], [data-status="R"], [data-status="I"]) [data-cell="swatch"], [data-painted]:not([data-status="F"]) > .u\
nit { color: var(--ink) !important; }
[data-cell="differs"], [data-cell="ties"], [data-cell="inside"], [data-cell="frozen"] { border: 1px dashed var(--soft) !important; }
.main > [data-cell="differs"] { flex-shrink: 50; min-width: 30px; overflow: hidden; text-overflow: ellipsis; }
[data-cell="alarm"] { font-weight: 700; }
[data-alarm="3"] [data-cell="alarm"] { background: repeating-linear-gradient(45deg, transparent 0 3px, var(--bad-paper) 3px 6px); }
[data-checkpointed] [data-cell="swatch"] { outline: 1px solid var(--ink); outline-offset: 1px; }
[data-frozen] [data-cell="name"] { font-weight: 400 !important; color: var(--soft); }
.init_c, .init_w { box-sizing: border-box; padding-right: 4px; }
[data-pair="differ"] { outline: 1px solid var(--soft); outline-offset: -2px; }
[data-pair="same"] { box-shadow: inset 0 -1px var(--soft); }
.init_c[data-pair="same"] { box-sizing: content-box; width: 48px; margin-right: -6px; padding-right: 10px; }
.own { width: 62px; }
.bytes, .exec { width: 74px; }
.dfs { width: 84px; color: var(--soft); }
.error, .gone { border-left: 3px solid var(--bad); background: var(--bad-paper); padding: 6px 8px; margin: 4px 0; }
.error pre { margin: 2px 0 0; white-space: pre-wrap; }
.detail, .status { max-height: 96px; overflow: auto; overflow-wrap: anywhere; }
.detail { color: var(--soft); padding: 4px 6px; }
.status { padding: 4px 8px; min-height: 19px; margin: 2px 0 6px; font-family: var(--mono); font-size: 12px; }
.status[data-kind="error"] b::before, .error > b::before { content: "! "; color: var(--bad); }
@container (max-width: 720px) {
  .own, .bytes, .handle, .init_c, .init_w, .exec { display: none; }
}
@container (max-width: 420px) {
  .dfs { width: 62px; }
}
`;var bn=40,vt=class{constructor(e){this.page=e}page;list=l("ul",{class:"remarks","data-role":"findings"});element=l("div",{},this.list);update(e){
if(!e.has("plan"))return;let{state:t}=this.page.plan,r=[...t.conflicts.map(i=>({...i,severity:"conflict"})),...t.findings],s=r.slice(0,bn).map(
i=>this.item(i));r.length>bn&&s.push(l("li",{},`and ${r.length-bn} more`)),r.length===0&&s.push(l("li",{class:"note"},"Nothing to report: th\
is plan can run.")),this.list.replaceChildren(...s)}destroy=()=>{};item(e){let t=e.severity??"warn",r=e.fqns.slice(0,4).map((i,o)=>{let a=e.
indices[o]??0;return l("button",{type:"button",class:"link","data-jump":a,click:()=>this.page.reveal(a)},i||"(root)")}),s=e.fqns.length>4?` \
and ${e.fqns.length-4} more`:"";return l("li",{"data-severity":t,"data-kind":e.kind},l("b",{},t)," ",...r,s,l("p",{},e.message),l("p",{class:"\
note"},e.fix??e.advice??""))}};var Cs=n=>typeof n=="number"?n.toFixed(4):"not finite";function Ps(n){let e=n.losses.at(-1);if(!e)return"";let[t,...r]=e,s=r.map((a,d)=>`ran\
k ${d} ${Cs(a)}`).join(", "),i=n.losses.length-1,o=n.reference&&i<n.reference.length?`; unsharded ${Cs(n.reference[i])}`:"";return`step ${t}\
: ${s}${o}`}function As(n,e,t){let r=Array.from({length:(n.losses[0]?.length??1)-1},(h,p)=>n.losses.map(f=>f[p+1])),s=n.reference??[],i=[...r.
flat(),...s].filter(h=>typeof h=="number");if(i.length===0)return null;let o=i.reduce((h,p)=>Math.min(h,p)),a=i.reduce((h,p)=>Math.max(h,p)),
d=Math.max(n.steps,n.losses.length,s.length,2)-1,c=h=>h.map((p,f)=>{if(typeof p!="number")return"";let v=typeof h[f-1]=="number"?"L":"M",L=a===
o?t/2:(a-p)/(a-o)*t;return`${v}${(f/d*e).toFixed(1)} ${L.toFixed(1)}`}).join("");return{lines:r.map(c),reference:c(s),low:o,high:a}}var _s=480,Is=90,yt=class{constructor(e){this.page=e;this.run=w("run","▶ Run","Spawn the workers and train with this plan",()=>{this.start()}),
this.stop=w("stop","■ Stop","End the workers",()=>{e.command("stop")});let t=l("div",{class:"bar"},l("label",{},"workers ",this.nprocs),l(
"label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=l("div",{class:"run"},t,this.error,this.losses,this.
chart,this.details)}page;element;nprocs=l("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=l("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=l("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=l("span",{"data-role":"phase"});losses=l("p",{"data-role":"losses"});chart=l("div",{class:"chart","data-role":"chart"});error=l(
"div",{class:"error","data-role":"run-error",role:"alert"});log=l("pre",{"data-role":"log",tabindex:0});details=l("details",{},l("summary",{},
"Worker log"),this.log);async start(){this.run.disabled=!0,await this.page.command("run",{nprocs:Number(this.nprocs.value),steps:Number(this.
steps.value)}),this.show(this.page.run)}update(e){e.has("run")&&this.show(this.page.run)}destroy=()=>{};show(e){this.run.disabled=B(e),this.
stop.disabled=!B(e),u(this.element,{"data-phase":e.phase}),u(this.progress,{max:e.steps||1,value:e.phase==="done"?e.steps||1:e.step}),m(this.
phase,Pe(e)),m(this.losses,Ps(e)),this.error.hidden=e.error===null,e.error&&this.error.replaceChildren(l("b",{},e.error.title),l("pre",{},e.
error.detail)),this.draw(e),this.details.hidden=e.log.length===0,m(this.log,e.log.map(([t,r])=>`[rank ${t}] ${r.trimEnd()}`).join(`
`))}draw(e){let t=As(e,_s,Is);if(this.chart.hidden=t===null,!t)return;let r=t.lines.map((o,a)=>H("path",{d:o,class:"loss","data-rank":a,"str\
oke-dasharray":a?`${2+2*a} 3`:"none"})),s=H("svg",{viewBox:`-2 -4 ${_s+4} ${Is+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss \
of every step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[H("path",{d:t.reference,class:"reference"})]:[],...r),
i=t.reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(l("span",{},t.high.toFixed(3)),l("span",{},t.low.toFixed(3)),s,
l("small",{},i))}};var wa={run:{slot:"tab",label:"Run",make:n=>new yt(n)},orders:{slot:"tab",label:"Orders",make:n=>new wt(n)},compare:{slot:"tab",label:"Compa\
re",make:n=>new it(n)},player:{slot:"tab",label:"Player",make:n=>new tt(n)},findings:{slot:"tab",label:"Findings",make:n=>new vt(n)},changes:{
slot:"tab",label:"Changes",make:n=>new rt(n)},code:{slot:"tab",label:"Code",make:n=>new st(n)},costs:{slot:"tab",label:"Costs",make:n=>new pt(
n)},engines:{slot:"tab",label:"Engines",make:n=>new ot(n)},inspector:{slot:"side",label:"Inspector",make:n=>new ft(n)},finder:{slot:"tools",
label:"Find",make:n=>new lt(n)},appearance:{slot:"tools",label:"Appearance",make:n=>new be(n)},icicle:{slot:"top",label:"Parameters",make:n=>new ut(
n)},minimap:{slot:"edge",label:"Minimap",make:n=>new gt(n)}},va=[Ls,Br,Os,zr,xs,ys,ps,Cr].join(`
`),ya={start:n=>new nt(n,wa,va)},Hs=ya;function xa(n){let e=n.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(n.className)?"dark":n.
classList.contains("vscode-light")?"light":null}function Ns(n){let e=matchMedia("(prefers-color-scheme: dark)"),t=()=>n.dataset.theme=xa(document.
body)??(e.matches?"dark":"light"),r=new MutationObserver(t);return r.observe(document.body,{attributes:!0,attributeFilter:["data-jp-theme-li\
ght","class"]}),e.addEventListener("change",t),t(),()=>{r.disconnect(),e.removeEventListener("change",t)}}var xt=class{constructor(e){this.send=e}send;#e=new Map;#t=0;#n=Math.random().toString(36).slice(2,8);ask(e,t={}){let r=`${this.#n}-${++this.#t}`;
return new Promise(s=>{this.#e.set(r,s),this.send({id:r,cmd:e,...t})})}receive(e){let t=this.#e.get(e.id);this.#e.delete(e.id),t?.(e)}};var ka={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},"+":{do:"openAll"},"-":{do:"closeAll"},"*":{do:"openSiblings"},s:{do:"\
split"}};function zs({key:n,shiftKey:e,ctrlKey:t,metaKey:r,altKey:s},i){if(s||t||r)return null;let o={ArrowDown:1,ArrowUp:-1,PageDown:i,PageUp:-i,
End:1/0,Home:-1/0};if(n in o)return{do:"move",by:o[n],extend:e};let a=n.length===1?n.toLowerCase():n;return ka[a]??(/^\w$/.test(a)?{do:"type\
Ahead",char:a}:null)}var Bs=new Set,kt=class{constructor(e,t){this.tree=e;this.plan=t;this.folds=_n(e),In(e,t,this.folds),this.rows=oe(e,t,this.folds)}tree;plan;rows=[];focus=0;anchor=0;like=Bs;folds;arrange=e=>e;isOpen=e=>e.
ref<0&&this.folds.open[e.node]===1;isParent=e=>e.ref<0&&It(this.tree,e.node);isSelected=({at:e,ref:t,node:r})=>e>=Math.min(this.anchor,this.
focus)&&e<=Math.max(this.anchor,this.focus)||t<0&&this.like.has(r);get focused(){return this.rows[this.focus]}select(e,t=!1){this.focus=Math.
max(0,Math.min(this.rows.length-1,e)),t||(this.anchor=this.focus),this.like=Bs}typeAhead(e){let{names:t,refs:r}=this.tree,s=({node:o,ref:a})=>(a<
0?t[o]:r[a][1]).toLowerCase().startsWith(e),i=this.rows.slice(this.focus+1).find(s)??this.rows.find(s);i&&this.select(i.at)}toggle(e){this.isParent(
e)&&(this.folds.open[e.node]^=1,this.rebuild())}openSiblings(){for(let{parent:e,ref:t,node:r}of this.rows)t<0&&e===this.focused.parent&&(this.
folds.open[r]=1);this.rebuild()}restore(e,t=[]){this.folds.open.fill(0);for(let r of e)this.folds.open[r]=1;this.folds.split=new Set(t),this.
rebuild()}openAll(){this.folds.open.fill(1),this.rebuild()}closeAll(){this.folds.open.fill(0,1),this.rebuild()}split(e=this.focused){let t=C(
e).find(({times:s})=>s>1)??e,r=this.tree.parent[t.node];r<0||e.ref>=0||(this.folds.split.delete(r)||this.folds.split.add(r),this.rebuild())}open(){
this.isOpen(this.focused)?this.select(this.focus+1):this.toggle(this.focused)}close(){this.isOpen(this.focused)&&this.isParent(this.focused)?
this.toggle(this.focused):this.select(this.focused.parent?.at??0)}enter(){this.focused.ref>=0?this.jump(this.focused.node):this.toggle(this.
focused)}jump(e){Nt(this.tree,this.plan,this.folds,e,!0),this.rebuild(),this.select(this.rowOf(e))}rowOf(e){let t=Nt(this.tree,this.plan,this.
folds,e);return this.rows.findIndex(r=>r.ref<0&&r.node===t)}rebuild(){let[e,t]=[this.focused,this.rows[this.anchor]];this.rows=this.arrange(
oe(this.tree,this.plan,this.folds)),this.focus=this.#e(e),this.anchor=this.#e(t)}#e({ref:e,node:t}){if(e<0)return this.rowOf(t);let r=this.rows.
findIndex(s=>s.ref===e);return r>=0?r:this.rowOf(this.tree.refs[e][0])}};var Us=24,Ta=20,Ea=18,Tt=class{element;stage=l("div",{class:"stage"});list;rows;extras;pinned=0;heads=l("div",{class:"heads","aria-hidden":"\
true"});#e="";#t;#n=[];constructor(){let e={class:"rows",role:"tree",tabindex:0,"aria-multiselectable":"true","aria-label":"Modules"};this.list=
new O(Us,e,t=>Ie("row",`row-${t}`),(t,r)=>this.fill(t,r)),this.rows=this.list.view,this.stage.append(this.rows),this.element=l("div",{class:"\
tree"},this.heads,this.stage)}draw(e=this.#t,t=!1){this.#t=e;let{rows:r,focus:s}=e,i=`${Math.min(r.length,Ea)*this.list.rowHeight+2}px`;this.#e!==
i&&(this.rows.style.height=this.#e=i),this.list.show(r.length,t?s:-1,Math.min(this.pinned,r[s].level-1)),u(this.rows,{"aria-activedescendant":this.
list.elementOf(s)?.id??null}),this.extras?.drawn()}fill(e,t,r=!1){let s=this.#t.rows[t],i=cr(this.#t,this.#n,s);this.extras?.dress(i,s),hr(e,
i,r)}show(e,t){this.#n=e,this.list.rowHeight=t?Ta:Us,this.element.style.setProperty("--row",`${this.list.rowHeight}px`),this.heads.replaceChildren(
l("span",{class:"main"},"module"),...e.map(({key:r,label:s,title:i})=>l("span",{class:`num ${r}`,title:i},s)))}takeFocus=()=>this.rows.focus(
{preventScroll:!0})};var $a=1e3,Ra="F fully sharded, f in its unit, R replicated, I ignored. Edits, runs and panels come from the kernel; without one the tree ca\
n be read, folded and walked with the keys.",Et=class{constructor(e){this.model=e;this.talk=new xt(t=>e.send(t)),this.view.rows.addEventListener(
"click",t=>this.#l(t)),this.view.rows.addEventListener("keydown",t=>this.#a(t)&&t.preventDefault()),this.root.append(l("div",{class:"head"},
this.#e," ",this.totals),l("div",{class:"body"},l("div",{class:"outline"},this.view.element)),this.status,this.panels)}model;root=l("div",{class:"\
shx","data-kernel":"alive"});panels=l("div",{class:"slot tab note"},Ra);status=l("div",{class:"status","data-role":"status",role:"status","a\
ria-live":"polite"});talk;view=new Tt;outline;restored="";#e=l("b",{"data-role":"title"});totals=l("span",{class:"note","data-role":"totals"});#t=[];#n=!1;readTree=()=>{
try{let e=Sn(this.#r("tree"));this.outline=new kt(e,At(this.#r("plan"),e))}catch(e){return this.status.replaceChildren(l("b",{},"The tree ca\
nnot be drawn"),l("p",{},String(e))),u(this.status,{"data-kind":"error"})}return m(this.#e,this.outline.tree.title),this.#d(),this.#i("tree"),
this.#s()};readPlan=()=>{this.outline&&(this.outline.plan=At(this.#r("plan"),this.outline.tree),this.outline.rebuild(),this.#s())};#s(){let{
tree:e,plan:t}=this.outline;m(this.totals,`${e.size.toLocaleString("en")} modules`),u(this.root,{"data-rev":t.payload.rev}),this.#i("plan","\
rows"),this.view.draw(this.outline)}hear=e=>{e.type==="reply"&&this.talk.receive(e),this.view.extras?this.view.extras.hear(e):this.#t.length<
$a&&this.#t.push(e)};ready(){u(this.root,{"data-ready":1}),this.outline&&vn(this.talk).then(e=>{if(!this.#n){this.view.extras=e.start(this),
this.view.extras.started();for(let t of this.#t.splice(0))this.hear(t)}},e=>m(this.panels,`The panels could not be loaded: ${e.message}`))}destroy(){
this.#n=!0,this.view.list.destroy(),this.view.extras?.destroy()}#r=e=>String(this.model.get(e)??"");#i=(...e)=>this.view.extras?.changed(...e);#a(e){
if(this.view.extras?.press(e))return!0;let t=zs(e,this.view.list.page-1);return t&&this.act(t),t!==null}#l({target:e,shiftKey:t}){let{cell:r}=e.
dataset,s=this.outline.rows[Number(e.closest("[data-row]")?.dataset.row)];s&&(r==="fold"&&this.outline.isParent(s)?this.#o(()=>this.outline.
toggle(s)):r==="times"?this.#o(()=>this.outline.split(s)):this.moved(()=>this.outline.select(s.at,t)),this.view.takeFocus())}act(e){let{outline:t}=this;
e.do==="move"?this.moved(()=>t.select(t.focus+e.by,e.extend)):e.do==="typeAhead"?this.moved(()=>t.typeAhead(e.char)):e.do==="open"||e.do==="\
close"||e.do==="enter"?this.moved(()=>t[e.do]()):this.#o(()=>t[e.do]())}moved(e){e(),this.#i("focus","rows"),this.view.draw(this.outline,!0)}#o(e){
e(),this.#i("rows"),this.view.draw()}#d(){this.restored=this.#r("view");let{open:e,split:t,selected:r=-1}=JSON.parse(this.restored||"{}");this.
view.show([ke,Te],!1),e&&this.outline.restore(e,t),r>=0&&r<this.outline.tree.size&&this.outline.jump(r)}};function Fs(n){n.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])n.addEventListener(
e,t=>t.stopPropagation())}var Ws=`
:host { display: block; min-width: 0; }
.shx {
  --ink: #1c2430; --soft: #5a6675; --paper: #fff; --raised: #f4f6f9; --line: #d5dbe3; --chosen: #dbe9fb; --ring: #0b5cad; --find: #ffe08a;
  --shard: #0072b2; --shard-ink: #fff; --replicate: #b85c00; --replicate-ink: #fff; --ignore: #6b7280; --ignore-ink: #fff; --bad: #b3261e; -\
-bad-paper: #fdecea;
  --mono: var(--jp-code-font-family, ui-monospace, "DejaVu Sans Mono", monospace);
  color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; overflow: hidden;
  font: 13px/1.4 var(--jp-ui-font-family, system-ui, sans-serif); container-type: inline-size; color-scheme: light;
}
.shx[data-theme="dark"] {
  --ink: #e4e9f0; --soft: #a3afbd; --paper: #14181e; --raised: #1e242c; --line: #38424f; --chosen: #1d3a5c; --ring: #6cb6ff; --find: #6b5600\
;
  --shard: #56b4e9; --shard-ink: #06121c; --replicate: #f0a04b; --replicate-ink: #1c0f00; --ignore: #9aa5b1; --ignore-ink: #10151b; --bad: #\
ff8a80; --bad-paper: #3a1b1b;
  color-scheme: dark;
}
[data-status] { --hue: var(--soft); }
[data-status="F" i] { --hue: var(--shard); --hue-ink: var(--shard-ink); --lane: var(--hue); }
[data-status="R" i] { --hue: var(--replicate); --hue-ink: var(--replicate-ink); --lane: var(--hue); }
[data-status="I" i] { --hue: var(--ignore); --hue-ink: var(--ignore-ink); --lane: var(--hue); }
[hidden] { display: none !important; }
:focus-visible, .rows:focus .row[data-focus] { outline: 2px solid var(--ring); outline-offset: -2px; }
.note, .heads { color: var(--soft); }
.head { padding-bottom: 6px; }
.head b { font-size: 15px; }
[data-cell="swatch"] { box-sizing: border-box; width: 15px; height: 15px; border-radius: 3px; border: 2px solid var(--hue); color: var(--hue\
); font: 700 10px/11px var(--mono); text-align: center; }
[data-status="u"] [data-cell="swatch"] { border-style: dotted; }
:is([data-status="F"], [data-status="R"], [data-status="I"]) [data-cell="swatch"] { background: var(--hue); color: var(--hue-ink); }
[data-status="ref"] [data-cell="swatch"] { visibility: hidden; }
.heads, .row, .pin { display: flex; gap: 6px; padding: 0 6px; }
.heads { font-size: 11px; border-bottom: 1px solid var(--line); scrollbar-gutter: stable; overflow: hidden; cursor: help; }
.rows, .pad { position: relative; }
.rows { overflow: auto; contain: strict; scrollbar-gutter: stable; border-bottom: 1px solid var(--line); resize: vertical; min-height: 26px;\
 }
.stage, .body { display: flex; }
.rows, .outline { flex: 1; min-width: 0; }
.row, .pin { position: absolute; left: 0; right: 0; height: var(--row); line-height: var(--row); white-space: nowrap; cursor: default; font-\
family: var(--mono); font-size: 12px; }
.row::before, .pin::before { content: ""; position: absolute; inset: 0 auto 0 0; width: 4px; background: var(--lane, none); }
[data-lane="starts"]::before { top: 2px; }
.row:hover { background: var(--raised); }
.row[aria-selected="true"] { background: var(--chosen); }
.main { display: flex; flex: 1; align-items: center; gap: 5px; padding-left: var(--indent, 0); min-width: 0; overflow: hidden; }
.words { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
.main > * { flex: none; }
[data-cell="fold"] { width: 14px; text-align: center; color: var(--soft); cursor: pointer; }
.main > :is([data-cell="name"], [data-cell="type"]) { flex-shrink: 1; overflow: hidden; text-overflow: ellipsis; }
[data-cell="name"] { font-weight: 600; }
.main > [data-cell="type"] { color: var(--soft); flex-shrink: 9999; }
.main > :nth-child(n+5) { border: 1px solid var(--line); border-radius: 3px; line-height: 14px; padding: 0 4px; font-size: 11px; }
.main > [data-cell="times"] { border-radius: 9px; padding: 0 7px; cursor: pointer; background: var(--raised); }
[data-alarm="3"] [data-cell="alarm"] { color: var(--bad); border-color: var(--bad); }
.num { flex: none; width: 52px; text-align: right; overflow: hidden; text-overflow: ellipsis; font-variant-numeric: tabular-nums; }
.unit { width: 62px; }
.total { width: 74px; }
.row > .unit:not(:empty) { box-sizing: border-box; border: 1px solid var(--hue); color: var(--hue); border-radius: 9px; font-size: 11px; lin\
e-height: 16px; align-self: center; text-align: center; }
[data-status="F"] > .unit:not(:empty) { background: var(--hue); color: var(--hue-ink); }
.status { overflow-wrap: anywhere; white-space: pre-wrap; }
.status:not(:empty) { padding: 4px 6px; border-left: 3px solid var(--line); }
.status p { margin: 2px 0 0; }
.status[data-kind="error"] { border-color: var(--bad); background: var(--bad-paper); }
@container (max-width: 720px) {
  .body { display: block; }
}
@container (max-width: 420px) {
  .total, .unit { display: none; }
}
@media (forced-colors: active) {
  .row[aria-selected="true"] { outline: 1px solid Highlight; }
}
`;function Sa({model:n,el:e}){let t=new Et(n);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(l("style",{},Ws),t.root),Fs(e);let s=Ns(
t.root),i=[["change:tree",t.readTree],["change:plan",t.readPlan],["msg:custom",t.hear]];for(let[o,a]of i)n.on(o,a);return t.readTree(),Ds(t,
!1),()=>{for(let[o,a]of i)n.off(o,a);s(),t.destroy()}}function Ds(n,e){requestAnimationFrame(()=>{let{outline:t,view:r,root:s}=n;if(!s.isConnected||
t&&!r.rows.clientHeight)return Ds(n,!0);e&&t&&r.draw(t,!0),requestAnimationFrame(()=>n.ready())})}var js={render:Sa};Rt().set(wn,Promise.resolve(Hs));var ku=js;export{ku as default};
