// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
function $e(n){let e=n.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(n.className)?"dark":n.
classList.contains("vscode-light")?"light":null}function Z(n){let e=typeof matchMedia=="function"?matchMedia("(prefers-color-scheme: dark)"):
null,t=()=>{n.dataset.theme=$e(document.body)??(e?.matches?"dark":"light")},r=new MutationObserver(t);return r.observe(document.body,{attributes:!0,
attributeFilter:["data-jp-theme-light","class"]}),e?.addEventListener("change",t),t(),()=>{r.disconnect(),e?.removeEventListener("change",t)}}var Pe="http://www.w3.org/2000/svg";function l(n,e={},...t){return Q(document.createElement(n),e,t)}function k(n,e={},...t){return Q(document.
createElementNS(Pe,n),e,t)}function Q(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,
String(s));return n.append(...t),n}function h(n,e){n.textContent!==e&&(n.textContent=e)}function u(n,e){for(let[t,r]of Object.entries(e))r===
null?n.removeAttribute(t):n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function f(n,e,t,r){return l("button",{type:"button","d\
ata-cmd":n,title:t,click:r},e)}var T=class{element;last=l("code",{"data-role":"last-code"});whole=l("pre",{"data-role":"code",tabindex:0});constructor(e){let t=(r,s)=>f(r,
"Copy","Copy to the clipboard",()=>{Le(s.textContent??"").then(e)});this.element=l("div",{class:"code"},l("p",{},"Last edit: ",this.last," ",
t("copy_last",this.last)),l("p",{},"The whole plan: ",t("copy_code",this.whole)),this.whole)}show(e){h(this.last,e.last||"none yet"),h(this.
whole,e.code||"plan = Plan()")}};async function Le(n){try{return await navigator.clipboard.writeText(n),"Copied."}catch{return"The page may \
not write to the clipboard: select the text and copy it by hand."}}var Ie={set:(n,e)=>setTimeout(n,e),clear:n=>clearTimeout(n)},S=class{constructor(e,t,r=Ie){this.send=e;this.onSilence=t;this.clock=r}send;onSilence;clock;waiting=new Map;sent=0;silent=!1;page=Math.
random().toString(36).slice(2,8);ask(e,t={}){let r=`${this.page}-${++this.sent}`;return new Promise(s=>{let o=this.clock.set(()=>this.hear(!1),
1e4);this.waiting.set(r,{answer:s,timer:o}),this.send({id:r,cmd:e,...t})})}receive(e){let t=this.waiting.get(e.id);return e.type!=="reply"||
!t?!1:(this.waiting.delete(e.id),this.clock.clear(t.timer),this.hear(!0),t.answer(e),!0)}close(){for(let{timer:e}of this.waiting.values())this.
clock.clear(e);this.waiting.clear()}hear(e){this.silent===e&&(this.silent=!e,this.onSilence(this.silent))}};var z="uFfRrIi",He=["","info","warn","error"],X={v:1,rev:0,status:[],units:[],unit_of:[],orders:{},conflicts:[],findings:[],totals:{},code:"",
last:"",undo:!1,redo:!1};function te(n,e){return Fe(n?{...X,...JSON.parse(n)}:X,e)}function Fe(n,e){let t=new Uint8Array(e),r=new Int32Array(
e).fill(-1),s=new Int32Array(e).fill(-1),o=new Uint8Array(e);ee(n.status,(d,p)=>t[d]=Math.max(0,z.indexOf(p)));let i=new Map(n.units.map(d=>[
d.n,d]));ee(n.unit_of,(d,p)=>{r[d]=p,s[d]=i.get(p)?.index??-1});let a=(d,p)=>{for(let c of d.indices)o[c]=Math.max(o[c],p)};for(let d of n.findings)
a(d,Math.max(1,He.indexOf(d.severity??"warn")));for(let d of n.conflicts)a(d,3);return{state:n,status:t,unitOf:r,head:s,alarm:o,unitAt:new Map(
n.units.map(d=>[d.index,d]))}}function ee(n,e){for(let[t,r,s,o]of n)for(let i=t;i<r;i+=s)e(i,o)}var ne=new WeakMap;function V(n,e,t,r){if(r)return re(n,e,t,!0);let s=ne.get(e)??new Map;ne.set(e,s);let o=s.get(t)??re(n,e,t,!1);return s.set(
t,o),o}function re(n,e,t,r){let s=[],o=-1;for(let i=t+1;i<n.end[t];i=n.end[i])!r&&o>=0&&_e(n,o,i)&&Ce(n,e,o,i)?s[s.length-1][1]++:s.push([i,
1]),o=i;return s}var Ne=/^\d+$/;function _e(n,e,t){return Ne.test(n.names[e])&&Number(n.names[e])+1===Number(n.names[t])}function Ce(n,e,t,r){
if(n.cls[t]!==n.cls[r])return!1;let s=n.end[t]-t,o=(i,a)=>i>=a&&i<a+s?i-a:-2-i;for(let i=0;i<s;i++)if(e.status[t+i]!==e.status[r+i]||e.alarm[t+
i]!==e.alarm[r+i]||o(e.head[t+i],t)!==o(e.head[r+i],r)||!je(e,t+i,r+i)||!ze(n,t,r,i,s))return!1;return!0}function je(n,e,t){if(n.head[e]!==e&&
n.head[t]!==t)return!0;let r=n.unitAt.get(e),s=n.unitAt.get(t);return r?.strategy===s?.strategy&&r?.nparams===s?.nparams&&r?.fqns.length===s?.
fqns.length}function ze(n,e,t,r,s){if(n.refs.length===0)return!0;let o=n.refsOf.get(e+r)??[],i=n.refsOf.get(t+r)??[],a=(d,p)=>d>=p&&d<p+s?d-
p:-1-d;return o.length===i.length&&o.every((d,p)=>{let[,c,m]=n.refs[d],[,b,j]=n.refs[i[p]];return c===b&&a(m,e)===a(j,t)})}function se(n){return{open:new Uint8Array(n.size),split:new Set}}var K=n=>n.ref<0?n.node:~n.ref;function R(n,e,t){let r=[],s=[{items:[[0,1]],
next:0,scope:null}];for(;s.length>0;){let o=s[s.length-1];if(o.next===o.items.length){s.pop();continue}let[i,a]=o.items[o.next++],d={level:s.
length,position:o.next,siblings:o.items.length};if(i<0){r.push({node:n.refs[~i][2],ref:~i,times:1,scope:o.scope,...d});continue}let p=n.end[i]-
i,c=a>1?{outer:o.scope,first:i,times:a,stride:p}:o.scope;r.push({node:i,ref:-1,times:a,scope:c,...d}),t.open[i]&&s.push({items:Ve(n,e,t,i),next:0,
scope:c})}return r}function Ve(n,e,t,r){let s=(n.refsOf.get(r)??[]).map(o=>[~o,1]);return[...V(n,e,r,t.split.has(r)),...s]}var E=(n,e)=>n.end[e]>
e+1||n.refsOf.has(e);function v(n){if(n.members)return n.members;let e=[n.node];for(let t=n.scope;t;t=t.outer){let{times:r,stride:s}=t;e=Array.
from({length:r},(o,i)=>e.map(a=>a+i*s)).flat()}return n.members=e}function M(n,e){let t=e.ref<0?[]:[n.refs[e.ref][1]],r=e.ref<0?e.node:n.refs[e.
ref][0],s=e.scope;for(;r>0;r=n.parent[r]){let o=s!==null&&s.first===r;t.push(o?U(n,r,s.times):n.names[r]),o&&(s=s.outer)}return t.reverse().
join(".")}var U=(n,e,t)=>t>1?`${n.names[e]}–${Number(n.names[e])+t-1}`:n.names[e];function ie(n,e,t,r){let s=[];for(let a=r;a>0;a=n.parent[a])
s.push(a);let o=0,i=0;for(let a of s.reverse()){t.open[i]=1;let d=a-o;i=V(n,e,i,t.split.has(i)).find(([c,m])=>d>=c&&d<c+m*(n.end[c]-c))[0],o+=
d-i}return i}function oe(n,e,t,r=40){for(t.open[0]=1;;){let s=t.open.slice(),i=R(n,e,t).filter(a=>a.ref<0&&!t.open[a.node]&&E(n,a.node));if(i.
length===0)return;for(let a of i)t.open[a.node]=1;if(R(n,e,t).length>r){t.open.set(s);return}}}function ae(n){let e=JSON.parse(n);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return Ke(e)}function Ke(n){let{classes:e,root:t}=n,{modules:r,own:s,total:o}=Ue(e),i=r[t],a={title:n.name,classes:e,
size:i,cls:new Int32Array(i),end:new Int32Array(i),depth:new Int32Array(i),parent:new Int32Array(i),names:new Array(i),own:s,total:o,refs:n.
refs??[],refsOf:new Map,tiesOf:new Map};return We(a,t,r),a.refs.forEach(([d],p)=>a.refsOf.set(d,[...a.refsOf.get(d)??[],p])),De(a,n.ties??[]),
a}function Ue(n){let e=new Float64Array(n.length),t=new Float64Array(n.length),r=new Float64Array(n.length);return n.forEach(([s,o,i],a)=>{t[a]=
o.reduce((d,p)=>d+(qe(p)?Ge(p):0),0),e[a]=1,r[a]=t[a];for(let d of i){if(!(d[2]<a))throw new Error(`The tree payload is broken: class ${a} (${s}\
) comes before its child ${d[0]}.`);e[a]+=q(d)*e[d[2]],r[a]+=q(d)*r[d[2]]}}),{modules:e,own:t,total:r}}var qe=([,,,n])=>!n.includes("b")&&!n.
includes("s"),q=([n,e])=>e===null?1:Number(e)-Number(n)+1,Ge=([,n])=>n.reduce((e,t)=>e*t,1);function We(n,e,t){let r=[],s=0,o=(i,a,d)=>{let p=s++;
n.cls[p]=i,n.end[p]=p+t[i],n.depth[p]=r.length,n.parent[p]=d,n.names[p]=a,n.classes[i][2].length>0&&r.push({kids:n.classes[i][2],kid:0,nth:0,
index:p})};for(o(e,"",-1);r.length>0;){let i=r[r.length-1];if(i.kid===i.kids.length){r.pop();continue}let a=i.kids[i.kid],d=a[1]===null?a[0]:
String(Number(a[0])+i.nth);++i.nth===q(a)&&(i.kid++,i.nth=0),o(a[2],d,i.index)}}function De(n,e){e.forEach((t,r)=>{let s=r<26?String.fromCharCode(
97+r):String(r);for(let o of t){let i=G(n,o.slice(0,Math.max(0,o.lastIndexOf("."))));i>=0&&n.tiesOf.set(i,[...n.tiesOf.get(i)??[],s])}})}function w(n,e){
let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}function G(n,e){let t=0;for(let r of e===""?[]:e.split(
".")){let s=t+1;for(;s<n.end[t]&&n.names[s]!==r;)s=n.end[s];if(s>=n.end[t])return-1;t=s}return t}var Be={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},W=[...z].map(n=>({letter:n,...Be[n]})),Je=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function g(n){for(let[e,t]of Je)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function D(n){
if(n.length===0||n.some(t=>t<0))return"";let e=(n[1]??n[0])-n[0];return n.every((t,r)=>t===n[0]+r*e)?e===0?String(n[0]):`${n[0]}+${e===1?"":
e}k`:`${Math.min(...n.slice(0,4096))}…`}function B(n,e){let t=n.unitOf[e[0]],r=n.unitOf[e[e.length-1]];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}
function A(n,e){return W[n.status[e.node]]}function O(n,e,t){let r=M(n,t)||"the root module";if(t.ref>=0)return`${r}: the same module as ${w(
n,t.node)||"the root"}, number ${t.node}`;let[s]=n.classes[n.cls[t.node]],o=g(n.total[n.cls[t.node]]),i=e.unitAt.get(t.node);return[`${r}, ${s}${t.
times>1?`, ${t.times} alike`:""}`,A(e,t).word,B(e,v(t)).replace("u","unit "),`${o} parameters${t.times>1?" each":""}`,i&&i.handle!==null?`ha\
ndle ${i.handle}`:"",e.alarm[t.node]===3?"has a conflict":e.alarm[t.node]?"has a finding":""].filter(Boolean).join(", ")}function le(n,e){let[
,t]=n.classes[n.cls[e]];return t.map(([r,s,o,i])=>`${r} [${s.join(", ")}] ${o}${Ye(i)}`).join("; ")}var Ye=n=>(n.includes("b")?" buffer":"")+
(n.includes("f")?" frozen":"")+(/[ts]/.test(n)?" tied":"");var Ze=[["u7","unit"],["↪","same module again"],["tie a","tied parameters"],["▲","finding"],["!","conflict"]];function de(){let n=W.map(
({letter:t,glyph:r,hue:s,word:o})=>l("span",{class:"key","data-status":t,"data-hue":s},l("span",{"data-cell":"swatch"},r),o)),e=Ze.map(([t,r])=>l(
"span",{class:"key"},l("b",{},t),r));return l("div",{class:"legend","aria-label":"Legend"},...n,...e)}var pe=2,x=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=l("div",{...t,scroll:()=>this.schedule()},this.pad),
typeof ResizeObserver<"u"&&(this.resize=new ResizeObserver(()=>this.paint()),this.resize.observe(this.view))}rowHeight;make;fill;view;pad=l(
"div",{class:"pad",role:"presentation"});pool=[];shown=[];count=0;frame=0;resize;get page(){return Math.max(1,Math.floor(this.view.clientHeight/
this.rowHeight))}show(e,t=-1){this.count=e,this.pad.style.height=`${e*this.rowHeight}px`,this.shown.fill(-1),t>=0&&this.scrollTo(t*this.rowHeight),
this.paint()}paint(){let e=this.page+1+2*pe,t=Math.max(0,Math.floor(this.view.scrollTop/this.rowHeight)-pe),r=Math.min(this.count,t+e);this.
grow(Math.min(this.count,e));let s=this.pool.length,o=new Set;for(let i=t;i<r;i++){let a=i%s;o.add(a),this.shown[a]!==i&&(this.shown[a]=i,this.
pool[a].hidden=!1,this.pool[a].style.transform=`translateY(${i*this.rowHeight}px)`,this.fill(this.pool[a],i))}this.pool.forEach((i,a)=>{o.has(
a)||(i.hidden=!0,this.shown[a]=-1)})}elementOf(e){let t=this.shown.indexOf(e);return t<0?void 0:this.pool[t]}destroy(){this.resize?.disconnect(),
cancelAnimationFrame(this.frame)}scrollTo(e){let{scrollTop:t,clientHeight:r}=this.view,s=e+this.rowHeight-r;e<t?this.view.scrollTop=e:r>0&&s>
t&&(this.view.scrollTop=s)}grow(e){if(!(e<=this.pool.length)){for(;this.pool.length<e;){let t=this.make(this.pool.length);this.pool.push(t),
this.pad.append(t)}this.shown=this.pool.map(()=>-1)}}schedule(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.paint())}};var $=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrapper\
 init"]],ce=22,P=class{element;list;title=l("p",{class:"note","data-role":"orders-note"});tree;plan;constructor(e){let t={class:"order-rows",
