// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var nr="http://www.w3.org/2000/svg";function l(n,e={},...t){return bt(document.createElement(n),e,t)}function E(n,e={},...t){return bt(document.
createElementNS(nr,n),e,t)}function bt(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,
String(s));return n.append(...t),n}function u(n,e){n.textContent!==e&&(n.textContent=e)}function h(n,e){for(let[t,r]of Object.entries(e))r===
null?n.removeAttribute(t):n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function b(n,e,t,r){return l("button",{type:"button","data-cmd":n,title:t,click:r},e)}var vt=["B","KiB","MiB","GiB","TiB","PiB"];function g(n){let e=0,t=n;for(;t>=1023.95&&e<vt.length-1;)t/=1024,e++;return e===0?`${v(n)} B`:`${t.
toFixed(1)} ${vt[e]}`}var Z=n=>n<1024?`${v(n)} bytes`:`${g(n)} (${v(n)} bytes)`,v=n=>n.toLocaleString("en"),K=n=>n===0?"0 %":n<5e-4?"<0.1 %":
`${(100*n).toFixed(1)} %`;function wt(n,e,t){return n===e?"±0":e>n?`+${t(e-n)}`:`−${t(n-e)}`}var kt={status:"status",dfs:"DFS position",unit:"unit",bytes:"bytes per rank"},yt=5,rr=[0,3,1,4,2],xt={colour:"var(--line)",ink:"var(--ink)"};
function G(n){let e=Math.max(0,Math.min(1,n));return{colour:`hsl(${Math.round(205+15*e)} ${Math.round(75-10*e)}% ${Math.round(88-66*e)}%)`,ink:e<
.575?"#000":"#fff"}}function Tt(n,e,t,r){if(n==="dfs")return o=>G(o/Math.max(1,e.size-1));if(n==="unit")return o=>t.unitOf[o]<0?xt:G(rr[t.unitOf[o]%
yt]/(yt-1));if(n==="status")return null;let[s,i]=Be(e,r);return o=>r(o)>0?G(sr(r(o),s,i)):xt}function Be(n,e){let[t,r]=[1/0,0];for(let s=0;s<
n.size;s++){let i=e(s);i>0&&([t,r]=[Math.min(t,i),Math.max(r,i)])}return[Math.min(t,r),r]}var sr=(n,e,t)=>t>e?Math.log(n/e)/Math.log(t/e):1;var $t=([,n])=>n.reduce((e,t)=>e*t,1);function k(n,e){let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}var T=(n,e)=>ir(n)(e);function ir(n){
let e=new Map,t=r=>{let s=e.get(r)??new Map;if(s.size===0)for(let i=r+1;i<n.end[r];i=n.end[i])s.set(n.names[i],i);return e.set(r,s),s};return r=>{
let s=0;for(let i of r===""?[]:r.split("."))if(s=t(s).get(i)??-1,s<0)break;return s}}var or={bool:8,half:16,bfloat16:16,double:64,complex64:64,complex128:128},ar=n=>(or[n]??Number(/\d+/.exec(n)?.[0]??32))/8,lr=n=>/[bs]/.test(
n[3])?0:$t(n)*ar(n[2]);function St(n,e,t){let r=n.classes.map(([,i])=>i.reduce((o,a)=>o+lr(a),0)),s=new Map;for(let{runs:i,numel:o,shard_nbytes:a,
max_shard_nbytes:d}of t)for(let[c,p,m]of i)for(let f=c;f<p;f+=m)s.set(f,o?(d??a)/o:0);return i=>{let o=n.cls[i],a=s.get(e.unitOf[i]);return a===
void 0?r[o]:a*n.own[o]}}var Fe=5,Q=class{constructor(e){this.page=e;this.#n=e.columns.map(({key:i,title:o})=>l("input",{type:"checkbox",value:i,title:o,change:()=>this.#a()}));
let t=e.columns.map(({label:i,title:o},a)=>l("label",{title:o},this.#n[a],` ${i}`)),r=l("div",{class:"sheet"}),s=l("details",{class:"menu"},
l("summary",{"data-role":"columns"},"Columns"),r);s.addEventListener("toggle",()=>r.replaceChildren(...s.open?t:[])),this.element=l("div",{class:"\
bar appearance"},l("label",{},"colour by ",this.#t),this.#e,s,l("label",{},this.#i," compact")),this.#r=e.kept("colour")??"status",this.#t.value=
this.#r,this.#i.checked=e.kept("compact")===!0}page;element;#t=l("select",{"data-role":"colour-by",change:()=>this.#l(this.#t.value)},...Object.
entries(kt).map(([e,t])=>l("option",{value:e},t)));#e=l("span",{class:"scale","data-role":"scale",role:"img"});#n;#i=l("input",{type:"checkb\
ox","data-role":"compact",change:()=>this.page.compact(this.#i.checked)});#r="status";#o=!1;update(e){for(let t of this.#n)t.checked=!this.page.
hidden.has(t.value);["tree","plan","costs"].some(t=>e.has(t))&&this.#s()}destroy=()=>{};#l(e){this.#r=e,this.page.keep("colour",e),this.#s()}#a(){
this.page.hide(this.#n.filter(e=>!e.checked).map(e=>e.value)),this.#s()}#s(){let{page:e}=this,r=this.#r==="bytes"||!e.hidden.has("bytes")?this.#d():
null;e.measure(r);let s=r?dr(e.tree.size,e.tree.end,r):()=>0;e.paint(Tt(this.#r,e.tree,e.plan,s)),this.#c(s)}#d(){let e=this.page.trait("cos\
ts");return e?St(this.page.tree,this.page.plan,e.units):(this.#o||this.page.ask("what_if",{}),this.#o=!0,null)}#c(e){let{tree:t,plan:r}=this.
page,[s,i]=this.#r==="bytes"?Be(t,e):[0,0],o={status:()=>"",dfs:d=>`#${Math.round(d*(t.size-1))}`,unit:d=>r.state.units.length?`u${[0,2,4,1,
3][d*(Fe-1)]}+5k`:"",bytes:d=>i>0?g(s*(i/s)**d):""},a=Array.from({length:Fe},(d,c)=>c/(Fe-1)).filter(d=>o[this.#r](d));this.#e.replaceChildren(
...a.map(d=>{let c=l("span",{},o[this.#r](d)),{colour:p,ink:m}=G(d);return c.style.cssText=`background:${p};color:${m}`,c})),this.#e.setAttribute(
"aria-label",`From light to dark: ${a.map(o[this.#r]).join(", ")}`),this.#e.hidden=a.length===0,this.#r==="bytes"&&i===0&&(this.#e.hidden=!1,
u(this.#e,"the costs are being worked out"))}};function dr(n,e,t){let r=new Float64Array(n+1);for(let s=0;s<n;s++)r[s+1]=r[s]+t(s);return s=>r[e[s]]-
r[s]}function Rt(n,e,t,r){if(n.cls[t]!==n.cls[r])return n.classes[n.cls[t]][0]===n.classes[n.cls[r]][0]?"structure":"type";let{status:s,head:i,alarm:o}=e,
a=n.end[t]-t,d=(c,p)=>c>=p&&c<p+a?c-p:-2-c;for(let c=0;c<a;c++){if(s[t+c]!==s[r+c])return"status";if(d(i[t+c],t)!==d(i[r+c],r))return"owner";
if(Et(e,t+c)!==Et(e,r+c))return"unit settings";if(o[t+c]!==o[r+c])return"findings";let p=cr(n,t,r,c,d);if(p)return p}return""}function Et(n,e){
let t=n.head[e]===e&&n.unitAt.get(e);return t?`${t.setting} ${t.nparams} ${t.members.length}`:""}function cr({links:n},e,t,r,s){if(n.size===
0)return"";let[i,o]=[n.get(e+r)??[],n.get(t+r)??[]];for(let a=0;a<i.length||a<o.length;a++){let[d,c]=[i[a],o[a]];if(!d||!c||d.label!==c.label||
s(d.target,e)!==s(c.target,t))return d?.kind==="shared modules"?d.kind:(c??d).kind}return""}function ee(n,e){return n.flatMap(([r,...s])=>{let i=s.splice(0,e),o=[r];for(let a=0;a<s.length;a+=2){let d=o,[c,p]=[s[a],s[a+1]];o=Array.from(
{length:c},(m,f)=>d.map(y=>y+f*p)).flat()}return o.map(a=>[a,...i])}).sort((r,s)=>r[0]-s[0])}function We([n,...e],t){let r=new Array(t).fill(
n);for(let[s,i]of ee(e,1))r[s]=i;return r}var R="uFfRrIi";function te(n){let e=1;for(let t=n.scope;t;t=t.outer)e*=t.times;return e}function I(n){let e=n.node;for(let t=n.scope;t;t=t.outer)e+=(t.times-
1)*t.stride;return e}function M(n){if(n.members)return n.members;let e=[n.node];for(let t=n.scope;t;t=t.outer){let{times:r,stride:s}=t;e=Array.
from({length:r},(i,o)=>e.map(a=>a+o*s)).flat()}return n.members=e}function De(n){let[e,t]=[0,0];for(let r=n.scope;r;r=r.outer){if(e===0)e=r.
stride;else if(r.stride!==t)return-1;t=r.stride*r.times}return e}function Mt(n,e){let t=e.ref<0?[]:[n.refs[e.ref][1]],r=e.ref<0?e.node:n.refs[e.
ref][0],s=e.scope;for(;r>0;r=n.parent[r]){let i=s!==null&&s.first===r;t.push(i?pr(n,s):n.names[r]),i&&(s=s.outer)}return t.reverse().join(".")}
function pr(n,{first:e,times:t,period:r}){let s=n.names[e];if(t===1)return s;let i=`${s}–${Number(s)+(t-1)*r}`;return r===1?i:`(${i})/${r}`}var hr={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},P=[...R].map(n=>({letter:n,...hr[n]})),ur=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function C(n){for(let[e,t]of ur)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function ne(n){
if(n.length===0||n.some(t=>t<0))return"";let e=(n[1]??n[0])-n[0];return n.every((t,r)=>t===n[0]+r*e)?je(n[0],e):`${n.reduce((t,r)=>Math.min(
t,r))}…`}function je(n,e){let t=Math.abs(e)===1?"":Math.abs(e);return e===0?String(n):`${n}${e<0?"−":"+"}${t}k`}function Ke(n,e){let t=n.
unitOf[e.node],r=n.unitOf[I(e)];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}function mr(n,e){return P[n.status[e.node]]}function Ct(n,e,t){let r=Mt(
n,t)||"the root module";if(t.ref>=0)return`${r}: the same module as ${k(n,t.node)||"the root"}, number ${t.node}`;let[s]=n.classes[n.cls[t.node]],
i=n.total[n.cls[t.node]],o=C(i),a=te(t),d=e.unitAt.get(t.node);return[`${r}, ${s}${t.times>1?`, ${t.times} alike`:""}`,mr(e,t).word,Ke(e,t).
replace("u","unit "),a>1?`${o} parameters each, ${C(i*a)} together`:`${o} parameters`,d&&d.handle!==null?`handle ${d.handle}`:"",t.beside<0?
"":`differs from its neighbours in ${Rt(n,e,t.beside,t.node)}`,e.alarm[t.node]===3?"has a conflict":e.alarm[t.node]?"has a finding":""].filter(
Boolean).join(", ")}function Pt(n,e){let[,t]=n.classes[n.cls[e]];return t.map(([r,s,i,o])=>`${r} [${s.join(", ")}] ${i}${fr(o)}`).join("; ")}
var fr=n=>(n.includes("b")?" buffer":"")+(n.includes("f")?" frozen":"")+(/[ts]/.test(n)?" tied":"");var U=(n,e,t,r)=>({key:n,label:e,title:t,text:r}),qe=[U("total","subtree","Elements of the subtree, each tensor once; of each one of a ×n ro\
w",({tree:n},{node:e})=>re(n.total[n.cls[e]],C)),U("unit","unit","The unit that owns the parameters",({plan:n},e)=>Ke(n,e)),U("dfs","#","Pla\
ce in the pre-order (DFS); k counts the modules of a ×n row",(n,e)=>`#${De(e)<0?`${e.node}…`:je(e.node,De(e))}`),U("handle","H","Place of\
 the unit's handle in get_handles(root)",Ge("handle")),U("init_c","I₁","When its handle is made by fully_shard (composable path)",Ge("init\
_c")),U("init_w","I₂","When its handle is made by FullyShardedDataParallel (wrapper path)",Ge("init_w"))],re=(n,e)=>n>0?e(n):"";function Ge(n){
return({plan:{unitAt:e,texts:t}},r)=>{if(!e.has(r.node))return"";let s=`${n} ${r.node} ${te(r)}`,i=t.get(s)??ne(M(r).map(o=>e.get(o)?.[n]??-1));
return t.set(s,i),i}}var gr={code:"",last:"",undo:!1,redo:!1},Ot=new WeakMap;function B(n,e){let t=Ot.get(e)??br(n,e);return Ot.set(e,t),t}function br(n,e){let{payload:t}=e,
r=vr(n,e),s={...gr,...t,units:r,orders:wr(r),conflicts:t.conflicts.map(i=>Lt(i,n)),findings:t.findings.map(i=>Lt(i,n))};return{...e,state:s,
unitAt:new Map(r.map(i=>[i.index,i]))}}function vr(n,{payload:e,unitAt:t}){let{num:r,apart:s,within:i,settings:o}=e.units,[a,d]=[We(s??[0],r),
We(i??[null],r)];return[...t.values()].map(c=>{let[p,m]=o[c.setting],f=c.members.map(y=>k(n,y));return{...c,fqns:f,is_root:c.local_root===c.
n,apart:a[c.n],within:d[c.n],strategy:p,options:m}})}function wr(n){let e={handles:[],init_composable:[],init_wrapper:[]};for(let{fqns:t,init_c:r,
init_w:s,apart:i,local_root:o}of n){if(r===null)continue;let a=i?`:${n[o].fqns[0]}`:"";(e[`init_composable${a}`]??=[])[r]=t[0],(e[`init_wrap\
per${a}`]??=[])[s]=t[0],e[`handles${a}`]=e[`init_composable${a}`]}for(let t in e)t.startsWith("handles")&&(e[t]=e[t].slice().reverse());return e}
function Lt(n,e){let t=ee(n.at,1),r=([s,i])=>[k(e,s),i].filter(Boolean).join(".");return{...n,indices:t.map(([s])=>s),fqns:t.map(r)}}var _t=["own","bytes","exec"],se=class{execution=new Map;#t=null;columns=[{key:"own",label:"own",title:"Elements of the module's direct para\
meters",text:({tree:e},{node:t})=>re(e.own[e.cls[t]],C)},qe[0],{key:"bytes",label:"B/rank",title:"Parameter bytes of the subtree on rank 0 b\
etween steps, as Costs is set",text:({tree:e},{node:t})=>this.#e(e,t)},...qe.slice(1),{key:"exec",label:"X",title:"When the last run unshard\
ed it: → forward, ← backward, counted through the step",text:({tree:e,plan:t},r)=>yr(B(e,t).unitAt,r,this.execution)}];measure(e,t){this.#t=
t&&new Float64Array(e+1);for(let r=0;this.#t&&r<e;r++)this.#t[r+1]=this.#t[r]+t(r)}#e({end:e},t){let r=this.#t;return r?re(r[e[t]]-r[t],g):""}};
function yr(n,e,t){if(t.size===0||!n.has(e.node))return"";let r=M(e).map(i=>t.get(n.get(i)?.fqns[0]??"\0")),s=(i,o)=>{let a=r.length===1?r[0]?.[o].
join(",")??"":ne(r.map(d=>d?.[o][0]??-1));return a&&i+a};return[s("→","forward"),s("←","backward")].filter(Boolean).join(" ")}var q=class{constructor(e=[],t){this.nodes=e;this.tree=t;if(e.length===0||!t)return;let r=new Int32Array(t.size+1);for(let s of e)r[s+1]=1;for(let s=0;s<
t.size;s++)r[s+1]+=r[s];this.#t=r}nodes;tree;#t=null;at(e,t){let r=this.#t;if(!r||e.ref>=0)return null;let{end:s}=this.tree;if(r[s[I(e)]]===
r[e.node])return null;let i=M(e);return i.some(o=>r[o+1]>r[o])?"on":!t&&i.some(o=>r[s[o]]>r[o+1])?"in":null}};var xr={shard:"shard",replicate:"replicate",ignore:"ignore",none:"line"},ie=class{constructor(e){this.core=e;e.view.rows.addEventListener("m\
ouseover",this.#u),e.view.rows.addEventListener("mouseleave",this.#m)}core;#t=new q;#e=null;#n=new Map;#i=new Set;#r="";#o={now:[],live:[]};#l={
now:new Set,live:new Set};#a=[];#s;#d;dress(e,t){let{outline:r}=this.core,{tree:s}=r,i=r.rows[t],o=i.ref<0;r.rows!==this.#a&&this.#p();let a=o?
this.#n.get(i.node):void 0;if(a!==void 0){let{letter:c,hue:p,glyph:m}=P.find(f=>f.letter===a);Object.assign(e.attributes,{"data-status":c,"d\
ata-hue":p}),e.main[1]=m}Object.assign(e.attributes,{"data-hit":this.#t.at(i,r.isOpen(i)),"data-pending":a!==void 0||null,"data-refused":this.#i.
has(i.node)||null,"data-dim":this.#r!==""&&!(s.tiesOf.get(i.node)??[]).includes(this.#r)||null}),Object.assign(e.item,{"data-now":this.#l.now.
has(t)||null,"data-live":this.#l.live.has(t)||null}),this.#c(e,o?i:null);let d=!o||r.isOpen(i)&&i.times===1?0:this.#h(i.node);d&&e.marks.push(
["inside",`${d} tied inside`]),kr(e)}colourOf(e){return this.#e?.(e)?.colour??`var(--${xr[P[this.core.outline.plan.status[e]].hue]})`}point(e,t){
this.#o[e]=t,this.#a=[],this.core.view.redraw()}paint(e){this.#e=e,this.core.view.redraw()}find(e){this.#t=new q(e,this.core.outline.tree),this.
core.view.redraw()}pend(e,t){this.#n=new Map(t?e.map(r=>[r,t]):[]),this.#i=new Set(t?[]:e),this.core.view.redraw()}destroy(){this.core.view.
rows.removeEventListener("mouseover",this.#u),this.core.view.rows.removeEventListener("mouseleave",this.#m)}#c(e,t){let[r,s]=t&&this.#e?[this.#e(
t.node),this.#e(I(t))]:[null,null];e.attributes["data-painted"]=r&&!0,e.style["--hue"]=r?.colour??null,e.style["--hue-ink"]=r?.ink??null,e.style["\
--lane"]=r&&I(t)>t.node?`linear-gradient(${r.colour}, ${s.colour})`:null}#p(){let{outline:e}=this.core;this.#a=e.rows;for(let t of["now","li\
ve"])this.#l[t]=new Set(this.#o[t].map(r=>e.rowOf(r)))}#h(e){let{tree:t}=this.core.outline;if(t.tiesOf.size===0)return 0;if(!this.#s||this.#d!==
t){this.#d=t,this.#s=new Int32Array(t.size+1);for(let r of t.tiesOf.keys())this.#s[r+1]=1;for(let r=0;r<t.size;r++)this.#s[r+1]+=this.#s[r]}
return this.#s[t.end[e]]-this.#s[e+1]}#u=({target:e})=>this.#f(e);#m=()=>this.#f(null);#f(e){let t=e?.dataset.cell==="ties"?e.textContent.split(
" ")[1]:"";t!==this.#r&&(this.#r=t,this.core.view.redraw())}};function kr({cells:n}){let e=n.filter(({attributes:r})=>String(r["data-cell"]).
startsWith("init_")),t=e.length===2&&e[0].text?e[0].text===e[1].text?"same":"differ":null;for(let r of n)r.attributes["data-pair"]=e.includes(
r)?t:null,r.text.endsWith("…")&&(r.attributes.title="irregular; the least")}function oe(n){let e=n.map(t=>[t]);for(let t=0;t<3;t++)e=Tr(e);return e.map(t=>t.length===1?t[0]:t)}function Tr(n){let e=[];for(let t=0;t<n.
length;){let r=t+1<n.length?n[t+1][0]-n[t][0]:0,s=t+1;for(;s<n.length&&n[s][0]-n[s-1][0]===r&&$r(n[s],n[t]);)s++;s-t>2?e.push([...n[t],s-t,r]):
e.push(...n.slice(t,s=Math.max(t+1,s-1))),t=s}return e}var $r=(n,e)=>n.length===e.length&&n.every((t,r)=>r===0||t===e[r]);function ae(n){let e=n.rows.filter((t,r)=>t.ref<0&&n.isSelected(r));return[...new Set([...e.flatMap(M),...n.like])].sort((t,r)=>t-r)}function At(n){
let{cls:e}=n.tree,t=e[n.rows[n.focus].node];n.like=new Set(Array.from(e.keys()).filter(r=>e[r]===t)),n.anchor=n.focus}function It({focus:n,anchor:e,
like:t}){let r=Math.abs(n-e)+1;return[r>1?`${r} rows selected`:"",t.size>1?`${t.size} alike selected`:""].filter(Boolean).join(" · ")}var Sr={fully_shard:"F",replicate:"R",ignore:"I",clear:"u"},Er={run:"The run has started.",stop:"The run is being stopped.",undo:"Undone.",redo:"\
Redone."},Rr="No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a res\
tart.",le=class{constructor(e,t,r,s,i){this.core=e;this.patience=t;this.dressing=r;this.status=s;this.isLive=i;this.gone.hidden=!0}core;patience;dressing;status;isLive;gone=l(
"div",{class:"gone","data-role":"gone",role:"alert"},Rr);silent(e){this.gone.hidden=!e,h(this.core.root,{"data-kernel":e?"gone":"alive"})}act=e=>{
switch(e.do){case"mark":return this.#t("mark",{verb:e.verb});case"group":return this.#t("group");case"undo":case"redo":return void this.command(
e.do);case"find":return this.core.root.querySelector('[data-role="find"]')?.focus();case"selectLike":return this.core.moved(()=>At(this.core.
outline))}};command=async(e,t={},r=[])=>{let{dressing:s,status:i}=this,{root:o,outline:a}=this.core,{verb:d}=t;s.pend(r,Sr[d??"fully_shard"]),
h(o,{"data-waiting":e});let c=await this.patience.ask(e,t);return h(o,{"data-waiting":null}),s.pend(c.ok?[]:r),c.ok?(e!=="stop"||this.isLive())&&
i.tell(Er[e]??(B(a.tree,a.plan).state.last||e)):i.refuse(c.error??{title:"The kernel refused",detail:"It gave no reason."}),c.ok};#t(e,t={}){
let r=ae(this.core.outline);r.length?this.command(e,{...t,indices:oe(r)},r):this.status.refuse({title:"This row is a reference",detail:"Its \
module is listed elsewhere: Enter goes there, then mark it."})}};function Nt(n){let e=new Map,t=0;for(let[r,s,i]of Mr(n)){if(s!=="U")continue;let o=e.get(i)??{forward:[],backward:[]};o[r==="B"?"backward":"\
forward"].push(t++),e.set(i,o)}return e}function Mr(n){let e=s=>n.slice(s).find(([,i])=>i==="U")?.[2],t=e(0),r=([s],i)=>s==="F"&&n[i-1]?.[0]!==
"F"&&e(i)===t;return n.slice(Math.max(0,n.findLastIndex(r)))}var F={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,events:[],error:null,log:[],seconds:0},
Cr=500,zt=n=>n?{...F,...JSON.parse(n)}:F;function Ut(n,e){let t=e.id!==void 0&&e.id!==n.id?F:n;return e.seq!==void 0&&t!==F&&e.seq<=t.seq?n:
{...t,...e,losses:[...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-Cr)}}var O=n=>n.phase==="starting"||n.phase==="running",Ht={
idle:"Not run yet.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function de(n){let e=[n.backend,n.devices].
filter(Boolean).join(", "),t=n.nprocs?` on ${n.nprocs} ${n.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",r=n.steps?`, step ${n.step} o\
f ${n.steps}`:"",s=n.seconds?`, ${n.seconds.toFixed(1)} s`:"";return n.phase==="idle"?Ht.idle:`${Ht[n.phase]}${t}${r}${s}`}var ce=class{constructor(e,t,r,s){this.model=e;this.status=t;this.changed=r;this.executed=s;e.on("change:run",this.#n),e.on("change:costs",this.#t),
e.on("change:comparison",this.#e),this.#n()}model;status;changed;executed;run=F;hear(e){e.type==="run"?this.#i(Ut(this.run,e)):e.type==="not\
ice"&&this.status.refuse(e.error)}destroy(){this.model.off("change:run",this.#n),this.model.off("change:costs",this.#t),this.model.off("chan\
ge:comparison",this.#e)}#t=()=>this.changed("costs");#e=()=>this.changed("comparison");#n=()=>this.#i(zt(String(this.model.get("run")??"")));#i(e){
let[t,r]=[O(this.run),O(e)],{events:s}=this.run;this.run=e,e.events!==s&&this.executed(Nt(e.events));let{status:i}=this;r&&!t?i.tell("The ru\
n has started."):t&&!r&&!i.failing&&i.tell(de(e)),this.changed("run")}};var Pr=[["u7","unit"],["H I₁ I₂","handles: listed, made by fully_shard, by the wrapper"],["5+10k","k-th of a ×n row"],["↪","same modu\
le again"],["tie a","tied parameters"],["fz","frozen"],["▲","finding"],["!","conflict"]];function Bt(){let n=P.map(({letter:t,glyph:r,hue:s,
word:i})=>l("span",{class:"key","data-status":t,"data-hue":s},l("span",{"data-cell":"swatch"},r),i)),e=Pr.map(([t,r])=>l("span",{class:"key"},
l("b",{},t),r));return l("div",{class:"legend",role:"group","aria-label":"Legend"},...n,...e)}var Or=["mark","group","undo","redo","find","selectLike"],Ft=n=>Or.includes(n.do),Lr={f:{do:"mark",verb:"fully_shard"},r:{do:"mark",verb:"re\
plicate"},i:{do:"mark",verb:"ignore"},u:{do:"mark",verb:"clear"},g:{do:"group"},l:{do:"selectLike"},"/":{do:"find"}};function Wt({key:n,shiftKey:e,
ctrlKey:t,metaKey:r,altKey:s}){let i=n.toLowerCase();return s?null:!t&&!r?Lr[i]??null:i==="z"?{do:e?"redo":"undo"}:i==="y"?{do:"redo"}:null}var _r={set:(n,e)=>setTimeout(n,e),clear:n=>clearTimeout(n)},pe=class{constructor(e,t,r=_r){this.talk=e;this.onSilence=t;this.clock=r}talk;onSilence;clock;#t=new Set;#e=!1;async ask(e,t={}){
let r=this.clock.set(()=>this.#n(!0),1e4);this.#t.add(r);let s=await this.talk.ask(e,t);return this.clock.clear(r),this.#t.delete(r),s}hear=()=>this.#n(
!1);destroy(){for(let e of this.#t)this.clock.clear(e);this.#t.clear()}#n(e){this.#e!==e&&(this.#e=e,this.onSilence(e))}};var he=class{constructor(e){this.core=e}core;#t={};#e;soon(){clearTimeout(this.#e),this.#e=setTimeout(()=>this.#n(),250)}read=()=>({...this.
core.savedView(),...this.#t});keep(e,t){this.#t[e]=t,this.soon()}destroy=()=>clearTimeout(this.#e);#n(){let{core:e}=this,{rows:t,focus:r,isOpen:s,
folds:i}=e.outline,o=t.filter(s).map(({node:a})=>a).slice(0,2e3);e.written=JSON.stringify({...this.read(),selected:t[r].node,open:o,split:[...i.
split]}),e.model.set("view",e.written),e.model.save_changes()}};var ue=class{constructor(e){this.element=e}element;get failing(){return this.element.dataset.kind==="error"}get empty(){return this.element.
textContent===""}tell(e){this.element.replaceChildren(e),h(this.element,{"data-kind":"told"})}refuse({title:e,detail:t}){this.element.replaceChildren(
l("b",{},e),l("p",{},t)),h(this.element,{"data-kind":"error"})}};var me=class{constructor(e){this.opened=e;this.element.append(this.#t)}opened;element=l("div",{class:"panels"});#t=l("div",{class:"tabs",role:"\
tablist","aria-label":"Panels",keydown:e=>this.#n(e)});#e=[];get current(){return this.#e.find(({place:e})=>!e.hidden)?.name??""}place(e,t){
let r=this.#e.find(o=>o.name===e);if(r)return r.place;let s=l("button",{type:"button",role:"tab",id:`tab-${e}`,"data-tab":e,"aria-selected":"\
false",tabindex:-1,click:()=>this.open(e)},t),i=l("div",{role:"tabpanel","aria-labelledby":s.id});return i.hidden=!0,this.#e.push({name:e,tab:s,
place:i}),this.#t.append(s),this.element.append(i),i}label(e,t){let r=this.#e.find(s=>s.name===e)?.tab;r&&u(r,t)}open(e){for(let{name:t,tab:r,
place:s}of this.#e)s.hidden=t!==e,h(r,{"aria-selected":t===e,tabindex:t===e?0:-1});this.opened(e)}#n(e){let t={ArrowRight:1,ArrowLeft:-1}[e.
key];if(!t)return;let r=this.#e.findIndex(({name:i})=>i===this.current),s=this.#e[(r+t+this.#e.length)%this.#e.length];this.open(s.name),s.tab.
focus()}};var Ar=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷ Redo","Redo (Ctrl+Shif\
t+Z)",{do:"redo"}],null,["open_all","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",
{do:"closeAll"}],["split","Split ×n","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],Dt=["fully_s\
hard","replicate","ignore","clear"],Ir={fully_shard:["shard","F"],replicate:["replicate","R"],ignore:["ignore","I"]};function Ve(n,e,t,r){let s=b(
n,e,t,r),[i,o]=Ir[n]??["none",""];return s.dataset.hue=i,(o||!e)&&s.prepend(l("span",{"data-cell":"swatch","aria-hidden":"true",class:o?"":"\
empty"},o)),e||s.classList.add("bare"),s}var fe=class{element=l("div",{class:"bar",role:"toolbar","aria-label":"Plan",keydown:e=>this.#e(e)});#t=new Map;constructor(e){
for(let t of Ar){if(t===null){this.element.append(l("span",{class:"gap"}));continue}let[r,s,i,o]=t,a=Ve(r,s,i,()=>e(o));this.#t.set(r,a),this.
element.append(a),a.tabIndex=this.#t.size===1?0:-1}}enable(e,t){this.#t.get(e).disabled=!t}#e(e){let t=[...this.#t.values()].filter(i=>!i.disabled),
r=t.findIndex(i=>i===e.target),s={ArrowRight:r+1,ArrowLeft:r-1+t.length,Home:0,End:t.length-1}[e.key];if(!(r<0||s===void 0)){e.preventDefault();
for(let i of this.#t.values())i.tabIndex=-1;t[s%t.length].tabIndex=0,t[s%t.length].focus()}}};var Nr="Select modules (click, Shift+click, arrows; L all alike), then mark them: F fully shard, R replicate, I ignore, U clear. / finds.",Hr=[
"tree","plan","run","costs","comparison","focus","rows","scroll","hits","colour","theme","size"],ge=class{constructor(e,t,r){this.core=e;this.#o=
new ie(e),this.#a=new he(e),this.#s=new ue(e.status),this.#l=new pe(e.talk,s=>this.#i.silent(s)),this.#i=new le(e,this.#l,this.#o,this.#s,()=>O(
this.run)),this.#r=new ce(e.model,this.#s,s=>this.changed(s),this.#f),this.#e=new fe(s=>Ft(s)?this.#i.act(s):e.act(s)),this.hidden=new Set(this.#a.
read().hidden??_t),e.root.after(l("style",{},r)),e.slots.tools.append(this.#e.element),e.slots.tab.replaceChildren(this.#n.element),e.slots.
tab.classList.remove("note"),e.slots.tab.before(this.#i.gone);for(let[s,i]of Object.entries(t)){let o=i.slot==="tab"?this.#n.place(s,i.label):
e.slots[i.slot].appendChild(l("div",{"data-panel":s}));this.#d.set(s,{kind:i,place:o,owed:new Set(Hr),scrolled:[]})}e.slots.tools.append(Bt()),
this.#u(),this.#s.empty&&this.#s.tell(Nr),this.#g(),this.#m(),this.#n.open("run")}core;hits=[];hidden;#t=new se;#e;#n=new me(()=>this.#b());#i;#r;#o;#l;#a;#s;#d=new Map;#c=new Set;#p=new Set;#h=0;get root(){
return this.core.root}get tree(){return this.core.outline.tree}get plan(){return B(this.tree,this.core.outline.plan)}get run(){return this.#r.
run}get rows(){return this.core.outline.rows}get focus(){return this.core.outline.focus}get focused(){return this.rows[this.focus].node}get selected(){
return ae(this.core.outline)}get columns(){return this.#t.columns}get viewport(){return this.core.view.viewport}trait=e=>JSON.parse(String(this.
core.model.get(e)||"null"));rowOf=e=>this.core.outline.rowOf(e);colourOf=e=>this.#o.colourOf(e);kept=e=>this.#a.read()[e];ask=(e,t={})=>this.#l.
ask(e,t);command=(e,t={},r=[])=>this.#i.command(e,t,r);tell=e=>this.#s.tell(e);refuse=e=>this.#s.refuse(e);scrollTo=e=>this.core.view.scrollTo(
e);point=(e,t)=>this.#o.point(e,t);focusTree=()=>this.core.view.takeFocus();keep=(e,t)=>this.#a.keep(e,t);label=(e,t)=>this.#n.label(e,t);open=e=>this.#n.
open(e);reveal=e=>{e>=0&&this.core.moved(()=>this.core.outline.jump(e)),this.focusTree()};measure=e=>{this.#t.measure(this.tree.size,e),this.
core.view.redraw()};hide=e=>{this.hidden=new Set(e),this.#g(),this.keep("hidden",[...this.hidden]),this.changed("rows")};find=e=>{this.hits=
e,this.#o.find(e),this.changed("hits")};paint=e=>{this.#o.paint(e),this.changed("colour")};compact=e=>{this.core.view.compact(e),this.keep("\
compact",e),this.changed("size")};subscribe(e){return this.#c.add(e),()=>this.#c.delete(e)}dress=(e,t)=>this.#o.dress(e,t);press(e){let t=Wt(
e);return t&&this.#i.act(t),t!==null}hear(e){this.#l.hear(),this.#r.hear(e)}changed(...e){for(let t of e)this.#p.add(t);this.#h||=requestAnimationFrame(
()=>this.#v()),e.includes("plan")&&this.#u(),e.includes("rows")&&this.#m(),e.includes("rows")&&!e.includes("plan")&&this.#a.soon()}destroy(){
cancelAnimationFrame(this.#h),this.#r.destroy(),this.#o.destroy(),this.#l.destroy(),this.#a.destroy();for(let{panel:e}of this.#d.values())e?.
destroy()}#u(){let{undo:e,redo:t,conflicts:r,findings:s}=this.plan.state,i=r.length+s.length;this.label("findings",i?`Findings (${i})`:"Find\
ings"),this.#e.enable("undo",e),this.#e.enable("redo",t),this.#s.failing&&this.#s.tell("The plan has changed.")}#m(){let{tree:e,plan:t,rows:r,
focus:s}=this.core.outline,i=r[s],o=[It(this.core.outline),Ct(e,t,i),i.ref<0?Pt(e,i.node):""];u(this.core.detail,o.filter(Boolean).join(" · "))}#f=e=>{
this.#t.execution=e,this.core.view.redraw()};#g=()=>this.core.view.show(this.columns.filter(({key:e})=>!this.hidden.has(e)));#v(){this.#h=0;
let e=new Set(this.#p);this.#p.clear();for(let{owed:t}of this.#d.values())for(let r of e)t.add(r);this.#b();for(let t of this.#c)t(e)}#b(){for(let[
e,t]of this.#d){let{place:r,panel:s}=t;if(r.hidden){s?.element.isConnected&&zr(t);continue}if(s&&!s.element.isConnected&&Ur(t),t.owed.size===
0)continue;let i=t.owed;t.owed=new Set;try{t.panel??=this.#w(t),t.panel.update(i)}catch(o){this.#d.delete(e),r.replaceChildren(l("p",{class:"\
note"},`The panel ${e} failed: ${o}`)),console.error(o)}}}#w({kind:e,place:t}){let r=e.make(this);return t.append(r.element),r}};function zr(n){
let{element:e}=n.panel;n.scrolled=[...e.querySelectorAll("*")].filter(({scrollTop:t})=>t>0).map(t=>[t,t.scrollTop]),e.remove()}function Ur({
place:n,panel:e,scrolled:t}){n.append(e.element);for(let[r,s]of t)r.scrollTop=s}var be=class{constructor(e){this.page=e;let t=(r,s)=>b(r,"Copy","Copy to the clipboard",()=>{Br(s.textContent??"").then(i=>e.tell(i))});this.
element=l("div",{class:"code"},l("p",{},"Last edit: ",this.last," ",t("copy_last",this.last)),l("p",{},"The whole plan: ",t("copy_code",this.
whole)),this.whole)}page;element;last=l("code",{"data-role":"last-code"});whole=l("pre",{"data-role":"code",tabindex:0});update(e){if(!e.has(
"plan"))return;let{state:t}=this.page.plan;u(this.last,t.last||"none yet"),u(this.whole,t.code||"plan = Plan()")}destroy=()=>{}};async function Br(n){
try{return await navigator.clipboard.writeText(n),"Copied."}catch{return"The page may not write to the clipboard: select the text and copy i\
t by hand."}}var jt=1,Je=16e6,L=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=l("div",{...t,scroll:()=>this.#c()},this.#t),
typeof ResizeObserver<"u"&&(this.#l=new ResizeObserver(()=>this.paint()),this.#l.observe(this.view))}rowHeight;make;fill;view;#t=l("div",{class:"\
pad",role:"presentation"});#e=[];#n=[];#i=0;#r=0;#o=0;#l;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.rowHeight))}get first(){
return this.view.scrollTop*this.#a/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight/this.#a}get#a(){let e=this.#i*this.rowHeight,
{clientHeight:t}=this.view;return e<=Je?1:(e-t)/(Je-t)}show(e,t=-1,r=0){this.#i=e,this.#t.style.height=`${Math.min(Je,e*this.rowHeight)}px`,
this.#n.fill(-1),t>=0&&this.#s(t,r),this.paint()}paint(){let e=this.page+1+2*jt,t=Math.max(0,Math.floor(this.first)-jt),r=this.view.scrollTop*
(1-this.#a);r!==this.#o&&this.#n.fill(-1),this.#o=r;let s=Math.min(this.#i,t+e);this.#d(Math.min(this.#i,e));let i=this.#e.length,o=new Set;
for(let a=t;a<s;a++){let d=a%i;o.add(d),this.#n[d]!==a&&(this.#n[d]=a,this.#e[d].hidden=!1,this.#e[d].style.transform=`translateY(${a*this.rowHeight+
r}px)`,this.fill(this.#e[d],a))}this.#e.forEach((a,d)=>{o.has(d)||(a.hidden=!0,this.#n[d]=-1)})}elementOf(e){let t=this.#n.indexOf(e);return t<
0?void 0:this.#e[t]}destroy(){this.#l?.disconnect(),cancelAnimationFrame(this.#r)}#s(e,t){let r=this.view.clientHeight/this.rowHeight;e<this.
first+t?this.jumpTo(Math.max(0,e-t)):r>0&&e+1>this.first+r&&this.jumpTo(e+1-r)}#d(e){if(!(e<=this.#e.length)){for(;this.#e.length<e;){let t=this.
make(this.#e.length);this.#e.push(t),this.#t.append(t)}this.#n=this.#e.map(()=>-1)}}#c(){cancelAnimationFrame(this.#r),this.#r=requestAnimationFrame(
()=>this.paint())}};var Ze=["visit","again","barred","leave","take"],Qe=[];function*et(n,e){let t=[],r=new Uint8Array(n.tree.size);for(let s of n.starts){let i=[
s];for(;i.length>0;){let o=Fr(n,e,r,i.pop());for(let a of o.pushed)i.push(a);o.finds&&t.push(o.node),yield o}}for(;t.length>0;)yield{node:t.
pop(),act:"take",produces:!0,finds:!1,pushed:Qe}}function Fr(n,e,t,r){let s={produces:!1,finds:!1,pushed:Qe};if(r<0)return{...s,node:~r,act:"\
leave",produces:n.handles.has(~r)};if(t[r])return{...s,node:r,act:"again"};let i=e==="modules"||e==="rightToLeft";if(!i&&n.barred.has(r))return{
...s,node:r,act:"barred"};t[r]=1;let o=tt(n.tree,r);if(e!=="rightToLeft"&&o.reverse(),e==="wrapper")return{...s,node:r,act:"visit",pushed:[~r,
...o]};let a=n.handles.has(r);return{node:r,act:"visit",produces:i||e==="handles"&&a,finds:e==="composable"&&a,pushed:o}}function tt(n,e){let t=[];
for(let s=e+1;s<n.end[e];s=n.end[s])t.push(s);let r=(n.refsOf.get(e)??Qe).filter(s=>n.refs[s][3]==="shared");for(let s of r)t.splice(Wr(n,s,
t.length),0,n.refs[s][2]);return t}function Wr(n,e,t){return Math.min(t,n.refs[e][4]??t)}function Kt(n,e){let t=new Xe(e),r=[...n.starts].reverse();
t.begin(r.pop());for(let s of et(n,e))t.take(s),t.idle&&t.begin(r.pop());return t.end()}function Gt(n,e,t){let r=[];for(let s=n.top[e];s>=0&&
r.length<t;s=n.below[s])r.push(n.entry[s]);return r}var Xe=class{constructor(e){this.kind=e}kind;node=new x;act=new x;top=new x;depth=new x;done=new x;listed=new x;produced=new x;found=new x;stack=new Ye;reversing=-1;get idle(){
return this.stack.depth===0}begin(e){e!==void 0&&this.stack.push(e)}take(e){e.act==="take"&&this.reversing<0&&this.reverse(),this.mark(),this.
node.push(e.node),this.act.push(Ze.indexOf(e.act)),this.stack.pop();for(let t of e.pushed)this.stack.push(t);e.finds&&this.found.push(e.node),
e.produces&&this.produced.push(e.node)}end(){this.mark();let e=this.node.size;return{kind:this.kind,steps:e,reversing:this.reversing<0?e:this.
reversing,node:this.node.array(),act:Uint8Array.from(this.act.array()),top:this.top.array(),depth:this.depth.array(),done:this.done.array(),
listed:this.listed.array(),entry:this.stack.entry.array(),below:this.stack.below.array(),produced:this.produced.array(),found:this.found.array()}}reverse(){
this.reversing=this.node.size;for(let e=0;e<this.found.size;e++)this.stack.push(this.found.at(e))}mark(){this.top.push(this.stack.top),this.
depth.push(this.stack.depth),this.done.push(this.produced.size),this.listed.push(this.found.size)}},Ye=class{entry=new x;below=new x;top=-1;depth=0;push(e){
this.entry.push(e),this.below.push(this.top),this.top=this.entry.size-1,this.depth++}pop(){this.top=this.below.at(this.top),this.depth--}},x=class{size=0;values=new Int32Array(
256);push(e){if(this.size===this.values.length){let t=new Int32Array(2*this.size);t.set(this.values),this.values=t}this.values[this.size++]=
e}at=e=>this.values[e];array=()=>this.values.slice(0,this.size)};var nt=[{key:"init_composable",sign:"I₁",label:"I₁ composable init"},{key:"init_wrapper",sign:"I₂",label:"I₂ wrapper init"},{key:"ha\
ndles",sign:"H",label:"H get_handles"},{key:"forward",sign:"X→",label:"X→ gathered in the forward pass"},{key:"backward",sign:"X←",label:"\
X← gathered in the backward pass"},{key:"modules",sign:"#",label:"# modules(), left to right"},{key:"rightToLeft",sign:"#R",label:"#R righ\
t to left"}],rt=n=>nt.find(e=>e.key===n),qt=n=>Object.keys(n.state.orders).filter(e=>e.startsWith("handles:")).map(e=>e.slice(8));function Vt(n,e,t,r,s=""){
if(n==="modules"||n==="rightToLeft")return Dr(e,n);let i=new Map(t.state.units.map(a=>[a.fqns[0],a.index])),o=a=>i.get(a)??T(e,a);return n===
"forward"||n==="backward"?jr(r,n==="forward"?"F":"B").map(o).filter(a=>a>=0):(t.state.orders[s?`${n}:${s}`:n]??[]).map(o)}function Dr(n,e){return[
...et({tree:n,handles:new Set,barred:new Set,starts:[0]},e)].filter(r=>r.produces).map(r=>r.node)}function jr(n,e){let{events:t=[]}=n,r=t.filter(
([s,i])=>s===e&&i==="U").map(([,,s])=>s);return[...new Set(r)]}var _=class{constructor(e,t){this.content=e;this.turned=t;this.element=l("div",{},e),this.observer=new ResizeObserver(()=>this.look()),this.
observer.observe(this.element)}content;turned;element;observer;shown=!1;destroy=()=>this.observer.disconnect();look(){let e=this.element.clientWidth>
0;e!==this.shown&&(this.shown=e,e?this.element.append(this.content):this.content.remove(),this.turned(e))}};var A=class{constructor(e){this.root=e;this.probe.hidden=!0}root;known=new Map;probe=document.createElement("i");of(e){let t=this.known.get(
e);if(t)return t;this.root.append(this.probe),this.probe.style.color=e;let r=getComputedStyle(this.probe).color;return this.probe.remove(),this.
known.set(e,r),r}forget=()=>this.known.clear()};function W(n,e,t){let r=devicePixelRatio||1,[s,i]=[Math.max(1,Math.round(e*r)),Math.max(1,Math.
round(t*r))];(n.width!==s||n.height!==i)&&([n.width,n.height]=[s,i]),Object.assign(n.style,{width:`${e}px`,height:`${t}px`});let o=n.getContext(
"2d");return o.setTransform(r,0,0,r,0,0),o.clearRect(0,0,e,t),o}function st(n,e){let t=Jt(n,e),r=Math.max(n.length,e.length),s=0;for(let i=0;i<r;i++)n[i]!==e[i]&&s++;return{left:n,right:e,rightOf:t,leftOf:Jt(
e,n),places:r,differ:s,crossings:Kr(t,e.length)}}function Jt(n,e){let t=new Map(e.map((r,s)=>[r,s]));return Int32Array.from(n,r=>t.get(r)??-1)}
function Kr(n,e){let t=new Int32Array(e+1),r=0,s=0;for(let i of n){if(i<0)continue;let o=0;for(let a=i+1;a>0;a-=a&-a)o+=t[a];r+=s++-o;for(let a=i+
1;a<=e;a+=a&-a)t[a]++}return r}function Xt({rightOf:n,leftOf:e},t,r){let s=new Map;for(let i=Math.max(0,t);i<r;i++)i<n.length&&n[i]>=0&&s.set(
i,{from:i,to:n[i]}),i<e.length&&e[i]>=0&&s.set(e[i],{from:e[i],to:i});return[...s.values()].sort((i,o)=>i.from-o.from)}function Yt(n,e,{places:t,
differ:r,crossings:s}){let i=`${n} vs ${e}: ${r.toLocaleString("en")} of ${t.toLocaleString("en")} differ`;return s?`${i}, ${s.toLocaleString(
"en")} crossing${s===1?"":"s"}`:i}var V=22,Gr=12,qr=st([],[]),ve=class{constructor(e){this.page=e;this.palette=new A(e.root);let t={class:"compare-rows",role:"grid",tabindex:0,
"aria-label":"Two orders side by side"};this.list=new L(V,t,Jr,(i,o)=>this.fill(i,o));let{view:r}=this.list;r.append(this.canvas),r.addEventListener(
"scroll",()=>this.drawSoon()),r.addEventListener("click",i=>this.click(i)),r.addEventListener("keydown",i=>this.press(i));let s=l("div",{class:"\
compare","data-role":"compare"},l("div",{class:"bar"},this.left,l("span",{},"vs"),this.right,this.root,this.title),l("p",{class:"note"},"Box\
ed places differ; lines join the two places of one module. Arrows move, Enter shows the module in the tree."),r);this.curtain=new _(s,i=>i&&
this.repaint()),this.element=this.curtain.element}page;element;curtain;left=this.chooser("left","init_composable");right=this.chooser("right",
"init_wrapper");root=l("select",{"data-role":"compare-root","aria-label":"Local root",change:()=>this.pair()});title=l("b",{"data-role":"com\
pare-note"});list;canvas=l("canvas",{class:"connectors","aria-hidden":"true"});pairing=qr;at={place:0,side:0};frame=0;palette;update(e){e.has(
"theme")&&this.palette.forget(),["tree","plan","run"].some(t=>e.has(t))?this.pair():(e.has("theme")||e.has("size"))&&this.repaint()}destroy(){
cancelAnimationFrame(this.frame),this.curtain.destroy(),this.list.destroy()}chooser(e,t){let r=nt.map(({key:s,label:i})=>l("option",{value:s,
...s===t?{selected:""}:{}},i));return l("select",{"data-role":`compare-${e}`,"aria-label":`Order on the ${e}`,change:()=>this.pair()},...r)}pair(){
let{tree:e,plan:t,run:r}=this.page;this.offerRoots();let s=a=>Vt(a.value,e,t,r,this.root.value);this.pairing=st(s(this.left),s(this.right));
let[i,o]=[rt(this.left.value).sign,rt(this.right.value).sign];u(this.title,this.pairing.places?Yt(i,o,this.pairing):"Neither order exists ye\
t: mark a module, or run the plan."),this.at={place:Math.min(this.at.place,Math.max(0,this.pairing.places-1)),side:this.at.side},this.repaint()}offerRoots(){
let e=qt(this.page.plan),t=this.root.value;this.root.replaceChildren(l("option",{value:""},"from the root"),...e.slice(0,50).map(r=>l("optio\
n",{value:r},`from ${r}`))),this.root.value=e.includes(t)?t:"",this.root.hidden=e.length===0}repaint(){let{places:e}=this.pairing;this.list.
view.style.height=`${Math.min(Math.max(e,1),Gr)*V}px`,h(this.list.view,{"aria-rowcount":e}),this.list.show(e),this.point(),this.drawSoon()}fill(e,t){
let[r,s,i]=e.children;u(r,String(t)),h(e,{"aria-rowindex":t+1,"data-place":t});let o=this.pairing.left[t]!==this.pairing.right[t];this.fillCell(
s,t,0,o),this.fillCell(i,t,1,o)}fillCell(e,t,r,s){let i=(r?this.pairing.right:this.pairing.left)[t],o=i===void 0?-1:(r?this.pairing.leftOf:this.
pairing.rightOf)[t],a=i===void 0?"":k(this.page.tree,i)||"(root)";u(e,a),h(e,{"data-node":i??null,"data-differs":s&&i!==void 0?"1":null,"dat\
a-now":this.at.place===t&&this.at.side===r?"1":null,title:a||null,"aria-label":i===void 0?"nothing":`${a}, place ${t}${s?`, on the other sid\
e ${o<0?"missing":`place ${o}`}`:", the same on both sides"}`})}click(e){let t=e.target.closest("[data-side]"),r=t?.closest("[data-place]");
!t||!r||(this.move(Number(r.dataset.place),Number(t.dataset.side)),t.dataset.node!==void 0&&this.page.reveal(Number(t.dataset.node)))}press(e){
let{place:t,side:r}=this.at,s=this.list.page-1,i={ArrowDown:1,ArrowUp:-1,PageDown:s,PageUp:-s,Home:-t,End:this.pairing.places};if(e.key in i)
this.move(t+i[e.key],r);else if(e.key==="ArrowLeft"||e.key==="ArrowRight")this.move(t,e.key==="ArrowLeft"?0:1);else if(e.key==="Enter")this.
enter();else return;e.preventDefault()}enter(){let e=(this.at.side?this.pairing.right:this.pairing.left)[this.at.place];e!==void 0&&this.page.
reveal(e)}move(e,t){this.at={place:Math.max(0,Math.min(this.pairing.places-1,e)),side:t},this.list.show(this.pairing.places,this.at.place),this.
point(),this.drawSoon()}point(){let e=this.list.elementOf(this.at.place);h(this.list.view,{"aria-activedescendant":e?.children[1+this.at.side].
id??null})}drawSoon(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())}draw(){let{view:e}=this.list,t=e.querySelector(
"[data-place]:not([hidden])");if(!t||e.clientHeight===0)return;let[r,s]=[t.children[1],t.children[2]],i=r.offsetLeft+r.offsetWidth,o=s.offsetLeft-
i,a=e.clientHeight;Object.assign(this.canvas.style,{left:`${i}px`,top:`${e.scrollTop}px`}),this.drawLines(W(this.canvas,o,a),o,e.scrollTop,a)}drawLines(e,t,r,s){
let[i,o,a]=["--soft","--replicate","--ring"].map(p=>this.palette.of(`var(${p})`)),d=p=>(p+.5)*V-r,c=Math.floor(r/V);for(let{from:p,to:m}of Xt(
this.pairing,c,Math.ceil((r+s)/V))){let f=(this.at.side?m:p)===this.at.place;e.strokeStyle=f?a:p===m?i:o,e.lineWidth=f?2.5:p===m?1:1.5,e.beginPath(),
e.moveTo(0,d(p)),e.lineTo(t,d(m)),e.stroke()}}},Vr=0;function Jr(){let n=e=>l("span",{role:"gridcell","data-side":e,id:`compare-cell-${Vr++}`});
return l("div",{class:"compare-row",role:"row"},l("span",{role:"rowheader"}),n(0),n(1))}var Zt='.compare select{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:4px;padding:2px 4px;m\
ax-width:100%}.compare p{margin:4px 0}.compare-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable;border:1px solid \
var(--line);border-radius:4px}.compare-row{position:absolute;left:0;right:0;height:22px;line-height:20px;display:grid;column-gap:8px;padding\
-right:8px;grid-template-columns:36px minmax(0,1fr) clamp(32px,16cqw,160px) minmax(0,1fr);font-family:var(--mono);font-size:12px}.compare-ro\
w>:first-child{color:var(--soft);text-align:right}.compare-row [data-side]{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding\
:0 4px;margin:1px 0;cursor:pointer;border-radius:3px}.compare-row [data-side="1"]{grid-column:4}.compare-row [data-now]{background:var(--cho\
sen)}.compare-rows:focus .compare-row [data-now]{outline:2px solid var(--ring);outline-offset:-2px}.connectors{position:absolute;pointer-eve\
nts:none}';var Qt='.bar{display:flex;flex-wrap:wrap;gap:5px;align-items:center}.gap{width:8px}button,input{font:inherit;color:inherit;background:var(--\
raised);border:1px solid var(--line);border-radius:4px;padding:2px 8px}button{cursor:pointer}button:hover:enabled{border-color:var(--ring)}b\
utton:disabled{opacity:.5;cursor:default}button:not(.bare)>[data-cell]{margin-right:5px}button.link{background:none;border:0;padding:0 4px 0\
 0;color:var(--ring);text-decoration:underline;font-family:var(--mono)}input{width:64px}.slot.tools{display:flex;flex-wrap:wrap;gap:5px 16px\
;padding-bottom:5px;align-items:center}.slot.tools>.bar,.slot.tools>.legend{flex:1 0 100%}[data-panel=finder]{flex:1 1 420px;min-width:0}.fi\
nder{display:flex;flex-wrap:wrap;gap:5px;align-items:center}.finder input{flex:1 1 260px;width:auto;min-width:0;max-width:620px;font-family:\
var(--mono);font-size:12px}[data-role=found]{color:var(--soft);font-size:12px}[data-count="0"]>.bar{display:none}button>[data-cell]{vertical\
-align:middle}button>.empty{background:none!important;border:1.5px dotted var(--soft)}select{font:inherit;color:inherit;background:var(--rai\
sed);border:1px solid var(--line);border-radius:4px}[type=checkbox]{width:auto;margin:0 2px;vertical-align:-2px}.appearance{gap:4px 14px;fon\
t-size:12px;color:var(--soft)}.scale{display:inline-flex;border:1px solid var(--line);border-radius:3px;overflow:hidden;font:11px/18px var(-\
-mono)}.scale span{padding:0 7px}.menu{position:relative}.menu summary{cursor:pointer}.sheet{position:absolute;z-index:3;top:100%;right:0;di\
splay:grid;grid-template-columns:auto auto;gap:2px 14px;padding:6px 10px;color:var(--ink);background:var(--paper);border:1px solid var(--lin\
e);border-radius:4px;box-shadow:0 3px 10px #0004;white-space:nowrap}.legend{display:flex;flex-wrap:wrap;gap:2px 12px;color:var(--soft);font-\
size:12px}.key{display:inline-flex;align-items:center;gap:4px}.key b{color:var(--ink)}.row[data-hit=on] [data-cell=name],.row[data-hit=in] [\
data-cell=fold]{background:var(--find);border-radius:2px}.row[data-live]{box-shadow:inset 0 0 0 1px var(--hue)}.row[data-now]{outline:2px da\
shed var(--ring);outline-offset:-2px}.row[data-refused]{background:var(--bad-paper);box-shadow:inset 0 0 0 1px var(--bad);animation:back .3s\
}.row[data-pending] [data-cell=swatch]{outline:1px dashed var(--ink);outline-offset:1px}.row[data-dim]{opacity:.45}@keyframes back{0%{backgr\
ound:var(--bad)}}[data-waiting] .status:after{content:" …"}.tabs{display:flex;flex-wrap:wrap;gap:2px;border-bottom:1px solid var(--line);mar\
gin-bottom:8px}.tabs button{border:0;border-radius:4px 4px 0 0;background:none;padding:4px 12px;color:var(--soft)}.tabs button[aria-selected\
=true]{color:var(--ink);box-shadow:inset 0 -2px var(--ring);font-weight:600}pre{margin:4px 0;max-height:220px;overflow:auto;font:12px/1.4 va\
r(--mono);background:var(--raised);padding:6px 8px;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}.error pre{background:none;\
padding:0}code{font-family:var(--mono)}.order-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable}.code p{margin:4px\
 0}.order{display:grid;grid-template-columns:44px repeat(4,minmax(0,1fr));gap:8px;line-height:22px;font-family:var(--mono);font-size:12px}.o\
rder-rows .order{position:absolute;left:0;right:0;height:22px}.order-heads{color:var(--soft);border-bottom:1px solid var(--line);overflow:hi\
dden;scrollbar-gutter:stable}.order span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}.order>span:first-child{co\
lor:var(--soft);text-align:right;cursor:default}[data-differs]{box-shadow:inset 0 0 0 1px var(--replicate);border-radius:3px;padding:0 3px}.\
remarks{margin:0;padding:0;list-style:none;max-height:260px;overflow:auto}.remarks li{border-left:3px solid var(--line);padding:2px 8px;marg\
in-bottom:6px}.remarks li[data-severity=conflict],.remarks li[data-severity=error]{border-color:var(--bad)}.remarks p{margin:1px 0}progress{\
width:140px;accent-color:var(--shard)}[data-role=losses]{margin:6px 0;font-variant-numeric:tabular-nums}.chart{display:grid;grid-template:45\
px 45px auto / auto 1fr;column-gap:6px;max-width:640px;color:var(--soft);font-size:11px}.chart span:nth-child(2){align-self:end;grid-area:2 \
/ 1}.chart svg{grid-area:1 / 2 / 3 / 3;width:100%;height:90px;border-left:1px solid var(--line);border-bottom:1px solid var(--line)}.chart s\
mall{grid-area:3 / 2}path{fill:none;vector-effect:non-scaling-stroke;stroke-width:2;stroke:var(--shard)}path.reference{stroke:var(--replicat\
e);stroke-width:4;stroke-dasharray:.1 7;stroke-linecap:round}@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:non\
e!important}}';var ot=[["flat","This project's engine"],["torch","torch's FSDP2"],["ddp","torch's DistributedDataParallel"],["fsdp1","torch's FullyShardedD\
ataParallel"]],at=({phase:n})=>n==="starting"||n==="running";function en(n){let{phase:e,doing:t,done:r,total:s,nprocs:i,backend:o,devices:a,
seconds:d}=n;return at(n)?`${t}: ${v(r)} of ${v(s)}`:e==="done"?`Done in ${d.toFixed(1)} s on ${i} workers over ${o} (${a}).`:e==="stopped"?
"Stopped.":"Failed."}var it=n=>e=>{let[,t,r]=e.collectives.find(([s])=>s===n)??[n,0,0];return e.outcome!=="ran"?"-":t?`${v(t)}, ${g(r)}`:"0"},
tn=[{title:"engine",hint:"What trained; none is the unsharded model",text:n=>n.engine,left:!0},{title:"loss apart",hint:"Largest distance of\
 any rank's loss in any step from the unsharded model's",text:Zr},{title:"step time",hint:"As a multiple of the first engine's: median of th\
e rounds, and their middle half",text:Qr,left:!0},{title:"peak a rank",hint:"Most bytes of tensors alive in a step, on the rank that holds m\
ost",text:es},{title:"all-gathers",hint:"In a step, with the bytes they fill",text:it("all_gather")},{title:"reduce-scatters",hint:"In a ste\
p, with the bytes they read",text:it("reduce_scatter")},{title:"all-reduces",hint:"In a step, with the bytes they average",text:it("all_redu\
ce")},{title:"",hint:"What the numbers do not say",text:ts,left:!0}];function Zr({engine:n,outcome:e,loss_difference:t}){return e!=="ran"?e:
n==="none"?"reference":t===null?"-":t===0?"0":t.toExponential(1)}function Qr({ratio:n}){return n===null?"-":`${n[0].toFixed(2)} (${n[1].toFixed(
2)}-${n[2].toFixed(2)})`}function es({peak_nbytes:n}){return n.length?g(Math.max(...n)):"-"}function ts({why:n,remarks:e}){return[n,...e].filter(
t=>t).join("; ")}var w=(n,e,t)=>({title:n,hint:e,text:r=>t(r)?g(t(r)):"0"}),N=(n,e,t)=>({title:n,hint:e,text:r=>v(t(r))}),$=(n,e,t)=>({title:n,hint:e,text:t,
left:!0});function ns(n){return n.map(([e,t,r])=>{let s=e+Math.floor((t-1-e)/r)*r;return s===e?`u${e}`:`u${e}–${s}${r>1?` by ${r}`:""}`}).
join(", ")}var nn=[$("unit","Number of the unit, or of all units that cost the same",n=>ns(n.runs)),$("first module","Its module, or that of\
 the first of them",n=>n.fqn||"(root)"),N("×","How many units cost the same",n=>n.times),N("elements","Parameters of one of them",n=>n.numel),
$("held","How its parameters are held, over how many ranks",rs),w("whole","Bytes of its parameters while they are gathered",n=>n.unsharded_nbytes),
w("a rank","Bytes that a rank keeps between steps",n=>n.shard_nbytes),{title:"waste",hint:"Padding, as a share of the parameters",text:n=>K(
n.waste)},N("empty","Ranks that keep nothing of it",n=>n.empty_ranks),w("gathered","Bytes of one all-gather",n=>n.all_gather_nbytes),w("redu\
ced","Bytes of one reduce-scatter",n=>n.reduce_scatter_nbytes),w("averaged","Bytes of one all-reduce",n=>n.all_reduce_nbytes),N("calls","Col\
lectives of one of them in a step",n=>n.collectives),w("sent","Bytes a rank sends for one of them in a step, if the ring is used",n=>n.sent_nbytes),
$("after forward","Whether it frees what it gathered after its forward, and why",n=>`${n.frees_after_forward?"frees":"keeps"}: ${n.reason}`)];
function rs(n){let e=n.num_copies>1&&n.num_shards>1?` ×${n.num_copies}`:"";return n.num_shards>1?`${n.in_effect} /${n.num_shards}${e}`:n.in_effect}
var rn=[$("ranks","Ranks that keep the same",({ranks:[n,e]})=>n===e?`${n}`:`${n}–${e}`),w("parameters","Bytes of parameters between steps",
n=>n.parameters),w("padding","Of them, padding",n=>n.padding),w("gradients","Bytes of gradients",n=>n.gradients),w("optimizer","Bytes of the\
 optimizer's states",n=>Object.values(n.optimizer).reduce((e,t)=>e+t,0)),w("buffers","Bytes of buffers",n=>n.buffers),w("buckets","Bytes of \
replicate groups' buckets",n=>n.buckets),w("offloaded","Bytes kept on the CPU instead",n=>n.offloaded),w("total","All of it",n=>n.total)],sn=[
$("collective","What the ranks do together",n=>n.kind.replaceAll("_","-")),$("phase","When",n=>n.phase),N("a step","How many in a step",n=>n.
count),w("bytes","Of all of them together, whole buffers",n=>n.nbytes),w("largest","Of the largest one",n=>n.largest_nbytes),N("small","How \
many carry less than 1 MiB",n=>n.small),w("sent","Bytes a rank sends, if the ring is used",n=>n.sent_nbytes)],on=[$("replicate group","The r\
eplicated module",n=>n.fqn||"(root)"),N("elements","Its parameters",n=>n.numel),w("a rank","Bytes that every rank keeps",n=>n.nbytes),$("buc\
kets","All-reduces of its gradients in a step",n=>n.buckets.map(g).join(", ")||"none")],an=(n,e)=>n.map(({title:t,text:r})=>`${t} ${r(e)}`).
join(", ");function lt({world_size:n,mesh_shape:e,optimizer:t,engine:r,strategy:s,mixed_precision:i,accumulation_steps:o}){let a=`${v(n)} ra\
nk${n===1?"":"s"}${e.length>1?` as ${e.join(" × ")}`:""}`,d=o>1?`, ${o} forwards and backwards a step`:"";return`${a}, ${s??"each unit's ow\
n strategy"}, ${dt(i)}, ${t}, ${r} engine${d}`}function dt(n){if(n===null)return"each unit's own precision";let{param_dtype:e,reduce_dtype:t,
...r}=n;return[...[e??"parameters as they are",t&&t!==e?`reduced in ${t}`:""].filter(Boolean),...Object.entries(r).map(([i,o])=>`${i} ${o}`)].
join(", ")}function ln(n){let e=n.trim().split(/\s*[x×*,]\s*|\s+/),t=e.map(Number);return e.length<=2&&e[0]!==""&&t.every(r=>Number.isInteger(
r)&&r>=1)?t:`${JSON.stringify(n)} is no mesh: give the number of ranks (8), or replicate x shard (2x4)`}var dn=20,ss=400,is=52,cn="  ",os=0,S=class{constructor(e,t,r,s,i){this.columns=r;this.seen=s;this.enter=i;let o={class:"table-rows",role:"l\
istbox",tabindex:0,"aria-label":t},a=os++;this.list=new L(dn,o,d=>l("div",{class:"table-row",role:"option",id:`table-${a}-${d}`}),(d,c)=>this.
fill(d,c)),this.list.view.prepend(this.head),this.list.view.addEventListener("click",d=>this.click(d)),this.list.view.addEventListener("keyd\
own",d=>this.press(d)),h(this.head,{title:r.map(({title:d,hint:c})=>`${d}: ${c}`).join(`
`)}),this.element=l("div",{class:"table","data-role":e},this.list.view)}columns;seen;enter;element;list;head=l("div",{class:"table-head","ar\
ia-hidden":"true"});rows=[];widths=[];at=0;show(e){this.rows=e,this.widths=this.columns.map(t=>this.widthOf(t)),u(this.head,this.line(t=>t.title)),
this.at=Math.min(this.at,Math.max(0,e.length-1)),this.list.view.style.height=`${(Math.min(e.length,this.seen)+1)*dn+14}px`,this.list.view.style.
setProperty("--table-width",`${this.widths.reduce((t,r)=>t+r+cn.length,0)}ch`),this.move(this.at)}repaint=()=>this.move(this.at);destroy=()=>this.
list.destroy();widthOf(e){let t=[...this.rows.slice(0,ss),...this.rows.slice(-1)];return Math.min(is,t.reduce((r,s)=>Math.max(r,e.text(s).length),
e.title.length))}line(e){return this.columns.map((t,r)=>{let s=this.widths[r],i=e(t),o=i.length>s?`${i.slice(0,s-1)}…`:i;return t.left?o.padEnd(
s):o.padStart(s)}).join(cn).trimEnd()}fill(e,t){let r=this.rows[t],s=an(this.columns,r);u(e,this.line(i=>i.text(r))),h(e,{"data-row":t,title:s,
"aria-posinset":t+1,"aria-setsize":this.rows.length,"aria-selected":t===this.at})}click(e){let t=e.target.closest("[data-row]");t&&(this.move(
Number(t.dataset.row)),this.enter?.(this.rows[this.at]))}press(e){let t=Math.max(1,this.seen-1),r={ArrowDown:1,ArrowUp:-1,PageDown:t,PageUp:-t,
Home:-this.rows.length,End:this.rows.length};if(e.key in r)this.move(this.at+r[e.key]);else if(e.key==="Enter"&&this.rows.length)this.enter?.(
this.rows[this.at]);else return;e.preventDefault()}move(e){this.at=Math.max(0,Math.min(this.rows.length-1,e)),this.list.show(this.rows.length,
this.at),h(this.list.view,{"aria-activedescendant":this.list.elementOf(this.at)?.id??null})}};var we=class{constructor(e){this.page=e;let t=this.#n.map((s,i)=>l("label",{},s,` ${ot[i][0]}`)),r=l("div",{class:"bar"},l("label",{},"worke\
rs ",this.#t),l("label",{},"steps ",this.#e),...t,this.#i,this.#r,this.#o,this.#l);this.element=l("div",{class:"engines","data-role":"engine\
s"},r,this.#a,this.#s.element),this.#p()}page;element;#t=l("input",{type:"number",min:1,max:64,value:2,"data-role":"engines-nprocs"});#e=l("\
input",{type:"number",min:1,max:1e5,value:5,"data-role":"engines-steps"});#n=ot.map(([e,t],r)=>l("input",{type:"checkbox","data-engine":e,title:t,
...r<2?{checked:""}:{}}));#i=b("compare","Compare","Train this plan on each engine, beside the unsharded model",()=>{this.#c()});#r=b("stop_\
compare","■ Stop","End the workers",()=>{this.page.command("stop")});#o=l("progress",{max:1,value:0,"data-role":"engines-progress","aria-l\
abel":"Progress of the comparison"});#l=l("span",{"data-role":"engines-phase","aria-live":"polite"});#a=l("div",{class:"error","data-role":"\
engines-error",role:"alert"});#s=new S("engines-table","Engines side by side",tn,6);#d=!1;update(e){(e.has("comparison")||e.has("size"))&&this.#p()}destroy(){
this.#s.destroy()}async#c(){this.#d=!0,this.#p();let e=this.#n.filter(({checked:t})=>t).map(t=>t.dataset.engine);await this.page.command("co\
mpare",{nprocs:Number(this.#t.value),steps:Number(this.#e.value),engines:e}),this.#d=!1,this.#p()}#p(){let e=this.page.trait("comparison"),t=e!==
null&&at(e);this.#i.disabled=t||this.#d,this.#r.disabled=!t,this.#o.hidden=!t,this.#a.hidden=!e?.error,this.#s.element.hidden=!e?.rows.length,
u(this.#l,e?en(e):"Not compared yet."),e&&(h(this.#o,{max:e.total||1,value:e.done}),e.error&&this.#a.replaceChildren(l("b",{},e.error.title),
l("pre",{},e.error.detail)),e.rows.length&&this.#s.show(e.rows))}};function D(n){let e=new RegExp(`^(?:${n.split(".").map(un).join("\\.")})$`,"s");return t=>e.test(t)}function hn(n){return n.split(".").map(e=>{
if(e==="**")return null;let t=new RegExp(`^(?:${un(e)})$`,"s"),r=new Map;return s=>{let i=r.get(s)??t.test(s);return r.set(s,i),i}})}function un(n){
return n.replace(/\*\*|\*|\?|\[([^\]][^\]]*)\]|[\s\S]/g,(e,t)=>t!==void 0?`[${t.replace(/[\\\]^-]/g,"\\$&")}]`:{"**":".*","*":"[^.]*","?":"[\
^.]"}[e]??e.replace(/[\\^$.*+?()[\]{}|/]/g,"\\$&"))}function mn(n,e,t){let r=new Int32Array(n.size);r[0]=fn(e,1);let s=1<<e.length;for(let i=!0;i;){
i=!1;for(let o=1;o<n.size;o++)r[o]|=pn(e,r[n.parent[o]],n.names[o]);for(let[o,a,d,c]of n.refs){let p=c==="shared"?pn(e,r[o],a):0;(p|r[d])!==
r[d]&&(i=!0),r[d]|=p}}for(let i=1;i<n.size;i++)r[i]&s&&(t[i]=1)}function pn(n,e,t){if(e===0)return 0;let r=0;for(let s=0;s<n.length;s++){if(!(e&
1<<s))continue;let i=n[s];i===null?r|=1<<s|(s===n.length-1?1<<s+1:0):i(t)&&(r|=1<<s+1)}return fn(n,r)}function fn(n,e){for(let t=0;t<n.length-
1;t++)n[t]===null&&e&1<<t&&(e|=1<<t+1);return e}var H=class extends Error{constructor(t,r){super(t?`${t}: ${r}`:r);this.part=t}part},gn=["name","type","unit","status","finding","conflict"],
as=["tied","frozen","shared"],ls={"":1,K:1e3,M:1e6,B:1e9,T:1e12},ds=["unmanaged","fully_shard","in_unit","replicate","replicated","ignored",
"in_ignored"],yn=/(\[[^\]]+\])/,cs=/\s*(>=|<=|>|<|=)\s*/g,ps=/(?:\[[^\]]+\]|[^,\s])+|,/g,xn=/^([^<>=]*)(>=|<=|>|<|=)(\d+(?:\.\d+)?)([KMBT]?)$/i;
function hs(n){let e=n.split(yn).map((r,s)=>s%2?r:r.replace(cs,"$1")).join(""),t=[[]];for(let r of e.match(ps)??[])r!==","?t[t.length-1].push(
us(r)):t.push([]);if(t.length===1&&t[0].length===0)throw new H("","it says nothing");if(t.some(r=>r.length===0))throw new H("","an alternati\
ve is empty");return t}function us(n){let e=n.startsWith("!"),t=e?n.slice(1):n,r=t.split(yn).filter((a,d)=>d%2===0).join("");if(as.includes(
t))return{kind:t,text:"",negated:e};if(/[<>=]/.test(r)){let a=xn.exec(t);if(!a||!["params","own"].includes(a[1]))throw new H(n,"a comparison\
 is params or own, a sign, and a number such as 10M");return{kind:a[1],text:t.slice(a[1].length),negated:e}}let s=r.includes(":")?t.indexOf(
":"):-1,i=s<0?"name":t.slice(0,s),o=t.slice(s+1);if(!gn.includes(i))throw new H(n,`no such kind; known are ${gn.join(", ")}`);if(!o||o.startsWith(
"!"))throw new H(n,"something is missing");return{kind:i,text:o,negated:e}}function kn(n,e,t){let r=new Uint8Array(n.size);for(let i of hs(t)){
let o=new Uint8Array(n.size).fill(1);for(let a of i){let d=new Uint8Array(n.size);ms[a.kind](n,e,a.text,d);for(let c=0;c<n.size;c++)d[c]===(a.
negated?1:0)&&(o[c]=0)}for(let a=0;a<n.size;a++)r[a]|=o[a]}let s=[];for(let i=0;i<n.size;i++)r[i]&&s.push(i);return s}var ye=n=>(e,t,r,s)=>{
let i=e.classes.map((o,a)=>n(e,a,r));for(let o=0;o<e.size;o++)s[o]=Number(i[e.cls[o]])},bn=n=>(e,{state:t},r,s)=>{let i=D(r);for(let{kind:o,
indices:a}of t[n])if(i(o))for(let d of a)s[d]=1},vn=n=>ye((e,t)=>e.classes[t][1].some(([,,,r])=>!r.includes("b")&&n.test(r))),ms={name:(n,e,t,r)=>{
let s=t==="."?0:T(n,t);s>=0?r[s]=1:mn(n,hn(t),r)},type:ye((n,e,t)=>{let[r]=n.classes[e];return D(t)(r)||D(t)(r.slice(r.lastIndexOf(".")+1))}),
unit:(n,e,t,r)=>{let s=D(/^\d+$/.test(t)?`u${t}`:t),i=e.state.units.map(({n:o})=>s(`u${o}`));for(let o=0;o<n.size;o++)r[o]=Number(e.unitOf[o]>=
0&&i[e.unitOf[o]])},status:(n,e,t,r)=>{let s=D(t),i=ds.map((o,a)=>t===R[a]||s(o));for(let o=0;o<n.size;o++)r[o]=Number(i[e.status[o]])},finding:bn(
"findings"),conflict:bn("conflicts"),params:ye((n,e,t)=>wn(n.total[e],t)),own:ye((n,e,t)=>wn(n.own[e],t)),tied:vn(/[ts]/),frozen:vn(/f/),shared:(n,e,t,r)=>{
for(let[,,s,i]of n.refs)i==="shared"&&(r[s]=1)}};function wn(n,e){let[,,t,r,s]=xn.exec(e),i=Number(r)*ls[s.toUpperCase()];return{">=":n>=i,"\
<=":n<=i,">":n>i,"<":n<i,"=":n===i}[t]}var fs="find or select: layers.*  type:Block  params>10M  unit:u7  tied  finding:*",xe=class{constructor(e){this.page=e;for(let t of this.#i)
t.dataset.cmd=`found_${t.dataset.cmd}`;this.element=l("div",{class:"finder",role:"search"},this.#t,...this.#n,this.#e,l("span",{class:"bar"},
...this.#i)),this.#l("",0)}page;element;#t=l("input",{type:"search","data-role":"find",placeholder:fs,"aria-label":"Find or select modules",
spellcheck:"false",title:"Blanks mean and, commas or, ! not; * stays between dots, ** crosses them. Enter: next find; Escape: back to the tr\
ee. Key: /",input:()=>this.#o(),keydown:e=>this.#d(e)});#e=l("span",{"data-role":"found",role:"status"});#n=[b("find_prev","↑","Previous f\
ind (Shift+Enter)",()=>this.#s(-1)),b("find_next","↓","Next find (Enter)",()=>this.#s(1))];#i=Dt.map(e=>Ve(e,"",`${gs[e]} all that was fou\
nd`,()=>this.#a(e)));#r="";update(e){this.#t.value&&(e.has("plan")||e.has("tree"))&&this.#o()}destroy=()=>{};#o(){let e=this.#t.value.trim(),
t=[],r="";this.#r="";try{e&&(t=kn(this.page.tree,this.page.plan,e)),this.#r=t.length?e:"",e&&!t.length&&(t=bs(this.page,e)),r=e&&(t.length?`${t.
length.toLocaleString("en")} module${t.length===1?"":"s"}${this.#r?"":" with that in the name"}`:"nothing found")}catch(s){r=s.message}this.
page.find(t),this.#l(r,t.length)}#l(e,t){u(this.#e,e),h(this.element,{"data-count":t});for(let r of[...this.#n,...this.#i])r.disabled=t===0}#a(e){
let{hits:t}=this.page;this.page.command("mark",this.#r?{verb:e,selector:this.#r}:{verb:e,indices:oe(t)},t)}#s(e){let{hits:t,focused:r}=this.
page;if(!t.length)return;let s=e>0?t.find(i=>i>r):t.findLast(i=>i<r);this.page.reveal(s??t[e>0?0:t.length-1]),this.#t.focus()}#d(e){if(e.key===
"Enter")this.#s(e.shiftKey?-1:1);else if(e.key==="Escape")this.#t.value="",this.#o(),this.page.focusTree();else return;e.preventDefault()}},
gs={fully_shard:"Fully shard",replicate:"Replicate",ignore:"Ignore",clear:"Clear"};function bs({tree:n},e){let t=e.toLowerCase(),r=n.classes.
map(([i])=>i.toLowerCase().includes(t)),s=[];for(let i=0;i<n.size;i++)(r[n.cls[i]]||n.names[i].toLowerCase().includes(t))&&s.push(i);return s}var Tn=9,[$n,Sn]=[600,60];function vs(n){let e=n.reduce((o,[,a])=>o+a,0),t=n.filter(([,o])=>o>0),r=t.length>Tn?t.slice(0,Tn-1):t,s=t.slice(r.
length);return(s.length?[...r,[`${s.length} smaller terms`,s.reduce((o,[,a])=>o+a,0)]]:r).map(([o,a])=>({label:o,nbytes:a,share:a/e}))}function ws(n,e,t){
let r=n.reduce((a,[,d])=>Math.max(a,d),1),s=e/Math.max(1,n.length-1),i=n.map(([,a],d)=>[d*s,t-a/r*t]),o=i.reduce((a,d)=>d[1]<a[1]?d:a,i[0]??
[0,t]);return{path:i.map(([a,d],c)=>`${c?"L":"M"}${a.toFixed(1)} ${d.toFixed(1)}`).join(""),x:o[0],y:o[1]}}var ke=class{headline=l("p",{"dat\
a-role":"peak"});bar=l("div",{class:"stacked",role:"img"});list=l("ol",{class:"terms","data-role":"terms"});line=E("path",{class:"memory"});mark=E(
"circle",{r:4,class:"top"});chart=E("svg",{viewBox:`0 -6 ${$n} ${Sn+6}`,preserveAspectRatio:"none",role:"img"},this.line,this.mark);ends=l("\
small",{class:"note"});element=l("div",{class:"peak"},this.headline,this.bar,this.list,this.chart,this.ends);show({nbytes:e,moment:t,is_estimate:r,
terms:s,timeline:i},o){let a=o===null||o===e?"":` (${wt(o,e,g)} against the question before)`;u(this.headline,`Peak: ${Z(e)} on a rank${r?",\
 an estimate,":""} at ${t}${a}`);let d=vs(s);this.bar.replaceChildren(...d.map(({share:c},p)=>ys(p,c))),h(this.bar,{"aria-label":`The peak i\
s made of ${d.map(({label:c,share:p})=>`${c} ${K(p)}`).join(", ")}`}),this.list.replaceChildren(...d.map(({label:c,nbytes:p,share:m},f)=>l("\
li",{style:En(f)},`${g(p)}, ${K(m)}: ${c}`))),this.drawLine(i,t)}drawLine(e,t){let{path:r,x:s,y:i}=ws(e,$n,Sn);h(this.line,{d:r}),h(this.mark,
{cx:s.toFixed(1),cy:i.toFixed(1)}),h(this.chart,{"aria-label":`Memory over one step, highest at ${t}`});let o=e.length?`Over one step: ${e[0][0]}\
, ${g(e[0][1])} → ${e.at(-1)[0]}, ${g(e.at(-1)[1])}`:"";u(this.ends,o),this.chart.toggleAttribute("hidden",e.length<2)}},En=n=>`--shade: ${Math.
max(12,100-11*n)}%`;function ys(n,e){let t=e>.03;return l("span",{style:`${En(n)}; flex: ${e.toFixed(5)} 0 0`,...n<4?{"data-dark":"1"}:{}},t?
String(n+1):"")}var xs={strategy:"each unit's own",mixed_precision:"each unit's own"},Te=class{constructor(e){this.ask=e;this.number("world_size","ranks",1e6),
this.add("mesh_shape","mesh",l("input",{type:"text",size:7,title:"Ranks, or replicate x shard: 2x4"}));for(let[t,r]of[["strategy","strategy"],
["mixed_precision","precision"],["optimizer","optimizer"],["engine","engine"]])this.add(t,r,l("select"));this.number("accumulation_steps","a\
ccumulate",1e4),this.refusal.hidden=!0}ask;element=l("form",{class:"bar what-if","data-role":"what-if","aria-label":"What if",submit:e=>e.preventDefault()});fields=new Map;costs;refusal=l(
"span",{class:"refusal","data-role":"refusal",role:"alert"});show(e){this.costs=e;let{what_if:t,choices:r}=e;for(let[s,i]of Object.entries(r))
this.offer(s,i);for(let[s,i]of this.fields)i.getAttribute("aria-invalid")==="true"||i.matches(":focus")&&i.dataset.typed==="1"||(i.value=$s(
s,t[s]))}number(e,t,r){this.add(e,t,l("input",{type:"number",min:1,max:r}))}add(e,t,r){h(r,{"data-field":e}),r.addEventListener("input",()=>r.
dataset.typed="1"),r.addEventListener("change",()=>{this.changed(e,r)}),this.fields.set(e,r),this.element.append(l("label",{},`${t} `,r))}offer(e,t){
let r=this.fields.get(e);!r||r.childElementCount===t.length||r.replaceChildren(...t.map(s=>l("option",{value:JSON.stringify(s)},Ss(e,s))))}async changed(e,t){
delete t.dataset.typed;let r=Ts(e,t.value),s=r instanceof Error?{title:"This cannot be asked",detail:r.message}:await this.ask(ks(e,r));this.
judge(t,s)}judge(e,t){for(let r of this.fields.values())h(r,{"aria-invalid":null,"aria-describedby":null});if(this.refusal.hidden=t===null,t===
null)return this.costs&&this.show(this.costs);u(this.refusal,`${t.title}: ${t.detail}`),this.refusal.id="what-if-refusal",h(e,{"aria-invalid":"\
true","aria-describedby":this.refusal.id}),e.parentElement.after(this.refusal)}};function ks(n,e){return n==="world_size"?{world_size:e,mesh_shape:[
e]}:n==="mesh_shape"?{mesh_shape:e,world_size:e.reduce((t,r)=>t*r,1)}:{[n]:e}}function Ts(n,e){if(n==="mesh_shape"){let r=ln(e);return typeof r==
"string"?new Error(r):r}if(n!=="world_size"&&n!=="accumulation_steps")return JSON.parse(e);let t=Number(e);return e.trim()!==""&&Number.isInteger(
t)?t:new Error(`${JSON.stringify(e)} is no whole number`)}var $s=(n,e)=>n==="mesh_shape"?e.join("x"):typeof e=="number"?String(e):JSON.stringify(
e),Ss=(n,e)=>e===null?xs[n]??"none":n==="mixed_precision"?dt(e):String(e);var ct=8,$e=class{constructor(e){this.page=e;this.parts=[J("Units",this.units.element,!0),J("Ranks, between steps",this.ranks.element),J("Co\
llectives",this.collectives.element),J("Replicate groups",this.groups.element),J("What is assumed and left out",this.notes)];for(let r of this.
parts)r.addEventListener("toggle",()=>this.repaint());let t=l("div",{class:"costs","data-role":"costs"},this.form.element,this.setting,this.
refused,this.totals,this.peak.element,...this.parts);this.curtain=new _(t,r=>r&&this.repaint()),this.element=this.curtain.element}page;element;curtain;form=new Te(
e=>this.ask(e));setting=l("p",{class:"note","data-role":"costs-setting"});refused=l("div",{class:"error",role:"alert","data-role":"costs-ref\
used"});totals=l("p",{"data-role":"costs-totals"});peak=new ke;units=new S("costs-units","Costs of the units",nn,ct,e=>this.jump(e.fqn));ranks=new S(
"costs-ranks","What each rank keeps between steps",rn,ct);collectives=new S("costs-collectives","Collectives of a step",sn,ct);groups=new S(
"costs-groups","Replicate groups",on,4,e=>this.jump(e.fqn));notes=l("ul",{class:"cost-notes","data-role":"costs-notes"});parts;asked=!1;before={
setting:"",peak:null};now={setting:"",peak:null};update(e){let t=this.page.trait("costs");if(t===null)return this.begin();["costs","tree"].some(
r=>e.has(r))&&this.show(t)}destroy(){this.curtain.destroy();for(let e of this.tables)e.destroy()}get tables(){return[this.units,this.ranks,this.
collectives,this.groups]}begin(){u(this.setting,"Asking for the costs of this plan …"),this.sections(!1),!this.asked&&(this.asked=!0,this.
ask({}).then(e=>e&&u(this.setting,`${e.title}: ${e.detail}`)))}async ask(e){let t=await this.page.ask("what_if",e);return t.ok?null:t.error??
{title:"The kernel refused",detail:"It gave no reason."}}show(e){this.form.show(e),u(this.setting,`For ${lt(e.what_if)}.`),u(this.refused,e.
refused?`${e.refused.title}: ${e.refused.detail}`:""),this.refused.hidden=!e.refused,this.sections(!e.refused),!e.refused&&(this.remember(e),
u(this.totals,Rs(e.totals)),this.peak.show(e.peak,this.before.setting&&this.before.setting!==this.now.setting?this.before.peak:null),this.tabulate(
e))}tabulate(e){this.units.show(e.units),this.ranks.show(e.per_rank),this.collectives.show(e.collectives),this.groups.show(e.groups),this.notes.
replaceChildren(...e.notes.map(([r,s])=>l("li",{},l("b",{},r.replaceAll("_"," ")),` ${s}`)));let t=[e.totals.units??e.units.length,e.what_if.
world_size,e.totals.collectives??0,e.groups.length,e.notes.length];this.parts.forEach((r,s)=>{r.hidden=t[s]===0;let i=r.firstElementChild;u(
i,`${i.dataset.name}: ${v(t[s])}${s===1?Es(e):""}`)})}remember(e){let t=lt(e.what_if),r=e.peak.nbytes??null;t!==this.now.setting&&(this.before=
this.now),this.now={setting:t,peak:r}}sections(e){for(let t of[this.totals,this.peak.element,...this.parts])t.hidden=!e}repaint(){for(let e of this.
tables)e.repaint()}jump(e){let t=T(this.page.tree,e);t>=0&&this.page.reveal(t)}};function J(n,e,t=!1){let r=l("details",{},l("summary",{"dat\
a-name":n},n),e);return h(r,{open:t?"":null}),r}function Es({per_rank:n,what_if:e}){let t=(n.at(-1)?.ranks[1]??0)+1;return t<e.world_size?`,\
 ${e.world_size/t} copies of these ${t}`:""}function Rs(n){let e=n.small_messages?`, ${v(n.small_messages)} of them under 1 MiB`:"";return`A\
 rank keeps ${g(n.shard_nbytes)} of parameters (${g(n.padding_nbytes)} padding); a step has ${v(n.collectives)} collectives${e}, for which a\
 rank sends ${g(n.sent_nbytes)}.`}var Rn='.costs p{margin:4px 0}.costs details{margin:4px 0}.costs summary{cursor:pointer;font-weight:600}.what-if{gap:5px 12px}.what-if selec\
t,.what-if input{max-width:100%}.what-if select{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radi\
us:4px;padding:2px 4px}.what-if [aria-invalid]{border:2px solid var(--bad)}.refusal{flex:1 1 240px;border-left:3px solid var(--bad);backgrou\
nd:var(--bad-paper);padding:2px 8px;overflow-wrap:anywhere}.refusal:before{content:"! ";font-weight:700;color:var(--bad)}.stacked{display:fl\
ex;height:24px;border:1px solid var(--line);border-radius:4px;overflow:hidden;margin:6px 0}.stacked span{--mixed: color-mix(in srgb, var(--s\
hard) var(--shade), var(--paper));background:var(--mixed);color:var(--ink);border-right:1px solid var(--paper);min-width:1px;text-align:cent\
er;font:700 12px/24px ui-monospace,monospace;overflow:hidden}.stacked span[data-dark]{color:var(--shard-ink)}.terms{margin:0;padding-left:0;\
columns:2 300px;list-style-position:inside;font-variant-numeric:tabular-nums}.terms li{break-inside:avoid;overflow-wrap:anywhere}.terms li:b\
efore{content:"";display:inline-block;width:10px;height:10px;margin-right:6px;border:1px solid var(--soft);background:color-mix(in srgb,var(\
--shard) var(--shade),var(--paper))}.peak svg{display:block;width:100%;max-width:640px;height:66px;border-bottom:1px solid var(--line);margi\
n-top:6px;overflow:visible}.peak .top{fill:var(--bad)}.cost-notes{margin:2px 0;padding-left:18px}.table{font-family:var(--mono);font-size:12\
px}.table-rows{position:relative;overflow:auto;contain:strict;border:1px solid var(--line);border-radius:4px}.table-head{position:sticky;top\
:0;z-index:1;height:20px;line-height:20px;white-space:pre;padding:0 6px;color:var(--soft);background:var(--paper);box-shadow:inset 0 -1px va\
r(--line);width:max-content;min-width:100%;box-sizing:border-box;cursor:help}.table-row{position:absolute;left:0;height:20px;line-height:20p\
x;white-space:pre;padding:0 6px;min-width:100%;box-sizing:border-box;width:max-content;cursor:default}.table-row:hover{background:var(--rais\
ed)}.table-row[aria-selected=true]{background:var(--chosen)}.table-rows:focus .table-row[aria-selected=true]{outline:2px solid var(--ring);o\
utline-offset:-2px}';function Mn(n,e,t){let r=n.total[n.cls[0]];if(!(r>0))return[];let s=e/r,i=[],o=[{node:0,many:1,stride:n.size,level:0,left:0,width:e}];for(;o.
length>0;){let a=o.pop();i.push(a),a.many===1&&a.level+1<t&&o.push(...Cs(n,a,s).reverse())}return i}function Cs(n,e,t){let r=[],s=e.left+n.own[n.
cls[e.node]]*t,i=e.node+1;for(let[o,a,d]of n.classes[n.cls[e.node]][2]){let c=a===null?1:Number(a)-Number(o)+1,p=n.total[d]*t,m=n.end[i]-i,f=e.
level+1;if(p>=1)for(let y=0;y<c;y++)r.push({node:i+y*m,many:1,stride:m,level:f,left:s+y*p,width:p});else p*c>=1&&r.push({node:i,many:c,stride:m,
level:f,left:s,width:p*c});s+=p*c,i+=m*c}return r}function Cn(n,e,t){let r;for(let s of n)s.level<=t&&e>=s.left&&e<s.left+s.width&&(r=s);return r?
r.node+r.stride*Math.min(r.many-1,Math.floor((e-r.left)/r.width*r.many)):-1}var Pn=28,ht=3,pt=Pn/ht,Ps=11,Se=class{constructor(e){this.page=e;this.palette=new A(e.root),this.element.addEventListener("click",t=>this.show(
this.under(t))),this.element.addEventListener("mousemove",t=>h(this.element,{title:this.words(this.under(t))})),this.element.addEventListener(
"keydown",t=>this.press(t))}page;canvas=l("canvas",{"aria-hidden":"true"});element=l("div",{class:"icicle","data-role":"icicle",tabindex:0,role:"\
slider","aria-label":"Parameters by module"},this.canvas);palette;blocks=[];top=0;chosen=0;update(e){e.has("theme")&&this.palette.forget(),(e.
has("tree")||e.has("size"))&&this.measure(),["tree","plan","theme","size","colour","focus"].some(t=>e.has(t))&&this.draw()}destroy=()=>{};measure(){
let e=Mn(this.page.tree,this.element.clientWidth,ht+8),t=r=>e.filter(s=>s.level===r).length<=1;for(this.top=0;t(this.top)&&e.some(({level:r})=>r>
this.top);)this.top++;this.blocks=e.filter(({level:r})=>r>=this.top&&r<this.top+ht),this.chosen=Math.min(this.chosen,Math.max(0,this.blocks.
length-1)),this.element.hidden=this.blocks.length===0}draw(){let e=W(this.canvas,this.element.clientWidth,Pn);e.font="700 8px ui-monospace, \
monospace",e.textBaseline="middle",e.textAlign="center";for(let t of this.blocks)this.drawBlock(e,t);this.outline(e),this.announce()}drawBlock(e,t){
let{glyph:r,letter:s}=this.status(t.node),i=this.palette.of(this.page.colourOf(t.node)),o=s===s.toUpperCase(),[a,d,c,p]=this.place(t);s!=="u"&&
(e.globalAlpha=o?1:.3,e.fillStyle=i,e.fillRect(a,d,c,p),e.globalAlpha=1),e.strokeStyle=t.many>1?"transparent":i,e.setLineDash(s==="u"?[1,2]:
[]),c>2&&e.strokeRect(a+.5,d+.5,c-1,p-1),!(c<Ps||!r)&&(e.fillStyle=this.palette.of(o?"var(--paper)":"var(--ink)"),e.fillText(r,a+c/2,d+p/2+.5))}outline(e){
let{tree:t,focused:r}=this.page,s=this.blocks.filter(({node:p,many:m,stride:f})=>p<=r&&r<(m>1?p+m*f:t.end[p])),i=s[s.length-1];if(!i)return;
this.chosen=this.blocks.indexOf(i);let[o,a,d,c]=this.place(i);e.setLineDash([]),e.strokeStyle=this.palette.of("var(--ring)"),e.lineWidth=2,e.
strokeRect(o+1,a+1,Math.max(1,d-2),c-2),e.lineWidth=1}place=({left:e,width:t,level:r})=>[e,(r-this.top)*pt,Math.max(t-(t>4?1:0),1),pt-.5];status=e=>P[this.
page.plan.status[e]];under(e){let t=this.element.getBoundingClientRect();return Cn(this.blocks,e.clientX-t.left,this.top+Math.floor((e.clientY-
t.top)/pt))}show(e){e>=0&&this.page.reveal(e)}words(e){if(e<0)return"";let{tree:t}=this.page,r=t.total[t.cls[e]],s=(100*r/t.total[t.cls[0]]).
toFixed(1);return`${k(t,e)||"(root)"}, ${t.classes[t.cls[e]][0]}: ${C(r)} parameters, ${s} %, ${this.status(e).word}`}announce(){let e=this.
blocks[this.chosen];h(this.element,{"aria-valuemin":0,"aria-valuemax":Math.max(0,this.blocks.length-1),"aria-valuenow":this.chosen,"aria-val\
uetext":e?this.words(e.node):"no parameters"})}press(e){let{node:t,level:r,left:s}=this.blocks[this.chosen]??{node:-1,level:0,left:0},i=this.
blocks.filter(p=>p.level===r),o=i.findIndex(p=>p.node===t),a=p=>this.blocks.filter(m=>m.level===p&&m.left<=s+.5).at(-1)??this.blocks.find(m=>m.
level===p),d={ArrowLeft:()=>i[o-1],ArrowRight:()=>i[o+1],ArrowUp:()=>a(r-1),ArrowDown:()=>a(r+1),Home:()=>i[0],End:()=>i.at(-1),Enter:()=>this.
blocks[this.chosen]}[e.key];if(!d)return;e.preventDefault();let c=d();c&&this.page.reveal(c.node),this.element.focus()}};var z=n=>n||"(root)";function On({name:n,shape:e,dtype:t,numel:r,frozen:s},i){let o=i&&n.startsWith(`${i}.`)?n.slice(i.length+1):n,a=e===null?
"lazy":e.length===0?"scalar":`[${e.join(", ")}]`;return`${o} ${a} ${t}, ${v(r)} elements${s?", frozen":""}`}function Ln(n,e){let t={unit:"un\
it of ",replicate:"replicated with ",ignored:"ignored with ",unmanaged:"unmanaged"},s=n.owner_kind==="ignored"&&n.owner===null?"ignored by i\
tself":n.owner_kind==="unmanaged"?t.unmanaged:t[n.owner_kind]+z(n.owner??""),i=n.tied.length?`; tied to ${Ls(n.tied)}`:"";return`${s}; ${Os(
n,e)}, ${Z(n.nbytes_per_rank)}${i}`}function Os({piece:n},e){if(n===null)return"whole on every rank";let t=n[1]>n[0]?`elements ${v(n[0])} to\
 ${v(n[1])}`:"nothing";return`rank 0 of ${v(e)} holds ${t}`}var Ls=n=>n.slice(0,3).join(", ")+(n.length>3?` and ${n.length-3} more`:"");function _n({
unit:n,unit_fqn:e,local_root:t,within:r}){return[n===null?"":`Unit u${n}, of ${z(e??"")}`,t!==null&&n!==null?`local root ${z(t)}`:"",r===null?
"":`inside ${r.replace(/^(\w+):(.*)$/,(i,o,a)=>`${o==="replicate"?"replicated":o} ${z(a)}`)}`].filter(Boolean).join("; ")}function An(n,e,t){
if(!(n===null||n.rev!==e||t===null))return n.units.find(({runs:r})=>r.some(([s,i,o])=>t>=s&&t<i&&(t-s)%o===0))}var _s=120,Ee=12,As=1e3,Re=class{constructor(e){this.page=e;this.open(e.root.clientWidth>=As)}page;toggle=l("button",{type:"button",class:"i\
nspector-toggle","data-cmd":"inspector",click:()=>this.open(this.body.hidden===!0)},"Inspector");title=l("h4",{"data-role":"inspected"});why=l(
"p",{"data-role":"why"});owner=l("p",{class:"note","data-role":"belongs"});costs=l("p",{class:"note","data-role":"unit-costs"});params=l("ul",
{"data-role":"params"});remarks=l("ul",{class:"remarks","data-role":"remarks"});code=l("pre",{tabindex:0,"data-role":"inspected-code","aria-\
label":"Code that makes it so"});body=l("div",{class:"inspector-body",role:"region","aria-label":"Inspector",tabindex:0},this.title,this.why,
this.owner,this.costs,this.params,this.remarks,this.code);element=l("div",{class:"inspector","data-role":"inspector"},this.toggle,this.body);timer;asked=0;shown=null;update(e){
["tree","plan","focus","rows"].some(t=>e.has(t))?this.lookSoon():e.has("costs")&&this.shown&&this.showCosts(this.shown)}destroy(){clearTimeout(
this.timer),this.asked++}open(e){this.body.hidden=!e,h(this.toggle,{"aria-expanded":e,title:e?"Hide what is known of the focused module":"Sh\
ow what is known of the focused module"}),e&&this.lookSoon()}lookSoon(){clearTimeout(this.timer),this.body.hidden||(this.timer=setTimeout(()=>{
this.look()},_s))}async look(){let e=++this.asked,{focused:t,rows:r,focus:s}=this.page,{times:i}=r[s];h(this.body,{"aria-busy":"true"});let o=await this.
page.ask("inspect",{index:t});e===this.asked&&(h(this.body,{"aria-busy":null}),o.ok?this.show(o.value,i):this.fail(`${o.error?.title}: ${o.error?.
detail}`))}fail(e){this.shown=null,u(this.title,"Not known"),u(this.why,e);for(let t of[this.owner,this.costs,this.params,this.remarks,this.
code])t.hidden=!0}show(e,t){this.shown=e;let r=t>1?`, the first of ${t} alike`:"";u(this.title,`${z(e.fqn)} · ${e.cls} · #${e.index}${r}`),
u(this.why,e.why),this.showOwner(e),this.showCosts(e),this.showParams(e),this.showRemarks(e),u(this.code,e.code.join(`
`)),this.code.hidden=e.code.length===0}showOwner(e){let t=e.names.length>1?` Also called ${e.names.slice(1,4).join(", ")}.`:"",r=_n(e),s=e.unit_fqn!==
null&&e.unit_fqn!==e.fqn?[" ",this.jump(e.unit_fqn)]:[];this.owner.replaceChildren(r?`${r}.${t}`:t,...s),this.owner.hidden=!r&&!t}showCosts({
unit:e}){let t=An(this.page.trait("costs"),this.page.plan.state.rev,e);this.costs.hidden=e===null,t?this.costs.replaceChildren(`Its unit: ${g(
t.unsharded_nbytes)} gathered, ${g(t.shard_nbytes)} on a rank; ${t.frees_after_forward?"frees":"keeps"} it after forward (${t.reason}); a ra\
nk sends ${g(t.sent_nbytes)} for it in a step.`):this.costs.replaceChildren(this.link("What its unit costs",()=>this.page.open("costs")))}showParams({
params:e,fqn:t,world_size:r}){let s=e.slice(0,Ee).map(i=>l("li",{},l("b",{},On(i,t)),l("br"),Ln(i,r)));e.length>Ee&&s.push(l("li",{},`and ${e.
length-Ee} more parameters`)),e.length===0&&s.push(l("li",{class:"note"},"It has no parameters of its own.")),this.params.replaceChildren(...s),
this.params.hidden=!1}showRemarks({findings:e,conflicts:t}){let r=[...t.map(({message:s,fix:i})=>({severity:"conflict",message:s,advice:i})),
...e].slice(0,Ee);this.remarks.replaceChildren(...r.map(({severity:s,message:i,advice:o})=>l("li",{"data-severity":s},l("b",{},s),` ${i}`,l(
"br"),o))),r.length&&this.remarks.append(l("li",{},this.link("All findings",()=>this.page.open("findings")))),this.remarks.hidden=r.length===
0}jump(e){return this.link(`Go to ${z(e)}`,()=>{let t=T(this.page.tree,e);t>=0&&this.page.reveal(t)})}link(e,t){let r=b("go",e,e,t);return r.
classList.add("link"),r}};var In='.side:has(.inspector-body:not([hidden])){flex:0 0 320px;min-width:0}.side{position:relative}.side:has(.inspector-toggle[aria-expande\
d=false]){flex:0 0 34px}.inspector{position:absolute;inset:0 0 0 8px}.inspector-toggle{width:100%;text-align:left;font-weight:600}.inspector\
-toggle:before{content:"▸ "}.inspector-toggle[aria-expanded=true]:before{content:"▾ "}.inspector-toggle[aria-expanded=false]{writing-mode:ve\
rtical-rl;width:auto;padding:8px 2px}.inspector-body{position:absolute;inset:28px 0 0;overflow:auto;overflow-wrap:anywhere;font-size:12px;pa\
dding:0 4px}.inspector-body h4{margin:6px 0 4px;font-size:13px}.inspector-body p{margin:4px 0}.inspector-body ul{margin:6px 0;padding:0;list\
-style:none;max-height:none}.inspector-body li{margin-bottom:6px}.inspector-body [data-role=params] li{border-left:3px solid var(--line);pad\
ding-left:6px}.inspector-body [aria-busy]{opacity:.7}@container (max-width: 999px){.body{flex-direction:column}.side:has(.inspector-body:not\
([hidden])){flex:none}.side:has(.inspector-toggle[aria-expanded=false]){flex:none}.inspector{position:static;margin-top:4px}.inspector-toggl\
e[aria-expanded]{writing-mode:horizontal-tb;width:auto;padding:2px 8px}.inspector-body{position:static;height:170px;resize:vertical;border:1\
px solid var(--line);border-radius:4px}}';var Nn=".icicle{height:28px;margin-bottom:3px;cursor:pointer;overflow:hidden;border-radius:3px}.icicle canvas,.minimap canvas{display:block}\
.edge{position:relative}.minimap{position:absolute;inset:0;width:64px;overflow:hidden;cursor:pointer;touch-action:none;border-left:1px solid\
 var(--line);box-sizing:border-box}.glass{position:absolute;left:0;right:0;border:1px solid var(--ring);background:color-mix(in srgb,var(--r\
ing) 12%,transparent);box-sizing:border-box;border-radius:2px;pointer-events:none}@container (max-width: 480px){.edge{display:none}.tree:has\
(.edge:not(:empty)) .heads{margin-right:0}}";function ut(n,e,t,r){let s=Math.max(1,Math.min(4,Math.floor(r/Math.max(1,n.length)))),i=Math.min(n.length,Math.floor(r/s)),o=new Uint8Array(
i),a=new Uint8Array(i),d=new Uint8Array(i);for(let c=0;c<i;c++){let p=Hn(c+1,i,n.length);for(let m=Hn(c,i,n.length);m<p;m++){let{ref:f,node:y}=n[m];
f>=0||(o[c]|=1<<e.status[y],a[c]=Math.max(a[c],e.alarm[y]))}}for(let c of t)c>=0&&c<n.length&&(d[Hs(c,i,n.length)]=1);return{count:i,thick:s,
rows:n.length,statuses:o,alarm:a,hit:d}}var Hn=(n,e,t)=>Math.ceil(n*t/e),Hs=(n,e,t)=>Math.floor(n*e/t);function zn({count:n,thick:e,rows:t},r,s){
if(t===0)return{top:0,height:0};let i=n*e/t,o=Math.max(6,Math.min(s,t)*i);return{top:Math.max(0,Math.min(r*i,n*e-o)),height:o}}function Un({
count:n,thick:e,rows:t},r){return Math.max(0,Math.min(t-1,Math.floor(r*t/Math.max(1,n*e))))}function Bn(n,e){return n.length<=e?n:Array.from(
{length:e},(t,r)=>n[Math.floor(r*n.length/e)])}var zs=64,Us=[["Ff","var(--shard)",3],["Rr","var(--replicate)",18],["Ii","var(--ignore)",33]],Bs=13,Fs=6,Fn={left:48,width:5},Wn={left:56,width:6},
Ws=1e3,Me=class{constructor(e){this.page=e;this.palette=new A(e.root),this.element.addEventListener("pointerdown",t=>this.grab(t)),this.element.
addEventListener("pointermove",t=>this.dragging&&this.go(t));for(let t of["pointerup","pointercancel"])this.element.addEventListener(t,()=>this.
dragging=!1);this.element.addEventListener("keydown",t=>this.press(t))}page;canvas=l("canvas",{"aria-hidden":"true"});glass=l("div",{class:"\
glass"});element=l("div",{class:"minimap","data-role":"minimap",tabindex:0,role:"slider","aria-orientation":"vertical","aria-label":"Rows of\
 the tree on the screen",title:"All rows: sharded, replicated, ignored (short: managed from above), search hits, findings. Click to go there\
."},this.canvas,this.glass);palette;buckets=ut([],{status:new Uint8Array(0),alarm:new Uint8Array(0)},[],1);dragging=!1;update(e){e.has("them\
e")&&this.palette.forget(),["tree","plan","rows","hits","theme","size"].some(t=>e.has(t))&&this.draw(),this.frame()}destroy=()=>{};draw(){let{
rows:e,plan:t,hits:r}=this.page,s=this.element.clientHeight,i=Bn(r,Ws).map(a=>this.page.rowOf(a));this.buckets=ut(e,t,i,s);let o=W(this.canvas,
zs,s);for(let a=0;a<this.buckets.count;a++)this.drawLine(o,a)}drawLine(e,t){let{statuses:r,alarm:s,hit:i,thick:o}=this.buckets,a=Math.max(1,
o-(o>2?1:0)),d=(c,p,m)=>{e.fillStyle=this.palette.of(m),e.fillRect(c,t*o,p,a)};for(let[c,p,m]of Us){let[f,y]=[...c].map(Ue=>r[t]&1<<R.indexOf(
Ue));(f||y)&&d(m,f?Bs:Fs,p)}i[t]&&d(Fn.left,Fn.width,"var(--ink)"),s[t]>1&&d(Wn.left,Wn.width,s[t]===3?"var(--bad)":"var(--soft)")}frame(){let{
first:e,count:t}=this.page.viewport,r=this.page.rows.length,{top:s,height:i}=zn(this.buckets,e,t);Object.assign(this.glass.style,{top:`${s}p\
x`,height:`${i}px`});let o=Math.min(r,Math.floor(e)+1);h(this.element,{"aria-valuemin":1,"aria-valuemax":Math.max(1,r),"aria-valuenow":o,"ar\
ia-valuetext":`rows ${o} to ${Math.min(r,Math.floor(e+t))} of ${r}`})}grab(e){e.button===0&&(this.dragging=!0,this.element.setPointerCapture(
e.pointerId),this.go(e))}go(e){let t=e.clientY-this.element.getBoundingClientRect().top;this.page.scrollTo(Un(this.buckets,t)-this.page.viewport.
count/2)}press(e){let{first:t,count:r}=this.page.viewport,s=this.page.rows.length,i={ArrowDown:t+1,ArrowUp:t-1,PageDown:t+r-1,PageUp:t-r+1,Home:0,
End:s};e.key in i&&(e.preventDefault(),this.page.scrollTo(Math.max(0,Math.min(i[e.key],s-r))))}};var Ce=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrappe\
r init"]],Dn=22,Pe=class{constructor(e){this.page=e;let t={class:"order-rows",tabindex:0,role:"region","aria-label":"Orders"};this.list=new L(
Dn,t,Ds,(s,i)=>this.fill(s,i)),this.list.view.addEventListener("click",s=>{let i=s.target.dataset.target;i!==void 0&&e.reveal(T(this.tree,i))});
let r=Ce.map(([,s])=>l("span",{},s));this.element=l("div",{"data-role":"orders"},this.title,l("div",{class:"order order-heads"},l("span",{},
"k"),...r),this.list.view)}page;element;list;title=l("p",{class:"note","data-role":"orders-note"});tree;plan;update(e){if(!e.has("plan"))return;
let{tree:t,plan:r}=this.page;this.tree=t,this.plan=r;let s=Math.max(t.size,...Ce.map(([d])=>r.state.orders[d]?.length??0)),[i,o]=[this.of("i\
nit_composable"),this.of("init_wrapper")],a=i.filter((d,c)=>d!==o[c]).length;u(this.title,i.length?`I₁ and I₂ differ in ${a} of ${i.length}\
 places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.style.height=`${Math.min(s,8)*Dn}px`,this.list.show(
s)}destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??[];fill(e,t){let[r,...s]=e.children;u(r,String(t));let i=Ce.map(([o])=>o===
"dfs"&&t<this.tree.size?k(this.tree,t):this.of(o)[t]);s.forEach((o,a)=>{let d=i[a];u(o,d===void 0?"":d||"(root)");let c=a>1&&i[2]!==i[3];h(o,
{"data-target":d??null,title:d||null,"data-differs":c?"1":null})})}};function Ds(){return l("div",{class:"order"},l("span"),...Ce.map(([n])=>l(
"span",{"data-order":n})))}var mt=[{kind:"composable",label:"I₁ composable init",about:"fully_shard(policy): lists the handles left to right, then makes them from th\
e end of that list.",made:"Handles made"},{kind:"wrapper",label:"I₂ wrapper init",about:"FullyShardedDataParallel(policy): a handle is mad\
e once all children are done (post-order).",made:"Handles made"},{kind:"handles",label:"H get_handles",about:"Lists the handles left to righ\
t, parents first; a replicated module is not entered.",made:"Handles listed"},{kind:"modules",label:"# modules()",about:"Every module once, \
left to right, parents first.",made:"Modules met"},{kind:"rightToLeft",label:"right to left",about:"Children from the right, for contrast: n\
othing runs in this order.",made:"Modules met"}],Oe=n=>mt.find(e=>e.kind===n);function jn(n,e,t){let r=new Set(e.state.units.filter(o=>o.handle!==
null).map(o=>o.index)),s=R.indexOf("R"),i=new Set;return e.status.forEach((o,a)=>o===s&&i.add(a)),{tree:n,handles:r,barred:i,starts:t}}var js=5;
function j(n,e){if(e===0)return"(root)";let t=[],r=e;for(;r>0&&t.length<js;r=n.parent[r])t.push(n.names[r]);return(r>0?"…":"")+t.reverse().
join(".")}function Kn(n,e,t){let{tree:r,handles:s}=n,i=e.produced.length.toLocaleString("en");if(t>=e.steps)return`Done: ${Oe(e.kind).made.toLowerCase()}\
, ${i} in all.`;let o=e.node[t],a=j(r,o),d=s.has(o);switch(Ze[e.act[t]]){case"again":return`${a} was met before, by another path: nothing to\
 do.`;case"barred":return`${a} is replicated: not entered, nothing below it is listed.`;case"leave":return d?`All children of ${a} are done:\
 its handle is made.`:`All children of ${a} are done; it has no handle.`;case"take":return`${a} is the last of the list: its handle is made.`;default:
return`Visit ${a} (${r.classes[r.cls[o]][0]})${Ks(e.kind,d)}; ${Gs(tt(r,o).length)}.`}}function Ks(n,e){return n==="modules"||n==="rightToLe\
ft"?", and list it":n==="wrapper"?e?": it has a handle, to be made when its children are done":", without a handle":e?", and list its handle":
", without a handle"}function Gs(n){return n===0?"it has no children":n===1?"its child goes on the stack":`its ${n.toLocaleString("en")} chi\
ldren go on the stack`}var Gn=[1,2,5,10,30,60,200,1e3,1e4],qs=.25,ft=(n,e=2)=>({steps:n,at:0,rate:e,playing:!1,owed:0});function qn(n,e){if(!n.playing)return n;let t=n.
owed+n.rate*Math.min(e,qs),r=Math.min(n.steps,n.at+Math.floor(t));return{...n,at:r,owed:t%1,playing:r<n.steps}}var Vn=n=>({...n,at:n.at===n.
steps?0:n.at,owed:0,playing:n.steps>0}),X=n=>({...n,playing:!1,owed:0}),Le=(n,e)=>({...n,at:Math.max(0,Math.min(n.steps,Math.round(e))),owed:0}),
_e=(n,e)=>X(Le(n,n.at+e)),Jn=(n,e)=>({...n,rate:e,owed:0});var Ae=4,Ie=8,Vs=250,Js=8,Ne=class{constructor(e){this.page=e;this.rate.value="2";let t=b("step_back","◀","One step back (,)",()=>this.move(
_e(this.now,-1))),r=b("step","▶|","One step on (.)",()=>this.move(_e(this.now,1)));h(t,{"aria-label":"One step back"}),h(r,{"aria-label":"\
One step on"});let s=l("div",{class:"player","data-role":"player"},l("div",{class:"bar"},this.walk,this.start,t,this.playing,r,this.rate,this.
scrub,this.count),this.about,this.said,l("div",{class:"columns"},this.around.element,this.stack.element,this.made.element));this.curtain=new _(
s,i=>this.turn(i)),this.element=this.curtain.element,e.root.addEventListener("keydown",this.press)}page;element;curtain;shown=!0;walk=l("sel\
ect",{"data-role":"walk","aria-label":"Walk",change:()=>this.rewalk()},...mt.map(({kind:e,label:t})=>l("option",{value:e},t)));start=l("sele\
ct",{"data-role":"walk-start","aria-label":"Where the walk begins",change:()=>this.rewalk()});playing=b("play","▶ Play","Play or pause",()=>this.
toggle());rate=l("select",{"data-role":"rate","aria-label":"Rows a second",change:()=>this.move(Jn(this.now,Number(this.rate.value)))},...Gn.
map(e=>l("option",{value:e},`${e.toLocaleString("en")} rows/s`)));scrub=l("input",{type:"range",min:0,value:0,"data-role":"scrub","aria-labe\
l":"Step",input:()=>this.move(X(Le(this.now,Number(this.scrub.value))))});count=l("span",{class:"note","data-role":"step"});about=l("p",{class:"\
note"});said=l("p",{class:"said","data-role":"said","aria-live":"polite"});around=new Y("around",2*Ae+1,"Modules around the next one");stack=new Y(
"stack",Ie,"Stack");made=new Y("made",Ie,"Produced");ground;recording;metAt;now=ft(0);frame=0;drawnAt=0;calm=matchMedia("(prefers-reduced-mo\
tion: reduce)");press=e=>this.key(e);update(e){!e.has("tree")&&!e.has("plan")||(this.offerStarts(),this.rewalk())}destroy(){cancelAnimationFrame(
this.frame),this.curtain.destroy(),this.page.root.removeEventListener("keydown",this.press),this.page.point("now",[])}offerStarts(){let{tree:e,
plan:t}=this.page,r=t.state.units.filter(i=>i.is_root&&i.apart).slice(0,50),s=this.start.value;this.start.replaceChildren(l("option",{value:0},
"from the root"),...r.map(({index:i})=>l("option",{value:i},`from ${j(e,i)}`))),this.start.value=r.some(({index:i})=>String(i)===s)?s:"0",this.
start.hidden=r.length===0}rewalk(){let{tree:e,plan:t}=this.page,r=this.walk.value,s=this.recording?.kind!==r;this.ground=jn(e,t,[Number(this.
start.value)]),this.recording=Kt(this.ground,r),this.metAt=new Int32Array(e.size).fill(this.recording.steps);for(let o=this.recording.steps-
1;o>=0;o--)this.recording.act[o]===0&&(this.metAt[this.recording.node[o]]=o);u(this.about,Oe(r).about),h(this.scrub,{max:this.recording.steps});
let i=ft(this.recording.steps,this.now.rate);this.move(s?i:Le(i,this.now.at))}toggle(){this.move(this.now.playing?X(this.now):Vn(this.now))}move(e){
this.now=e,this.draw(),cancelAnimationFrame(this.frame),e.playing&&this.follow(performance.now())}turn(e){this.shown=e,e?this.draw():this.move(
X(this.now))}follow(e){this.frame=requestAnimationFrame(t=>{this.now=qn(this.now,Math.max(0,t-e)/1e3),(!this.calm.matches||t-this.drawnAt>=Vs||
!this.now.playing)&&this.draw(t),this.now.playing&&this.follow(Math.max(t,e))})}key(e){e.ctrlKey||e.altKey||e.metaKey||!this.shown||e.key!==
"."&&e.key!==","||e.composedPath()[0].matches("input:not([type=range]), textarea")||(e.preventDefault(),this.move(_e(this.now,e.key==="."?1:
-1)))}draw(e=performance.now()){this.drawnAt=e;let{now:t,recording:r,ground:s}=this,{at:i,steps:o}=t;this.scrub.value=String(i),h(this.scrub,
{"aria-valuetext":`step ${i} of ${o}`}),u(this.count,`step ${i.toLocaleString("en")} of ${o.toLocaleString("en")}`),u(this.playing,t.playing?
"❚❚ Pause":"▶ Play"),h(this.said,{"aria-live":t.playing?"off":"polite"}),u(this.said,(i<o?"Next: ":"")+Kn(s,r,i));let a=i<o?r.node[i]:
-1;this.drawAround(a),this.drawStack(),this.drawMade(),this.page.point("now",a<0||!this.shown?[]:[a])}drawAround(e){let{tree:t}=this.page,r=Math.
max(0,e),s=Math.max(0,Math.min(r-Ae,t.size-2*Ae-1)),i=Math.min(t.size,s+2*Ae+1),o=1/0;for(let a=s;a<i;a++)o=Math.min(o,t.depth[a]);this.around.
show("Modules",i-s,a=>{let d=s+a,c=d===e?"▶":this.metAt[d]<this.now.at?"✓":"·",p="  ".repeat(Math.min(Js,t.depth[d]-o)),m=this.ground.handles.
has(d)?" [H]":this.ground.barred.has(d)?" [R]":"";return`${c} ${p}${d===0?"(root)":t.names[d]}${m}`},e-s)}drawStack(){let{recording:e,now:t}=this,
r=Gt(e,t.at,Ie),s=t.at>=e.reversing&&e.reversing<e.steps?"Handles listed, taken from the end":"Stack";this.stack.show(`${s}: ${e.depth[t.at].
toLocaleString("en")}`,r.length,i=>r[i]<0?`${j(this.page.tree,~r[i])}, once its children are done`:j(this.page.tree,r[i]),0)}drawMade(){let{
recording:e,now:t}=this,r=e.kind==="composable"&&t.at<e.reversing,[s,i]=r?[e.found,e.listed[t.at]]:[e.produced,e.done[t.at]],o=Math.max(0,i-
Ie),a=r?"Handles listed":Oe(e.kind).made;this.made.show(`${a}: ${i.toLocaleString("en")} of ${s.length.toLocaleString("en")}`,i-o,d=>`${o+d}\
  ${j(this.page.tree,s[o+d])}`,i-o-1)}},Y=class{element;heading=l("h4");lines;constructor(e,t,r){this.lines=Array.from({length:t},()=>l("li")),
this.element=l("div",{"data-role":e},this.heading,l("ol",{"aria-label":r},...this.lines))}show(e,t,r,s){u(this.heading,e),this.lines.forEach(
(i,o)=>{i.style.visibility=o<t?"visible":"hidden",o<t&&u(i,r(o)),h(i,{"data-now":o===s&&o<t?"1":null})})}};var Xn=".player .bar [data-role=scrub]{flex:1 1 120px;min-width:80px;padding:0}.player select{font:inherit;color:inherit;background:var(--ra\
ised);border:1px solid var(--line);border-radius:4px;padding:2px 4px;max-width:100%}.player p{margin:4px 0}.said{font-family:var(--mono);fon\
t-size:12px;min-height:2.8em;overflow-wrap:anywhere}.columns{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:4px 16px}.column\
s h4{margin:0 0 2px;font-size:12px;font-weight:600}.columns ol{list-style:none;margin:0;padding:0;font-family:var(--mono);font-size:12px}.co\
lumns li{line-height:18px;height:18px;white-space:pre;overflow:hidden;text-overflow:ellipsis;padding:0 4px;border-left:3px solid transparent\
}.columns [data-role=around] li{line-height:16px;height:16px}.columns li[data-now]{background:var(--chosen);border-left-color:var(--ring);fo\
nt-weight:600}@container (max-width: 560px){.columns{grid-template-columns:minmax(0,1fr)}}";var gt=40,He=class{constructor(e){this.page=e}page;list=l("ul",{class:"remarks","data-role":"findings"});element=l("div",{},this.list);update(e){
if(!e.has("plan"))return;let{state:t}=this.page.plan,r=[...t.conflicts.map(i=>({...i,severity:"conflict"})),...t.findings],s=r.slice(0,gt).map(
i=>this.item(i));r.length>gt&&s.push(l("li",{},`and ${r.length-gt} more`)),r.length===0&&s.push(l("li",{class:"note"},"Nothing to report: th\
is plan can run.")),this.list.replaceChildren(...s)}destroy=()=>{};item(e){let t=e.severity??"warn",r=e.fqns.slice(0,4).map((i,o)=>{let a=e.
indices[o]??0;return l("button",{type:"button",class:"link","data-jump":a,click:()=>this.page.reveal(a)},i||"(root)")}),s=e.fqns.length>4?` \
and ${e.fqns.length-4} more`:"";return l("li",{"data-severity":t,"data-kind":e.kind},l("b",{},t)," ",...r,s,l("p",{},e.message),l("p",{class:"\
note"},e.fix??e.advice??""))}};var Yn=n=>typeof n=="number"?n.toFixed(4):"not finite";function Zn(n){let e=n.losses.at(-1);if(!e)return"";let[t,...r]=e,s=r.map((a,d)=>`ran\
k ${d} ${Yn(a)}`).join(", "),i=n.losses.length-1,o=n.reference&&i<n.reference.length?`; unsharded ${Yn(n.reference[i])}`:"";return`step ${t}\
: ${s}${o}`}function Qn(n,e,t){let r=Array.from({length:(n.losses[0]?.length??1)-1},(p,m)=>n.losses.map(f=>f[m+1])),s=n.reference??[],i=[...r.
flat(),...s].filter(p=>typeof p=="number");if(i.length===0)return null;let o=i.reduce((p,m)=>Math.min(p,m)),a=i.reduce((p,m)=>Math.max(p,m)),
d=Math.max(n.steps,n.losses.length,s.length,2)-1,c=p=>p.map((m,f)=>{if(typeof m!="number")return"";let y=typeof p[f-1]=="number"?"L":"M",Ue=a===
o?t/2:(a-m)/(a-o)*t;return`${y}${(f/d*e).toFixed(1)} ${Ue.toFixed(1)}`}).join("");return{lines:r.map(c),reference:c(s),low:o,high:a}}var er=480,tr=90,ze=class{constructor(e){this.page=e;this.run=b("run","▶ Run","Spawn the workers and train with this plan",()=>{this.start()}),
this.stop=b("stop","■ Stop","End the workers",()=>{e.command("stop")});let t=l("div",{class:"bar"},l("label",{},"workers ",this.nprocs),l(
"label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=l("div",{class:"run"},t,this.error,this.losses,this.
chart,this.details)}page;element;nprocs=l("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=l("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=l("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=l("span",{"data-role":"phase"});losses=l("p",{"data-role":"losses"});chart=l("div",{class:"chart","data-role":"chart"});error=l(
"div",{class:"error","data-role":"run-error",role:"alert"});log=l("pre",{"data-role":"log",tabindex:0});details=l("details",{},l("summary",{},
"Worker log"),this.log);async start(){this.run.disabled=!0,await this.page.command("run",{nprocs:Number(this.nprocs.value),steps:Number(this.
steps.value)}),this.show(this.page.run)}update(e){e.has("run")&&this.show(this.page.run)}destroy=()=>{};show(e){this.run.disabled=O(e),this.
stop.disabled=!O(e),h(this.element,{"data-phase":e.phase}),h(this.progress,{max:e.steps||1,value:e.phase==="done"?e.steps||1:e.step}),u(this.
phase,de(e)),u(this.losses,Zn(e)),this.error.hidden=e.error===null,e.error&&this.error.replaceChildren(l("b",{},e.error.title),l("pre",{},e.
error.detail)),this.draw(e),this.details.hidden=e.log.length===0,u(this.log,e.log.map(([t,r])=>`[rank ${t}] ${r.trimEnd()}`).join(`
`))}draw(e){let t=Qn(e,er,tr);if(this.chart.hidden=t===null,!t)return;let r=t.lines.map((o,a)=>E("path",{d:o,class:"loss","data-rank":a,"str\
oke-dasharray":a?`${2+2*a} 3`:"none"})),s=E("svg",{viewBox:`-2 -4 ${er+4} ${tr+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss \
of every step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[E("path",{d:t.reference,class:"reference"})]:[],...r),
i=t.reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(l("span",{},t.high.toFixed(3)),l("span",{},t.low.toFixed(3)),s,
l("small",{},i))}};var Ys={run:{slot:"tab",label:"Run",make:n=>new ze(n)},orders:{slot:"tab",label:"Orders",make:n=>new Pe(n)},compare:{slot:"tab",label:"Compa\
re",make:n=>new ve(n)},player:{slot:"tab",label:"Player",make:n=>new Ne(n)},findings:{slot:"tab",label:"Findings",make:n=>new He(n)},code:{slot:"\
tab",label:"Code",make:n=>new be(n)},costs:{slot:"tab",label:"Costs",make:n=>new $e(n)},engines:{slot:"tab",label:"Engines",make:n=>new we(n)},
inspector:{slot:"side",label:"Inspector",make:n=>new Re(n)},finder:{slot:"tools",label:"Find",make:n=>new xe(n)},appearance:{slot:"tools",label:"\
Appearance",make:n=>new Q(n)},icicle:{slot:"top",label:"Parameters",make:n=>new Se(n)},minimap:{slot:"edge",label:"Minimap",make:n=>new Me(n)}},
Zs=[Qt,Xn,Zt,Nn,In,Rn].join(`
`),Qs={start:n=>new ge(n,Ys,Zs)},Vl=Qs;export{Vl as default};