tabindex:0,role:"region","aria-label":"Orders"};this.list=new x(ce,t,Qe,(s,o)=>this.fill(s,o)),this.list.view.addEventListener("click",s=>{let o=s.
target.dataset.target;o!==void 0&&e(G(this.tree,o))});let r=$.map(([,s])=>l("span",{},s));this.element=l("div",{"data-role":"orders"},this.title,
l("div",{class:"order heads"},l("span",{},"k"),...r),this.list.view)}show(e,t){this.tree=e,this.plan=t;let r=Math.max(e.size,...$.map(([a])=>t.
state.orders[a]?.length??0)),[s,o]=[this.of("init_composable"),this.of("init_wrapper")],i=s.filter((a,d)=>a!==o[d]).length;h(this.title,s.length?
`I₁ and I₂ differ in ${i} of ${s.length} places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.style.
height=`${Math.min(r,8)*ce}px`,this.list.show(r)}repaint=()=>this.list.paint();destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??
[];fill(e,t){let[r,...s]=e.children;h(r,String(t));let o=$.map(([i])=>i==="dfs"&&t<this.tree.size?w(this.tree,t):this.of(i)[t]);s.forEach((i,a)=>{
let d=o[a];h(i,d===void 0?"":d||"(root)");let p=a>1&&o[2]!==o[3];u(i,{"data-target":d??null,title:d||null,"data-differs":p?"1":null})})}};function Qe(){
return l("div",{class:"order"},l("span"),...$.map(([n])=>l("span",{"data-order":n})))}var L=class{constructor(e,t){this.tree=e;this.plan=t;this.folds=se(e),oe(e,this.plan,this.folds),this.rebuild()}tree;plan;rows=[];focus=0;anchor=0;folds;setPlan(e){
this.plan=e,this.rebuild()}isOpen=e=>e.ref<0&&this.folds.open[e.node]===1;isParent=e=>e.ref<0&&E(this.tree,e.node);isSelected=e=>e>=Math.min(
this.anchor,this.focus)&&e<=Math.max(this.anchor,this.focus);select(e,t=!1){this.focus=Math.max(0,Math.min(this.rows.length-1,e)),t||(this.anchor=
this.focus)}selectedIndices(){let e=this.rows.filter((t,r)=>t.ref<0&&this.isSelected(r));return[...new Set(e.flatMap(v))].sort((t,r)=>t-r)}toggle(e){
let t=this.rows[e];this.isParent(t)&&(this.folds.open[t.node]^=1,this.rebuild())}openAll(){this.folds.open.fill(1),this.rebuild()}closeAll(){
this.folds.open.fill(0,1),this.rebuild()}toggleSplit(e){let t=this.rows[e],r=this.tree.parent[t.scope?.first??t.node];r<0||t.ref>=0||(this.folds.
split.delete(r)||this.folds.split.add(r),this.rebuild())}isSplit=e=>e.ref<0&&this.folds.split.has(this.tree.parent[e.node]);open(){let e=this.
rows[this.focus];this.isParent(e)&&!this.isOpen(e)?this.toggle(this.focus):this.isOpen(e)&&this.select(this.focus+1)}close(){let{level:e}=this.
rows[this.focus];if(this.isOpen(this.rows[this.focus])&&this.isParent(this.rows[this.focus]))return this.toggle(this.focus);let t=this.focus;
for(;t>0&&this.rows[t].level>=e;)t--;this.select(t)}enter(){let e=this.rows[this.focus];e.ref>=0?this.jump(e.node):this.toggle(this.focus)}jump(e){
let t=ie(this.tree,this.plan,this.folds,e);this.rebuild(),this.select(this.rows.findIndex(r=>r.ref<0&&r.node===t))}openIndices(){return[...this.
folds.open.keys()].filter(e=>this.folds.open[e]&&E(this.tree,e))}restore(e,t,r){this.folds.open.fill(0);for(let s of e)this.folds.open[s]=1;
this.folds.split=new Set(t),this.rebuild(),r>=0&&r<this.tree.size&&this.jump(r)}get splitParents(){return[...this.folds.split]}rebuild(){let e=this.
rows[this.focus],t=this.rows[this.anchor];this.rows=R(this.tree,this.plan,this.folds),this.focus=e?this.rowNear(e):0,this.anchor=t?this.rowNear(
t):0}rowNear(e){let t=this.rows.findIndex(s=>K(s)===K(e));if(t>=0)return t;let r=e.ref<0?e.node:this.tree.refs[e.ref][0];return this.rows.findLastIndex(
({ref:s,node:o,times:i})=>{let a=o+i*(this.tree.end[o]-o);return s<0&&o<=r&&r<a})}};var J=40,I=class{constructor(e){this.jump=e}jump;element=l("ul",{class:"remarks","data-role":"findings"});show(e){let t=[...e.conflicts.map(
s=>({...s,severity:"conflict"})),...e.findings],r=t.slice(0,J).map(s=>this.item(s));return t.length>J&&r.push(l("li",{},`and ${t.length-J} m\
ore`)),t.length===0&&r.push(l("li",{class:"note"},"Nothing to report: this plan can run.")),this.element.replaceChildren(...r),t.length}item(e){
let t=e.severity??"warn",r=e.fqns.slice(0,4).map((o,i)=>l("button",{type:"button",class:"link","data-jump":e.indices[i]??0,click:()=>this.jump(
e.indices[i]??0)},o||"(root)")),s=e.fqns.length>4?` and ${e.fqns.length-4} more`:"";return l("li",{"data-severity":t,"data-kind":e.kind},l("\
b",{},t)," ",...r,s,l("p",{},e.message),l("p",{class:"note"},e.fix??e.advice??""))}};var y={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,error:null,log:[],seconds:0},Xe=500,me=n=>n?
{...y,...JSON.parse(n)}:y;function fe(n,e){let t=e.id!==void 0&&e.id!==n.id?y:n;return e.seq!==void 0&&t!==y&&e.seq<=t.seq?n:{...t,...e,losses:[
...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-Xe)}}var Y=n=>n.phase==="starting"||n.phase==="running",he={idle:"Not run ye\
t.",starting:"Starting workers",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function ge(n){let e=[n.backend,n.devices].
filter(Boolean).join(", "),t=n.nprocs?` on ${n.nprocs} ${n.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",r=n.steps?`, step ${n.step} o\
f ${n.steps}`:"",s=n.seconds?`, ${n.seconds.toFixed(1)} s`:"";return n.phase==="idle"?he.idle:`${he[n.phase]}${t}${r}${s}`}var ue=n=>typeof n==
"number"?n.toFixed(4):"not finite";function be(n){let e=n.losses.at(-1);if(!e)return"";let[t,...r]=e,s=r.map((a,d)=>`rank ${d} ${ue(a)}`).join(
", "),o=n.losses.length-1,i=n.reference&&o<n.reference.length?`; unsharded ${ue(n.reference[o])}`:"";return`step ${t}: ${s}${i}`}function ve(n,e,t){
let r=Array.from({length:(n.losses[0]?.length??1)-1},(c,m)=>n.losses.map(b=>b[m+1])),s=n.reference??[],o=[...r.flat(),...s].filter(c=>typeof c==
"number");if(o.length===0)return null;let i=o.reduce((c,m)=>Math.min(c,m)),a=o.reduce((c,m)=>Math.max(c,m)),d=Math.max(n.steps,n.losses.length,
s.length,2)-1,p=c=>c.map((m,b)=>{if(typeof m!="number")return"";let j=typeof c[b-1]=="number"?"L":"M",Oe=a===i?t/2:(a-m)/(a-i)*t;return`${j}${(b/
d*e).toFixed(1)} ${Oe.toFixed(1)}`}).join("");return{lines:r.map(p),reference:p(s),low:i,high:a}}var we=480,xe=90,H=class{element;nprocs=l("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=l("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=l("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=l("span",{"data-role":"phase"});losses=l("p",{"data-role":"losses"});chart=l("div",{class:"chart","data-role":"chart"});error=l(
"div",{class:"error","data-role":"run-error",role:"alert"});log=l("pre",{"data-role":"log",tabindex:0});details=l("details",{},l("summary",{},
"Worker log"),this.log);constructor(e,t){this.run=f("run","▶ Run","Spawn the workers and train with this plan",()=>e(Number(this.nprocs.value),
Number(this.steps.value))),this.stop=f("stop","■ Stop","End the workers",t);let r=l("div",{class:"bar"},l("label",{},"workers ",this.nprocs),
l("label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=l("div",{class:"run"},r,this.error,this.losses,this.
chart,this.details)}show(e){this.run.disabled=Y(e),this.stop.disabled=!Y(e),u(this.element,{"data-phase":e.phase}),u(this.progress,{max:e.steps||
1,value:e.phase==="done"?e.steps||1:e.step}),h(this.phase,ge(e)),h(this.losses,be(e)),this.error.hidden=e.error===null,e.error&&this.error.replaceChildren(
l("b",{},e.error.title),l("pre",{},e.error.detail)),this.draw(e),this.details.hidden=e.log.length===0,h(this.log,e.log.map(([t,r])=>`[rank ${t}\
] ${r.trimEnd()}`).join(`
`))}draw(e){let t=ve(e,we,xe);if(this.chart.hidden=t===null,!t)return;let r=t.lines.map((i,a)=>k("path",{d:i,class:"loss","data-rank":a,"str\
oke-dasharray":a?`${2+2*a} 3`:"none"})),s=k("svg",{viewBox:`-2 -4 ${we+4} ${xe+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss \
of every step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[k("path",{d:t.reference,class:"reference"})]:[],...r),
o=t.reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(l("span",{},t.high.toFixed(3)),l("span",{},t.low.toFixed(3)),s,
l("small",{},o))}};var F=class{constructor(e){this.panels=e;this.tabs=e.map(({name:r,label:s},o)=>l("button",{type:"button",role:"tab",id:`tab-${r}`,"data-tab":r,
click:()=>this.open(o)},s));let t=l("div",{class:"tabs",role:"tablist",keydown:r=>this.press(r)},...this.tabs);for(let{name:r,element:s}of e)
u(s,{role:"tabpanel","aria-labelledby":`tab-${r}`});this.element=l("div",{class:"panels"},t,...e.map(({element:r})=>r)),this.open(0)}panels;element;tabs;label(e,t){
h(this.tabs[this.panels.findIndex(r=>r.name===e)],t)}open(e){this.panels.forEach(({element:t,opened:r},s)=>{t.hidden=s!==e,u(this.tabs[s],{"\
aria-selected":s===e,tabindex:s===e?0:-1}),s===e&&r?.()})}press(e){let t={ArrowRight:1,ArrowLeft:-1}[e.key];if(!t)return;let s=(this.tabs.findIndex(
o=>o.getAttribute("aria-selected")==="true")+t+this.tabs.length)%this.tabs.length;this.open(s),this.tabs[s].focus()}};var et=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷ Redo","Redo (Ctrl+Shif\
t+Z)",{do:"redo"}],null,["open_all","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",
{do:"closeAll"}],["split","Split run","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],ye={fully_shard:[
"shard","F"],replicate:["replicate","R"],ignore:["ignore","I"]},N=class{element=l("div",{class:"bar",role:"toolbar","aria-label":"Plan"});buttons=new Map;constructor(e){
for(let t of et){if(t===null){this.element.append(l("span",{class:"gap"}));continue}let[r,s,o,i]=t,a=f(r,s,o,()=>e(i));if(ye[r]){let[d,p]=ye[r];
a.dataset.hue=d,a.prepend(l("span",{"data-cell":"swatch","aria-hidden":"true"},p))}this.buttons.set(r,a),this.element.append(a)}}enable(e,t){
this.buttons.get(e).disabled=!t}};var ke={f:"fully_shard",r:"replicate",i:"ignore",u:"clear"},tt={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},Escape:{do:"\
leave"},"+":{do:"openAll"},"-":{do:"closeAll"},s:{do:"split"},g:{do:"group"}};function Te(n,e){let t=n.key.length===1?n.key.toLowerCase():n.
key;if(n.altKey)return null;if(n.ctrlKey||n.metaKey)return nt(t,n.shiftKey);let r={ArrowDown:1,ArrowUp:-1,PageDown:e,PageUp:-e};return t in r?
{do:"move",by:r[t],extend:n.shiftKey}:t==="Home"||t==="End"?{do:"edge",end:t==="End",extend:n.shiftKey}:t in ke?{do:"mark",verb:ke[t]}:tt[t]??
null}function nt(n,e){return n==="z"?{do:e?"redo":"undo"}:n==="y"?{do:"redo"}:null}var Se=24,rt=14,st=18,it=["fold","swatch","prefix","name","type","times","ties","alarm"],Re=[["own","own","Elements of the module's direct p\
arameters"],["total","subtree","Elements of the whole subtree, each tensor once"],["unit","unit","The unit that owns the parameters"],["dfs",
"#","Place in the pre-order (DFS) of the modules"],["handle","H","Place of the unit's handle in get_handles(root)"],["init_c","I₁","Initia\
lisation order, composable path"],["init_w","I₂","Initialisation order, wrapper path"]],_=class{constructor(e){this.events=e;let t={class:"\
rows",role:"tree",tabindex:0,"aria-multiselectable":"true","aria-label":"Modules"};this.list=new x(Se,t,ot,(s,o)=>this.fill(s,o)),this.list.
view.addEventListener("click",s=>this.click(s)),this.list.view.addEventListener("keydown",s=>this.press(s));let r=Re.map(([s,o,i])=>l("span",
{class:`num ${s}`,title:i},o));this.element=l("div",{class:"tree"},l("div",{class:"heads","aria-hidden":"true"},l("span",{},"module"),...r),
this.list.view)}events;element;list;outline;height="";show(e,t){this.outline=e;let r=`${Math.min(e.rows.length,st)*Se+2}px`;this.height!==r&&
(this.list.view.style.height=this.height=r),this.list.show(e.rows.length,t?e.focus:-1),u(this.list.view,{"aria-activedescendant":this.list.elementOf(
e.focus)?.id??null})}get painted(){return this.list.view.clientHeight>0}takeFocus=()=>this.list.view.focus({preventScroll:!0});destroy=()=>this.
list.destroy();click(e){let t=e.target,r=t.closest("[data-row]");if(!r)return;let s=Number(r.dataset.row);t.dataset.cell==="fold"&&this.outline.
isParent(this.outline.rows[s])?this.events.toggle(s):t.dataset.cell==="times"?this.events.split(s):this.events.select(s,e.shiftKey),this.takeFocus()}press(e){
let t=Te(e,this.list.page-1);t&&(e.preventDefault(),t.do==="leave"?this.list.view.blur():this.events.act(t))}fill(e,t){let r=this.outline.rows[t],
{tree:s,plan:o}=this.outline,i=A(o,r),a=this.outline.isParent(r);u(e,{"data-row":t,"data-index":r.node,"data-fqn":M(s,r),"data-count":r.times,
"data-status":r.ref<0?i.letter:"ref","data-hue":r.ref<0?i.hue:"none","data-alarm":r.ref<0?o.alarm[r.node]:0,"aria-level":r.level,"aria-posin\
set":r.position,"aria-setsize":r.siblings,"aria-selected":this.outline.isSelected(t),"aria-expanded":a?this.outline.isOpen(r):null,"aria-lab\
el":O(s,o,r),"data-focus":t===this.outline.focus?"1":null}),e.style.setProperty("--indent",`${Math.min(r.level-1,24)*rt}px`);let d=r.ref<0?this.
moduleTexts(r,a):this.referenceTexts(r);for(let p of e.querySelectorAll("[data-cell]"))h(p,d[p.dataset.cell]??"");e.title=r.ref<0?le(s,r.node):
""}moduleTexts(e,t){let{tree:r,plan:s}=this.outline,o=r.cls[e.node],i=v(e),a=U(r,e.node,e.times),d=p=>D(i.map(c=>s.unitAt.get(c)?.[p]??-1));
return{fold:t?this.outline.isOpen(e)?"▾":"▸":"",swatch:A(s,e).glyph,prefix:/^\d/.test(a)&&r.parent[e.node]>0?`${r.names[r.parent[e.node]]}\
.`:"",name:e.node===0?r.title:a,type:e.node===0&&r.classes[o][0]===r.title?"":r.classes[o][0],times:e.times>1?`×${e.times}`:this.outline.isSplit(
e)?"⊟":"",ties:(r.tiesOf.get(e.node)??[]).map(p=>`tie ${p}`).join(" "),alarm:["","i","▲","!"][s.alarm[e.node]],own:r.own[o]?g(r.own[o]):
"",total:r.total[o]?g(r.total[o]):"",unit:B(s,i),dfs:`#${D(i)}`,handle:d("handle"),init_c:d("init_c"),init_w:d("init_w")}}referenceTexts(e){
let{tree:t}=this.outline,[,r,,s]=t.refs[e.ref],o=e.node===0?t.title:w(t,e.node);return{fold:s==="back"?"↺":"↪",name:r,type:`same as ${o}\
 (#${e.node})`}}};function ot(n){let e=it.map(r=>l("span",{"data-cell":r})),t=Re.map(([r])=>r==="unit"?l("span",{class:"num unit"},l("span",
{"data-cell":r})):l("span",{class:`num ${r}`,"data-cell":r}));return l("div",{class:"row",role:"treeitem",id:`row-${n}`},l("span",{class:"ma\
in"},...e),...t)}var at=250,lt=2e3,C=class{constructor(e){this.model=e;this.talk=new S(r=>e.send(r),r=>this.silence(r)),this.gone.hidden=!0;let t=l("div",{class:"\
head"},this.title," ",this.totals);this.element.append(t,this.toolbar.element,de(),this.gone,this.view.element,this.detail,this.status,this.
tabs.element)}model;element=l("div",{class:"shx","data-kernel":"alive"});title=l("b",{"data-role":"title"});totals=l("span",{class:"note","d\
ata-role":"totals"});detail=l("div",{class:"detail","data-role":"detail"});status=l("div",{class:"status","data-role":"status",role:"status",
"aria-live":"polite"},"Select modules (click, Shift+click, arrows), then mark them: F fully shard, R replicate, I ignore, U clear.");gone=l(
"div",{class:"gone","data-role":"gone",role:"alert"},"No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its la\
st state; run the cell again after a restart.");toolbar=new N(e=>this.act(e));view=new _({act:e=>this.act(e),select:(e,t)=>this.moved(()=>this.
outline.select(e,t)),toggle:e=>this.folded(()=>this.outline.toggle(e)),split:e=>this.folded(()=>this.outline.toggleSplit(e))});orders=new P(
e=>this.jump(e));remarks=new I(e=>this.jump(e));code=new T(e=>this.tell(e));runPanel=new H((e,t)=>{this.command("run",{nprocs:e,steps:t})},()=>{
this.command("stop")});tabs=new F([{name:"run",label:"Run",element:this.runPanel.element},{name:"orders",label:"Orders",element:this.orders.
element,opened:()=>this.orders.repaint()},{name:"findings",label:"Findings",element:this.remarks.element},{name:"code",label:"Code",element:this.
code.element}]);talk;outline;run=y;saved="";saving;readTree=()=>{try{let e=ae(String(this.model.get("tree")));this.outline=new L(e,this.plan(
e.size))}catch(e){return this.refuse({title:"The tree cannot be drawn",detail:String(e)})}return h(this.title,this.outline.tree.title),this.
applyView(!0),this.showPlan()};readPlan=()=>{this.outline&&(this.outline.setPlan(this.plan(this.outline.tree.size)),this.showPlan())};showPlan(){
let{plan:e,tree:t}=this.outline;this.orders.show(t,e),this.code.show(e.state);let r=this.remarks.show(e.state);this.tabs.label("findings",r?
`Findings (${r})`:"Findings"),this.toolbar.enable("undo",e.state.undo),this.toolbar.enable("redo",e.state.redo),h(this.totals,pt(t.size,e.state)),
u(this.element,{"data-rev":e.state.rev}),this.draw()}readRun=()=>{this.run=me(String(this.model.get("run")??"")),this.runPanel.show(this.run)};readView=()=>{
this.model.get("view")===this.saved||!this.outline||(this.applyView(!1),this.draw(!0))};hear=e=>{this.talk.hear(!0),e.type==="run"?(this.run=
fe(this.run,e),this.runPanel.show(this.run)):this.talk.receive(e)};get painted(){return!this.outline||this.view.painted}repaint(){this.outline&&
this.draw(!0)}destroy(){clearTimeout(this.saving),this.talk.close(),this.view.destroy(),this.orders.destroy()}plan=e=>te(String(this.model.get(
"plan")??""),e);act(e){let{outline:t}=this;if(t)switch(e.do){case"move":return this.moved(()=>t.select(t.focus+e.by,e.extend));case"edge":return this.
moved(()=>t.select(e.end?t.rows.length-1:0,e.extend));case"mark":return void this.command("mark",{verb:e.verb,indices:t.selectedIndices()});case"\
group":return void this.command("group",{indices:t.selectedIndices()});case"undo":case"redo":return void this.command(e.do);case"split":return this.
folded(()=>t.toggleSplit(t.focus));case"leave":return;case"openAll":case"closeAll":return this.folded(()=>t[e.do]());default:return this.moved(
()=>t[e.do]())}}async command(e,t={}){u(this.element,{"data-waiting":e});let r=await this.talk.ask(e,t);u(this.element,{"data-waiting":null}),
r.ok?this.tell(dt[e]??`${this.outline.plan.state.last||e}`):this.refuse(r.error??{title:"The kernel refused",detail:"It gave no reason."})}tell(e){
this.status.replaceChildren(e),u(this.status,{"data-kind":"told"})}refuse(e){this.status.replaceChildren(l("b",{},e.title),l("p",{},e.detail)),
u(this.status,{"data-kind":"error"})}silence(e){this.gone.hidden=!e,u(this.element,{"data-kernel":e?"gone":"alive"})}jump(e){e>=0&&this.moved(
()=>this.outline.jump(e)),this.view.takeFocus()}moved(e){e(),this.draw(!0),this.saveViewSoon()}folded(e){e(),this.draw(),this.saveViewSoon()}draw(e=!1){
this.view.show(this.outline,e);let t=this.outline.rows[this.outline.focus],r=Math.abs(this.outline.focus-this.outline.anchor)+1;h(this.detail,
(r>1?`${r} rows selected · `:"")+O(this.outline.tree,this.outline.plan,t))}saveViewSoon(){clearTimeout(this.saving),this.saving=setTimeout(
()=>this.saveView(),at)}saveView(){let{outline:e}=this,t=e.rows.filter(e.isOpen).map(({node:r})=>r).slice(0,lt);this.saved=JSON.stringify({selected:e.
rows[e.focus].node,open:t,split:e.splitParents}),this.model.set("view",this.saved),this.model.save_changes()}applyView(e){let t=String(this.
model.get("view")??""),r=t?JSON.parse(t):{};e&&r.open?this.outline.restore(r.open,r.split??[],r.selected??0):r.selected!==void 0&&r.selected<
this.outline.tree.size&&this.outline.jump(r.selected)}},dt={run:"The run has started.",stop:"The run is being stopped.",undo:"Undone.",redo:"\
Redone."};function pt(n,{totals:e,units:t,rev:r}){let o=["sharded","replicated","ignored","unmanaged"].filter(a=>e[a]).map(a=>`${g(e[a])} ${a}`).
join(", "),i=e.numel===void 0?"":` · ${g(e.numel)} parameters`;return`${n.toLocaleString("en")} modules${i}${o?`: ${o}`:""} · ${t.length} \
units · revision ${r}`}function Ee(n){n.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])n.addEventListener(
e,t=>t.stopPropagation())}var Me=':host{display:block;min-width:0}.shx{--ink: #1c2430;--soft: #5a6675;--paper: #fff;--raised: #f4f6f9;--line: #d5dbe3;--chosen: #dbe9f\
b;--ring: #0b5cad;--shard: #0072b2;--shard-ink: #fff;--replicate: #b85c00;--replicate-ink: #fff;--ignore: #6b7280;--ignore-ink: #fff;--bad: \
#b3261e;--bad-paper: #fdecea;--mono: var(--jp-code-font-family, ui-monospace, "DejaVu Sans Mono", monospace);color:var(--ink);background:var\
(--paper);border:1px solid var(--line);border-radius:6px;padding:8px 10px;overflow:hidden;font:13px/1.4 var(--jp-ui-font-family, system-ui, \
sans-serif);container-type:inline-size;color-scheme:light}.shx[data-theme=dark]{--ink: #e4e9f0;--soft: #a3afbd;--paper: #14181e;--raised: #1\
e242c;--line: #38424f;--chosen: #1d3a5c;--ring: #6cb6ff;--shard: #56b4e9;--shard-ink: #06121c;--replicate: #f0a04b;--replicate-ink: #1c0f00;\
--ignore: #9aa5b1;--ignore-ink: #10151b;--bad: #ff8a80;--bad-paper: #3a1b1b;color-scheme:dark}[hidden]{display:none!important}:focus-visible\
,.rows:focus-visible{outline:2px solid var(--ring);outline-offset:-2px}.note{color:var(--soft)}.head{padding-bottom:6px}.head b{font-size:15\
px;margin-right:6px}.bar{display:flex;flex-wrap:wrap;gap:5px;align-items:center}.gap{width:8px}button,input{font:inherit;color:inherit;backg\
round:var(--raised);border:1px solid var(--line);border-radius:4px;padding:2px 8px}button{cursor:pointer}button:hover:enabled{border-color:v\
ar(--ring)}button:disabled{opacity:.5;cursor:default}button [data-cell]{margin-right:5px}button.link{background:none;border:0;padding:0 4px \
0 0;color:var(--ring);text-decoration:underline;font-family:var(--mono)}input{width:64px}.legend{display:flex;flex-wrap:wrap;gap:2px 12px;pa\
dding:6px 0;color:var(--soft);font-size:12px}.key{display:inline-flex;align-items:center;gap:4px}.key b{font-weight:600;color:var(--ink)}[da\
ta-cell=swatch]{display:inline-block;box-sizing:border-box;width:15px;height:15px;border-radius:3px;border:2px solid var(--hue);color:var(--\
hue);font:700 10px/11px ui-monospace,monospace;text-align:center;flex:none}[data-hue=shard]{--hue: var(--shard);--hue-ink: var(--shard-ink)}\
[data-hue=replicate]{--hue: var(--replicate);--hue-ink: var(--replicate-ink)}[data-hue=ignore]{--hue: var(--ignore);--hue-ink: var(--ignore-\
ink)}[data-hue=none]{--hue: var(--soft)}[data-status=u] [data-cell=swatch]{border:1.5px dotted var(--soft)}[data-status=F] [data-cell=swatch\
],[data-status=R] [data-cell=swatch],[data-status=I] [data-cell=swatch],button [data-cell=swatch]{background:var(--hue);color:var(--hue-ink)\
}[data-status=ref] [data-cell=swatch]{visibility:hidden}.heads,.row{display:grid;grid-template-columns:minmax(0,1fr) 62px 72px 62px 74px 52p\
x 52px 52px;column-gap:6px;padding:0 6px}.heads{color:var(--soft);font-size:11px;border-bottom:1px solid var(--line);scrollbar-gutter:stable\
;overflow:hidden;padding:2px 6px}.rows,.order-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable}.rows{border-botto\
m:1px solid var(--line);resize:vertical;min-height:26px}.pad{position:relative}.row{position:absolute;left:0;right:0;height:24px;line-height\
:24px;white-space:nowrap;cursor:default;font-family:var(--mono);font-size:12px;box-shadow:inset 3px 0 var(--lane, transparent)}.row[data-hue\
=shard],.row[data-hue=replicate],.row[data-hue=ignore]{--lane: var(--hue)}.row:hover{background:var(--raised)}.row[aria-selected=true]{backg\
round:var(--chosen)}.rows:focus .row[data-focus]{outline:2px solid var(--ring);outline-offset:-2px;border-radius:3px}.main{display:flex;alig\
n-items:center;gap:5px;padding-left:var(--indent, 0);min-width:0;overflow:hidden}.main>*{flex:none}.main>:empty{display:none}[data-cell=fold\
],.main>[data-cell=fold]:empty{display:block;width:14px;text-align:center;color:var(--soft);cursor:pointer}.main>[data-cell=swatch]:empty{di\
splay:inline-block}[data-cell=prefix]{color:var(--soft);margin-right:-5px}[data-cell=name]{font-weight:600}.main>[data-cell=type]{color:var(\
--soft);flex:0 1 auto;overflow:hidden;text-overflow:ellipsis}[data-cell=times]{border:1px solid var(--line);border-radius:9px;line-height:16\
px;padding:0 7px;cursor:pointer;background:var(--raised)}[data-cell=ties]{border:1px dashed var(--soft);border-radius:3px;line-height:14px;p\
adding:0 4px;font-size:11px}[data-cell=alarm]{font-weight:700;border:1px solid var(--line);border-radius:3px;line-height:14px;padding:0 4px}\
[data-alarm="3"] [data-cell=alarm]{color:var(--bad);border-color:var(--bad);background:repeating-linear-gradient(45deg,transparent 0 3px,var\
(--bad-paper) 3px 6px)}.num{text-align:right;overflow:hidden;text-overflow:ellipsis;font-variant-numeric:tabular-nums}.row .dfs{color:var(--\
soft)}.row [data-cell=unit]:not(:empty){border:1px solid var(--hue);color:var(--hue);border-radius:9px;padding:1px 6px;font-size:11px}.row[d\
ata-status=F] [data-cell=unit]:not(:empty){background:var(--hue);color:var(--hue-ink)}.detail{color:var(--soft);padding:4px 6px;min-height:1\
8px;overflow-wrap:anywhere}.status{padding:4px 8px;min-height:19px;border-left:3px solid var(--line);margin:2px 0 6px;white-space:pre-wrap;o\
verflow-wrap:anywhere;font-family:var(--mono);font-size:12px}.status p,.error pre{margin:2px 0 0;white-space:pre-wrap}.status[data-kind=erro\
r],.error,.gone{border-left:3px solid var(--bad);background:var(--bad-paper);padding:6px 8px;margin:4px 0}.status[data-kind=error] b:before,\
.error>b:before{content:"! ";color:var(--bad)}.tabs{display:flex;gap:2px;border-bottom:1px solid var(--line);margin-bottom:8px}.tabs button{\
border:0;border-radius:4px 4px 0 0;background:none;padding:4px 12px;color:var(--soft)}.tabs button[aria-selected=true]{color:var(--ink);box-\
shadow:inset 0 -2px var(--ring);font-weight:600}progress{width:140px;accent-color:var(--shard)}[data-role=losses]{margin:6px 0;font-variant-\
numeric:tabular-nums}.chart{display:grid;grid-template:45px 45px auto / auto 1fr;column-gap:6px;max-width:640px;color:var(--soft);font-size:\
11px}.chart span:nth-child(2){align-self:end;grid-area:2 / 1}.chart svg{grid-area:1 / 2 / 3 / 3;width:100%;height:90px;border-left:1px solid\
 var(--line);border-bottom:1px solid var(--line)}.chart small{grid-area:3 / 2}path{fill:none;vector-effect:non-scaling-stroke;stroke-width:2\
;stroke:var(--shard)}path.reference{stroke:var(--replicate);stroke-width:4;stroke-dasharray:.1 7;stroke-linecap:round}pre{margin:4px 0;max-h\
eight:220px;overflow:auto;font:12px/1.4 var(--mono);background:var(--raised);padding:6px 8px;border-radius:4px;white-space:pre-wrap;overflow\
-wrap:anywhere}.error pre{background:none;padding:0}code{font-family:var(--mono)}.code p{margin:4px 0}.order{display:grid;grid-template-colu\
mns:44px repeat(4,minmax(0,1fr));gap:8px;line-height:22px;font-family:var(--mono);font-size:12px}.order-rows .order{position:absolute;left:0\
;right:0;height:22px}.order span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}.order>span:first-child{color:var(\
--soft);text-align:right;cursor:default}[data-differs]{box-shadow:inset 0 0 0 1px var(--replicate);border-radius:3px;padding:0 3px}.remarks{\
margin:0;padding:0;list-style:none;max-height:260px;overflow:auto}.remarks li{border-left:3px solid var(--line);padding:2px 8px;margin-botto\
m:6px}.remarks li[data-severity=conflict],.remarks li[data-severity=error]{border-color:var(--bad)}.remarks p{margin:1px 0}@container (max-w\
idth: 720px){.heads,.row{grid-template-columns:minmax(0,1fr) 72px 56px 60px}.own,.handle,.init_c,.init_w{display:none}}@media(forced-colors:\
active){[data-cell=swatch],.row[aria-selected=true]{forced-color-adjust:none}}';function ht({model:n,el:e}){let t=new C(n);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(l("style",{},Me),t.element),Ee(e);let s=Z(
t.element),o=[["change:tree",t.readTree],["change:plan",t.readPlan],["change:run",t.readRun],["change:view",t.readView],["msg:custom",t.hear]];
for(let[i,a]of o)n.on(i,a);return t.readTree(),t.readRun(),Ae(t,!1),()=>{for(let[i,a]of o)n.off(i,a);s(),t.destroy()}}function Ae(n,e){requestAnimationFrame(
()=>{if(!n.element.isConnected||!n.painted)return Ae(n,!0);e&&n.repaint(),requestAnimationFrame(()=>n.element.setAttribute("data-ready","1"))})}
var En={render:ht};export{En as default};
