// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
function Oe(r){let e=r.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(r.className)?"dark":r.
classList.contains("vscode-light")?"light":null}function X(r){let e=typeof matchMedia=="function"?matchMedia("(prefers-color-scheme: dark)"):
null,t=()=>{r.dataset.theme=Oe(document.body)??(e?.matches?"dark":"light")},n=new MutationObserver(t);return n.observe(document.body,{attributes:!0,
attributeFilter:["data-jp-theme-light","class"]}),e?.addEventListener("change",t),t(),()=>{n.disconnect(),e?.removeEventListener("change",t)}}var Pe="http://www.w3.org/2000/svg";function l(r,e={},...t){return ee(document.createElement(r),e,t)}function T(r,e={},...t){return ee(document.
createElementNS(Pe,r),e,t)}function ee(r,e,t){for(let[n,s]of Object.entries(e))typeof s=="function"?r.addEventListener(n,s):r.setAttribute(n,
String(s));return r.append(...t),r}function h(r,e){r.textContent!==e&&(r.textContent=e)}function u(r,e){for(let[t,n]of Object.entries(e))n===
null?r.removeAttribute(t):r.getAttribute(t)!==String(n)&&r.setAttribute(t,String(n))}function f(r,e,t,n){return l("button",{type:"button","d\
ata-cmd":r,title:t,click:n},e)}var S=class{element;last=l("code",{"data-role":"last-code"});whole=l("pre",{"data-role":"code",tabindex:0});constructor(e){let t=(n,s)=>f(n,
"Copy","Copy to the clipboard",()=>{Ie(s.textContent??"").then(e)});this.element=l("div",{class:"code"},l("p",{},"Last edit: ",this.last," ",
t("copy_last",this.last)),l("p",{},"The whole plan: ",t("copy_code",this.whole)),this.whole)}show(e){h(this.last,e.last||"none yet"),h(this.
whole,e.code||"plan = Plan()")}};async function Ie(r){try{return await navigator.clipboard.writeText(r),"Copied."}catch{return"The page may \
not write to the clipboard: select the text and copy it by hand."}}var Fe={set:(r,e)=>setTimeout(r,e),clear:r=>clearTimeout(r)},R=class{constructor(e,t,n=Fe){this.send=e;this.onSilence=t;this.clock=n}send;onSilence;clock;waiting=new Map;sent=0;silent=!1;page=Math.
random().toString(36).slice(2,8);ask(e,t={}){let n=`${this.page}-${++this.sent}`;return new Promise(s=>{let o=this.clock.set(()=>this.hear(!1),
1e4);this.waiting.set(n,{answer:s,timer:o}),this.send({id:n,cmd:e,...t})})}receive(e){let t=this.waiting.get(e.id);return e.type!=="reply"||
!t?!1:(this.waiting.delete(e.id),this.clock.clear(t.timer),this.hear(!0),t.answer(e),!0)}close(){for(let{timer:e}of this.waiting.values())this.
clock.clear(e);this.waiting.clear()}hear(e){this.silent===e&&(this.silent=!e,this.onSilence(this.silent))}};var U="uFfRrIi",He=["","info","warn","error"],te={v:1,rev:0,status:[],units:[],unit_of:[],orders:{},conflicts:[],findings:[],totals:{},code:"",
last:"",undo:!1,redo:!1};function ne(r,e){return _e(r?{...te,...JSON.parse(r)}:te,e)}function _e(r,e){let t=new Uint8Array(e),n=new Int32Array(
e).fill(-1),s=new Int32Array(e).fill(-1),o=new Uint8Array(e);re(r.status,(d,p)=>t[d]=Math.max(0,U.indexOf(p)));let i=new Map(r.units.map(d=>[
d.n,d]));re(r.unit_of,(d,p)=>{n[d]=p,s[d]=i.get(p)?.index??-1});let a=(d,p)=>{for(let c of d.indices)o[c]=Math.max(o[c],p)};for(let d of r.findings)
a(d,Math.max(1,He.indexOf(d.severity??"warn")));for(let d of r.conflicts)a(d,3);return{state:r,status:t,x:n,head:s,alarm:o,m:new Map(r.units.
map(d=>[d.index,d]))}}function re(r,e){for(let[t,n,s,o]of r)for(let i=t;i<n;i+=s||1)e(i,o)}var se=new WeakMap;function q(r,e,t,n){if(n)return ie(r,e,t,!0);let s=se.get(e)??new Map;se.set(e,s);let o=s.get(t)??ie(r,e,t,!1);return s.set(
t,o),o}function ie(r,e,t,n){let s=[],o=-1;for(let i=t+1;i<r.end[t];i=r.end[i])!n&&o>=0&&Ce(r,o,i)&&je(r,e,o,i)?s[s.length-1][1]++:s.push([i,
1]),o=i;return s}var Ne=/^\d+$/;function Ce(r,e,t){return Ne.test(r.names[e])&&Number(r.names[e])+1===Number(r.names[t])}function je(r,e,t,n){
if(r.cls[t]!==r.cls[n])return!1;let s=r.end[t]-t,o=(i,a)=>i>=a&&i<a+s?i-a:-2-i;for(let i=0;i<s;i++)if(e.status[t+i]!==e.status[n+i]||e.alarm[t+
i]!==e.alarm[n+i]||o(e.head[t+i],t)!==o(e.head[n+i],n)||!ze(e,t+i,n+i)||!Ke(r,t,n,i,s))return!1;return!0}function ze(r,e,t){if(r.head[e]!==e&&
r.head[t]!==t)return!0;let n=s=>{let o=r.m.get(s);return o&&JSON.stringify([o.strategy,o.options,o.nparams,o.fqns.length])};return n(e)===n(
t)}function Ke(r,e,t,n,s){if(r.refs.length===0)return!0;let o=r.o.get(e+n)??[],i=r.o.get(t+n)??[],a=(d,p)=>d>=p&&d<p+s?d-p:-1-d;return o.length===
i.length&&o.every((d,p)=>{let[,c,m]=r.refs[d],[,v,K]=r.refs[i[p]];return c===v&&a(m,e)===a(K,t)})}function oe(r){return{open:new Uint8Array(r.size),split:new Set}}var W=r=>r.ref<0?r.node:~r.ref;function E(r,e,t){let n=[],s=[{items:[[0,1]],
next:0,scope:null}];for(;s.length>0;){let o=s[s.length-1];if(o.next===o.items.length){s.pop();continue}let[i,a]=o.items[o.next++],d={level:s.
length,position:o.next,siblings:o.items.length};if(i<0){n.push({node:r.refs[~i][2],ref:~i,times:1,scope:o.scope,...d});continue}let p=r.end[i]-
i,c=a>1?{outer:o.scope,first:i,times:a,stride:p}:o.scope;n.push({node:i,ref:-1,times:a,scope:c,...d}),t.open[i]&&s.push({items:Ue(r,e,t,i),next:0,
scope:c})}return n}function Ue(r,e,t,n){let s=(r.o.get(n)??[]).map(o=>[~o,1]);return[...q(r,e,n,t.split.has(n)),...s]}var G=(r,e)=>r.end[e]>
e+1||r.o.has(e);function w(r){if(r.members)return r.members;let e=[r.node];for(let t=r.scope;t;t=t.outer){let{times:n,stride:s}=t;e=Array.from(
{length:n},(o,i)=>e.map(a=>a+i*s)).flat()}return r.members=e}function M(r,e){let t=e.ref<0?[]:[r.refs[e.ref][1]],n=e.ref<0?e.node:r.refs[e.ref][0],
s=e.scope;for(;n>0;n=r.parent[n]){let o=s!==null&&s.first===n;t.push(o?V(r,n,s.times):r.names[n]),o&&(s=s.outer)}return t.reverse().join(".")}
var V=(r,e,t)=>t>1?`${r.names[e]}–${Number(r.names[e])+t-1}`:r.names[e];function ae(r,e,t,n){let s=[];for(let a=n;a>0;a=r.parent[a])s.push(
a);let o=0,i=0;for(let a of s.reverse()){t.open[i]=1;let d=a-o;i=q(r,e,i,t.split.has(i)).find(([c,m])=>d>=c&&d<c+m*(r.end[c]-c))[0],o+=d-i}return i}
function le(r,e,t,n=40){for(t.open[0]=1;;){let s=t.open.slice(),i=E(r,e,t).filter(a=>a.ref<0&&!t.open[a.node]&&G(r,a.node));if(i.length===0)
return;for(let a of i)t.open[a.node]=1;if(E(r,e,t).length>n){t.open.set(s);return}}}function de(r){let e=JSON.parse(r);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return qe(e)}function qe(r){let{classes:e,root:t}=r,{modules:n,own:s,total:o}=We(e),i=n[t],a={title:r.name,classes:e,
size:i,cls:new Int32Array(i),end:new Int32Array(i),depth:new Int32Array(i),parent:new Int32Array(i),names:new Array(i),own:s,total:o,refs:r.
refs??[],o:new Map,b:new Map};return De(a,t,n),a.refs.forEach(([d],p)=>a.o.set(d,[...a.o.get(d)??[],p])),Be(a,r.ties??[]),a}function We(r){let e=new Float64Array(
r.length),t=new Float64Array(r.length),n=new Float64Array(r.length);return r.forEach(([s,o,i],a)=>{t[a]=o.reduce((d,p)=>d+(Ge(p)?Ve(p):0),0),
e[a]=1,n[a]=t[a];for(let d of i){if(!(d[2]<a))throw new Error(`The tree payload is broken: class ${a} (${s}) comes before its child ${d[0]}.`);
e[a]+=D(d)*e[d[2]],n[a]+=D(d)*n[d[2]]}}),{modules:e,own:t,total:n}}var Ge=([,,,r])=>!r.includes("b")&&!r.includes("s"),D=([r,e])=>e===null?1:
Number(e)-Number(r)+1,Ve=([,r])=>r.reduce((e,t)=>e*t,1);function De(r,e,t){let n=[],s=0,o=(i,a,d)=>{let p=s++;r.cls[p]=i,r.end[p]=p+t[i],r.depth[p]=
n.length,r.parent[p]=d,r.names[p]=a,r.classes[i][2].length>0&&n.push({kids:r.classes[i][2],kid:0,nth:0,index:p})};for(o(e,"",-1);n.length>0;){
let i=n[n.length-1];if(i.kid===i.kids.length){n.pop();continue}let a=i.kids[i.kid],d=a[1]===null?a[0]:String(Number(a[0])+i.nth);++i.nth===D(
a)&&(i.kid++,i.nth=0),o(a[2],d,i.index)}}function Be(r,e){e.forEach((t,n)=>{let s=n<26?String.fromCharCode(97+n):String(n);for(let o of t){let i=B(
r,o.slice(0,Math.max(0,o.lastIndexOf("."))));i>=0&&r.b.set(i,[...r.b.get(i)??[],s])}})}function x(r,e){let t=[];for(let n=e;n>0;n=r.parent[n])
t.push(r.names[n]);return t.reverse().join(".")}function B(r,e){let t=0;for(let n of e===""?[]:e.split(".")){let s=t+1;for(;s<r.end[t]&&r.names[s]!==
n;)s=r.end[s];if(s>=r.end[t])return-1;t=s}return t}var Je={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},J=[...U].map(r=>({letter:r,...Je[r]})),Ye=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function g(r){for(let[e,t]of Ye)if(r>=e&&r>=1e4)return`${(r/e).toFixed(1)} ${t}`;return r.toLocaleString("en")}function Y(r){
if(r.length===0||r.some(n=>n<0))return"";let e=(r[1]??r[0])-r[0];if(!r.every((n,s)=>n===r[0]+s*e))return`${Math.min(...r.slice(0,4096))}…`;
let t=Math.abs(e)===1?"":Math.abs(e);return e===0?String(r[0]):`${r[0]}${e<0?"−":"+"}${t}k`}function Z(r,e){let t=r.x[e[0]],n=r.x[e[e.length-
1]];return t<0?"":t===n?`u${t}`:`u${t}–${n}`}function $(r,e){return J[r.status[e.node]]}function A(r,e,t){let n=M(r,t)||"the root module";
if(t.ref>=0)return`${n}: the same module as ${x(r,t.node)||"the root"}, number ${t.node}`;let[s]=r.classes[r.cls[t.node]],o=g(r.total[r.cls[t.
node]]),i=e.m.get(t.node);return[`${n}, ${s}${t.times>1?`, ${t.times} alike`:""}`,$(e,t).word,Z(e,w(t)).replace("u","unit "),`${o} parameter\
s${t.times>1?" each":""}`,i&&i.handle!==null?`handle ${i.handle}`:"",e.alarm[t.node]===3?"has a conflict":e.alarm[t.node]?"has a finding":""].
filter(Boolean).join(", ")}function L(r,e){let[,t]=r.classes[r.cls[e]];return t.map(([n,s,o,i])=>`${n} [${s.join(", ")}] ${o}${Ze(i)}`).join(
"; ")}var Ze=r=>(r.includes("b")?" buffer":"")+(r.includes("f")?" frozen":"")+(/[ts]/.test(r)?" tied":"");var Qe=[["u7","unit"],["H I₁ I₂","handles: listed, made by fully_shard, by the wrapper"],["5+10k","k-th of a ×n row"],["↪","same modu\
le again"],["tie a","tied parameters"],["▲","finding"],["!","conflict"]];function pe(){let r=J.map(({letter:t,glyph:n,hue:s,word:o})=>l("s\
pan",{class:"key","data-status":t,"data-hue":s},l("span",{"data-cell":"swatch"},n),o)),e=Qe.map(([t,n])=>l("span",{class:"key"},l("b",{},t),
n));return l("div",{class:"legend",role:"group","aria-label":"Legend"},...r,...e)}var ce=2,y=class{constructor(e,t,n,s){this.a=e;this.make=n;this.fill=s;this.view=l("div",{...t,scroll:()=>this.schedule()},this.pad),typeof ResizeObserver<
"u"&&(this.resize=new ResizeObserver(()=>this.paint()),this.resize.observe(this.view))}rowHeight;make;fill;view;pad=l("div",{class:"pad",role:"\
presentation"});pool=[];shown=[];count=0;frame=0;resize;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.a))}show(e,t=-1){
this.count=e,this.pad.style.height=`${e*this.a}px`,this.shown.fill(-1),t>=0&&this.scrollTo(t*this.a),this.paint()}paint(){let e=this.page+1+
2*ce,t=Math.max(0,Math.floor(this.view.scrollTop/this.a)-ce),n=Math.min(this.count,t+e);this.grow(Math.min(this.count,e));let s=this.pool.length,
o=new Set;for(let i=t;i<n;i++){let a=i%s;o.add(a),this.shown[a]!==i&&(this.shown[a]=i,this.pool[a].hidden=!1,this.pool[a].style.transform=`t\
ranslateY(${i*this.a}px)`,this.fill(this.pool[a],i))}this.pool.forEach((i,a)=>{o.has(a)||(i.hidden=!0,this.shown[a]=-1)})}elementOf(e){let t=this.
shown.indexOf(e);return t<0?void 0:this.pool[t]}destroy(){this.resize?.disconnect(),cancelAnimationFrame(this.frame)}scrollTo(e){let{scrollTop:t,
clientHeight:n}=this.view,s=e+this.a-n;e<t?this.view.scrollTop=e:n>0&&s>t&&(this.view.scrollTop=s)}grow(e){if(!(e<=this.pool.length)){for(;this.
pool.length<e;){let t=this.make(this.pool.length);this.pool.push(t),this.pad.append(t)}this.shown=this.pool.map(()=>-1)}}schedule(){cancelAnimationFrame(
this.frame),this.frame=requestAnimationFrame(()=>this.paint())}};var O=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrapper\
 init"]],he=22,P=class{element;list;title=l("p",{class:"note","data-role":"orders-note"});tree;plan;constructor(e){let t={class:"order-rows",
tabindex:0,role:"region","aria-label":"Orders"};this.list=new y(he,t,Xe,(s,o)=>this.fill(s,o)),this.list.view.addEventListener("click",s=>{let o=s.
target.dataset.target;o!==void 0&&e(B(this.tree,o))});let n=O.map(([,s])=>l("span",{},s));this.element=l("div",{"data-role":"orders"},this.title,
l("div",{class:"order order-heads"},l("span",{},"k"),...n),this.list.view)}show(e,t){this.tree=e,this.plan=t;let n=Math.max(e.size,...O.map(
([a])=>t.state.orders[a]?.length??0)),[s,o]=[this.of("init_composable"),this.of("init_wrapper")],i=s.filter((a,d)=>a!==o[d]).length;h(this.title,
s.length?`I₁ and I₂ differ in ${i} of ${s.length} places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.
style.height=`${Math.min(n,8)*he}px`,this.list.show(n)}repaint=()=>this.list.paint();destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??
[];fill(e,t){let[n,...s]=e.children;h(n,String(t));let o=O.map(([i])=>i==="dfs"&&t<this.tree.size?x(this.tree,t):this.of(i)[t]);s.forEach((i,a)=>{
let d=o[a];h(i,d===void 0?"":d||"(root)");let p=a>1&&o[2]!==o[3];u(i,{"data-target":d??null,title:d||null,"data-differs":p?"1":null})})}};function Xe(){
return l("div",{class:"order"},l("span"),...O.map(([r])=>l("span",{"data-order":r})))}var I=class{constructor(e,t){this.tree=e;this.plan=t;this.folds=oe(e),le(e,this.plan,this.folds),this.t()}tree;plan;rows=[];focus=0;anchor=0;folds;setPlan(e){
this.plan=e,this.t()}l=e=>e.ref<0&&this.folds.open[e.node]===1;p=e=>e.ref<0&&G(this.tree,e.node);y=e=>e>=Math.min(this.anchor,this.focus)&&e<=
Math.max(this.anchor,this.focus);select(e,t=!1){this.focus=Math.max(0,Math.min(this.rows.length-1,e)),t||(this.anchor=this.focus)}P(){let e=this.
rows.filter((t,n)=>t.ref<0&&this.y(n));return[...new Set(e.flatMap(w))].sort((t,n)=>t-n)}toggle(e){let t=this.rows[e];this.p(t)&&(this.folds.
open[t.node]^=1,this.t())}openAll(){this.folds.open.fill(1),this.t()}closeAll(){this.folds.open.fill(0,1),this.t()}k(e){let t=this.rows[e],n=this.
tree.parent[t.scope?.first??t.node];n<0||t.ref>=0||(this.folds.split.delete(n)||this.folds.split.add(n),this.t())}H=e=>e.ref<0&&this.folds.split.
has(this.tree.parent[e.node]);open(){let e=this.rows[this.focus];this.p(e)&&!this.l(e)?this.toggle(this.focus):this.l(e)&&this.select(this.focus+
1)}close(){let{level:e}=this.rows[this.focus];if(this.l(this.rows[this.focus])&&this.p(this.rows[this.focus]))return this.toggle(this.focus);
let t=this.focus;for(;t>0&&this.rows[t].level>=e;)t--;this.select(t)}enter(){let e=this.rows[this.focus];e.ref>=0?this.jump(e.node):this.toggle(
this.focus)}jump(e){let t=ae(this.tree,this.plan,this.folds,e);this.t(),this.select(this.rows.findIndex(n=>n.ref<0&&n.node===t))}restore(e,t,n){
this.folds.open.fill(0);for(let s of e)this.folds.open[s]=1;this.folds.split=new Set(t),this.t(),n>=0&&n<this.tree.size&&this.jump(n)}get _(){
return[...this.folds.split]}t(){let e=this.rows[this.focus],t=this.rows[this.anchor];this.rows=E(this.tree,this.plan,this.folds),this.focus=
e?this.T(e):0,this.anchor=t?this.T(t):0}T(e){let t=this.rows.findIndex(s=>W(s)===W(e));if(t>=0)return t;let n=e.ref<0?e.node:this.tree.refs[e.
ref][0];return this.rows.findLastIndex(({ref:s,node:o,times:i})=>{let a=o+i*(this.tree.end[o]-o);return s<0&&o<=n&&n<a})}};var Q=40,F=class{constructor(e){this.jump=e}jump;list=l("ul",{class:"remarks","data-role":"findings"});element=l("div",{},this.list);show(e){
let t=[...e.conflicts.map(s=>({...s,severity:"conflict"})),...e.findings],n=t.slice(0,Q).map(s=>this.item(s));return t.length>Q&&n.push(l("l\
i",{},`and ${t.length-Q} more`)),t.length===0&&n.push(l("li",{class:"note"},"Nothing to report: this plan can run.")),this.list.replaceChildren(
...n),t.length}item(e){let t=e.severity??"warn",n=e.fqns.slice(0,4).map((o,i)=>l("button",{type:"button",class:"link","data-jump":e.indices[i]??
0,click:()=>this.jump(e.indices[i]??0)},o||"(root)")),s=e.fqns.length>4?` and ${e.fqns.length-4} more`:"";return l("li",{"data-severity":t,"\
data-kind":e.kind},l("b",{},t)," ",...n,s,l("p",{},e.message),l("p",{class:"note"},e.fix??e.advice??""))}};var k={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,error:null,log:[],seconds:0},et=500,fe=r=>r?
{...k,...JSON.parse(r)}:k;function ge(r,e){let t=e.id!==void 0&&e.id!==r.id?k:r;return e.seq!==void 0&&t!==k&&e.seq<=t.seq?r:{...t,...e,losses:[
...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-et)}}var b=r=>r.phase==="starting"||r.phase==="running",ue={idle:"Not run ye\
t.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function H(r){let e=[r.backend,r.devices].filter(Boolean).
join(", "),t=r.nprocs?` on ${r.nprocs} ${r.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",n=r.steps?`, step ${r.step} of ${r.steps}`:"",
s=r.seconds?`, ${r.seconds.toFixed(1)} s`:"";return r.phase==="idle"?ue.idle:`${ue[r.phase]}${t}${n}${s}`}var me=r=>typeof r=="number"?r.toFixed(
4):"not finite";function be(r){let e=r.losses.at(-1);if(!e)return"";let[t,...n]=e,s=n.map((a,d)=>`rank ${d} ${me(a)}`).join(", "),o=r.losses.
length-1,i=r.reference&&o<r.reference.length?`; unsharded ${me(r.reference[o])}`:"";return`step ${t}: ${s}${i}`}function ve(r,e,t){let n=Array.
from({length:(r.losses[0]?.length??1)-1},(c,m)=>r.losses.map(v=>v[m+1])),s=r.reference??[],o=[...n.flat(),...s].filter(c=>typeof c=="number");
if(o.length===0)return null;let i=o.reduce((c,m)=>Math.min(c,m)),a=o.reduce((c,m)=>Math.max(c,m)),d=Math.max(r.steps,r.losses.length,s.length,
2)-1,p=c=>c.map((m,v)=>{if(typeof m!="number")return"";let K=typeof c[v-1]=="number"?"L":"M",Le=a===i?t/2:(a-m)/(a-i)*t;return`${K}${(v/d*e).
toFixed(1)} ${Le.toFixed(1)}`}).join("");return{lines:n.map(p),reference:p(s),low:i,high:a}}var we=480,xe=90,_=class{element;nprocs=l("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=l("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=l("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=l("span",{"data-role":"phase"});losses=l("p",{"data-role":"losses"});chart=l("div",{class:"chart","data-role":"chart"});error=l(
"div",{class:"error","data-role":"run-error",role:"alert"});log=l("pre",{"data-role":"log",tabindex:0});details=l("details",{},l("summary",{},
"Worker log"),this.log);constructor(e,t){this.run=f("run","▶ Run","Spawn the workers and train with this plan",()=>{this.run.disabled=!0,e(
Number(this.nprocs.value),Number(this.steps.value))}),this.stop=f("stop","■ Stop","End the workers",t);let n=l("div",{class:"bar"},l("labe\
l",{},"workers ",this.nprocs),l("label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=l("div",{class:"ru\
n"},n,this.error,this.losses,this.chart,this.details)}show(e){this.run.disabled=b(e),this.stop.disabled=!b(e),u(this.element,{"data-phase":e.
phase}),u(this.progress,{max:e.steps||1,value:e.phase==="done"?e.steps||1:e.step}),h(this.phase,H(e)),h(this.losses,be(e)),this.error.hidden=
e.error===null,e.error&&this.error.replaceChildren(l("b",{},e.error.title),l("pre",{},e.error.detail)),this.draw(e),this.details.hidden=e.log.
length===0,h(this.log,e.log.map(([t,n])=>`[rank ${t}] ${n.trimEnd()}`).join(`
`))}draw(e){let t=ve(e,we,xe);if(this.chart.hidden=t===null,!t)return;let n=t.lines.map((i,a)=>T("path",{d:i,class:"loss","data-rank":a,"str\
oke-dasharray":a?`${2+2*a} 3`:"none"})),s=T("svg",{viewBox:`-2 -4 ${we+4} ${xe+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss \
of every step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[T("path",{d:t.reference,class:"reference"})]:[],...n),
o=t.reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(l("span",{},t.high.toFixed(3)),l("span",{},t.low.toFixed(3)),s,
l("small",{},o))}};var N=class{constructor(e){this.panels=e;this.tabs=e.map(({name:n,label:s},o)=>l("button",{type:"button",role:"tab",id:`tab-${n}`,"data-tab":n,
click:()=>this.open(o)},s));let t=l("div",{class:"tabs",role:"tablist",keydown:n=>this.press(n)},...this.tabs);for(let{name:n,element:s}of e)
u(s,{role:"tabpanel","aria-labelledby":`tab-${n}`});this.element=l("div",{class:"panels"},t,...e.map(({element:n})=>n)),this.open(0)}panels;element;tabs;label(e,t){
h(this.tabs[this.panels.findIndex(n=>n.name===e)],t)}open(e){this.panels.forEach(({element:t,opened:n},s)=>{t.hidden=s!==e,u(this.tabs[s],{"\
aria-selected":s===e,tabindex:s===e?0:-1}),s===e&&n?.()})}press(e){let t={ArrowRight:1,ArrowLeft:-1}[e.key];if(!t)return;let s=(this.tabs.findIndex(
o=>o.getAttribute("aria-selected")==="true")+t+this.tabs.length)%this.tabs.length;this.open(s),this.tabs[s].focus()}};var tt=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷ Redo","Redo (Ctrl+Shif\
t+Z)",{do:"redo"}],null,["open_all","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",
{do:"closeAll"}],["split","Split ×n","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],ye={fully_shard:[
"shard","F"],replicate:["replicate","R"],ignore:["ignore","I"]},C=class{element=l("div",{class:"bar",role:"toolbar","aria-label":"Plan"});buttons=new Map;constructor(e){
for(let t of tt){if(t===null){this.element.append(l("span",{class:"gap"}));continue}let[n,s,o,i]=t,a=f(n,s,o,()=>e(i));if(ye[n]){let[d,p]=ye[n];
a.dataset.hue=d,a.prepend(l("span",{"data-cell":"swatch","aria-hidden":"true"},p))}this.buttons.set(n,a),this.element.append(a)}}enable(e,t){
this.buttons.get(e).disabled=!t}};var ke={f:"fully_shard",r:"replicate",i:"ignore",u:"clear"},rt={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},Escape:{do:"\
leave"},"+":{do:"openAll"},"-":{do:"closeAll"},s:{do:"split"},g:{do:"group"}};function Te(r,e){let t=r.key.length===1?r.key.toLowerCase():r.
key;if(r.altKey)return null;if(r.ctrlKey||r.metaKey)return nt(t,r.shiftKey);let n={ArrowDown:1,ArrowUp:-1,PageDown:e,PageUp:-e};return t in n?
{do:"move",by:n[t],extend:r.shiftKey}:t==="Home"||t==="End"?{do:"edge",end:t==="End",extend:r.shiftKey}:t in ke?{do:"mark",verb:ke[t]}:rt[t]??
null}function nt(r,e){return r==="z"?{do:e?"redo":"undo"}:r==="y"?{do:"redo"}:null}var Se=24,st=14,it=18,ot=["fold","swatch","name","type","times","ties","alarm"],Re=[["own","own","Elements of the module's direct parameters"],
["total","subtree","Elements of the whole subtree, each tensor once"],["unit","unit","The unit that owns the parameters"],["dfs","#","Place \
in the pre-order (DFS) of the modules; k counts the siblings of a ×n row"],["handle","H","Place of the unit's handle in get_handles(root)"],
["init_c","I₁","When its handle is made by fully_shard (composable path)"],["init_w","I₂","When its handle is made by FullyShardedDataPa\
rallel (wrapper path)"]],j=class{constructor(e){this.events=e;let t={class:"rows",role:"tree",tabindex:0,"aria-multiselectable":"true","aria\
-label":"Modules"};this.list=new y(Se,t,at,(s,o)=>this.fill(s,o)),this.list.view.addEventListener("click",s=>this.click(s)),this.list.view.addEventListener(
"keydown",s=>this.press(s));let n=Re.map(([s,o,i])=>l("span",{class:`num ${s}`,title:i},o));this.element=l("div",{class:"tree"},l("div",{class:"\
heads","aria-hidden":"true"},l("span",{},"module"),...n),this.list.view)}events;element;list;e;height="";show(e,t){this.e=e;let n=`${Math.min(
e.rows.length,it)*Se+2}px`;this.height!==n&&(this.list.view.style.height=this.height=n),this.list.show(e.rows.length,t?e.focus:-1),u(this.list.
view,{"aria-activedescendant":this.list.elementOf(e.focus)?.id??null})}get painted(){return this.list.view.clientHeight>0}S=()=>this.list.view.
focus({preventScroll:!0});destroy=()=>this.list.destroy();click(e){let t=e.target,n=t.closest("[data-row]");if(!n)return;let s=Number(n.dataset.
row);t.dataset.cell==="fold"&&this.e.p(this.e.rows[s])?this.events.toggle(s):t.dataset.cell==="times"?this.events.split(s):this.events.select(
s,e.shiftKey),this.S()}press(e){let t=Te(e,this.list.page-1);t&&(e.preventDefault(),t.do==="leave"?this.list.view.blur():this.events.act(t))}fill(e,t){
let n=this.e.rows[t],{tree:s,plan:o}=this.e,i=$(o,n),a=this.e.p(n);u(e,{"data-row":t,"data-index":n.node,"data-fqn":M(s,n),"data-count":n.times,
"data-status":n.ref<0?i.letter:"ref","data-hue":n.ref<0?i.hue:"none","data-alarm":n.ref<0?o.alarm[n.node]:0,"aria-level":n.level,"aria-posin\
set":n.position,"aria-setsize":n.siblings,"aria-selected":this.e.y(t),"aria-expanded":a?this.e.l(n):null,"data-focus":t===this.e.focus?"1":null}),
e.style.setProperty("--indent",`${Math.min(n.level-1,24)*st}px`);let d=n.ref<0?this.N(n,a):this.C(n);d.words=A(s,o,n);for(let p of e.querySelectorAll(
"[data-cell]"))h(p,d[p.dataset.cell]??"");e.title=n.ref<0?L(s,n.node):""}N(e,t){let{tree:n,plan:s}=this.e,o=n.cls[e.node],i=w(e),a=V(n,e.node,
e.times),d=n.parent[e.node],p=c=>Y(i.map(m=>s.m.get(m)?.[c]??-1));return{fold:t?this.e.l(e)?"▾":"▸":"",swatch:$(s,e).glyph,name:e.node===
0?n.title:/^\d/.test(a)&&d>0?`${n.names[d]}.${a}`:a,type:e.node===0&&n.classes[o][0]===n.title?"":n.classes[o][0],times:e.times>1?`×${e.times}`:
this.e.H(e)?"⊟":"",ties:(n.b.get(e.node)??[]).map(c=>`tie ${c}`).join(" "),alarm:["","i","▲","!"][s.alarm[e.node]],own:n.own[o]?g(n.own[o]):
"",total:n.total[o]?g(n.total[o]):"",unit:Z(s,i),dfs:`#${Y(i)}`,handle:p("handle"),init_c:p("init_c"),init_w:p("init_w")}}C(e){let{tree:t}=this.e,
[,n,,s]=t.refs[e.ref],o=e.node===0?t.title:x(t,e.node);return{fold:s==="back"?"↺":"↪",name:n,type:`same as ${o} (#${e.node})`}}};function at(r){
let e=(s,o={})=>l("span",{"data-cell":s,"aria-hidden":"true",...o}),t=Re.map(([s])=>s==="unit"?l("span",{class:"num unit"},e(s)):e(s,{class:`\
num ${s}`})),n=l("span",{class:"main"},l("span",{"data-cell":"words"}),...ot.map(s=>e(s)));return l("div",{class:"row",role:"treeitem",id:`r\
ow-${r}`},n,...t)}var lt=250,dt=2e3,z=class{constructor(e){this.model=e;this.talk=new R(n=>e.send(n),n=>this.silence(n)),this.gone.hidden=!0;let t=l("div",{class:"\
head"},this.title," ",this.totals);this.element.append(t,this.toolbar.element,pe(),this.gone,this.view.element,this.detail,this.status,this.
tabs.element)}model;element=l("div",{class:"shx","data-kernel":"alive"});title=l("b",{"data-role":"title"});totals=l("span",{class:"note","d\
ata-role":"totals"});detail=l("div",{class:"detail","data-role":"detail"});status=l("div",{class:"status","data-role":"status",role:"status",
"aria-live":"polite"},"Select modules (click, Shift+click, arrows), then mark them: F fully shard, R replicate, I ignore, U clear.");gone=l(
"div",{class:"gone","data-role":"gone",role:"alert"},"No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its la\
st state; run the cell again after a restart.");toolbar=new C(e=>this.act(e));view=new j({act:e=>this.act(e),select:(e,t)=>this.c(()=>this.e.
select(e,t)),toggle:e=>this.h(()=>this.e.toggle(e)),split:e=>this.h(()=>this.e.k(e))});orders=new P(e=>this.jump(e));remarks=new F(e=>this.jump(
e));code=new S(e=>this.tell(e));w=new _((e,t)=>{this.command("run",{nprocs:e,steps:t})},()=>{this.command("stop")});tabs=new N([{name:"run",
label:"Run",element:this.w.element},{name:"orders",label:"Orders",element:this.orders.element,opened:()=>this.orders.repaint()},{name:"findi\
ngs",label:"Findings",element:this.remarks.element},{name:"code",label:"Code",element:this.code.element}]);talk;e;run=k;saved="";saving;E=()=>{
try{let e=de(String(this.model.get("tree")));this.e=new I(e,this.plan(e.size))}catch(e){return this.refuse({title:"The tree cannot be drawn",
detail:String(e)})}return h(this.title,this.e.tree.title),this.M(!0),this.$()};j=()=>{this.e&&(this.e.setPlan(this.plan(this.e.tree.size)),this.$(),
this.A&&this.tell("The plan has changed."))};$(){let{plan:e,tree:t}=this.e;this.orders.show(t,e),this.code.show(e.state);let n=this.remarks.
show(e.state);this.tabs.label("findings",n?`Findings (${n})`:"Findings"),this.toolbar.enable("undo",e.state.undo),this.toolbar.enable("redo",
e.state.redo),h(this.totals,pt(t.size,e.state)),u(this.element,{"data-rev":e.state.rev}),this.draw()}L=()=>this.follow(fe(String(this.model.
get("run")??"")));follow(e){let[t,n]=[b(this.run),b(e)];this.run=e,this.w.show(e),n&&!t?this.tell(Ee.run):t&&!n&&!this.A&&this.tell(H(e))}z=()=>{
this.model.get("view")===this.saved||!this.e||(this.M(!1),this.draw(!0))};hear=e=>{this.talk.hear(!0),e.type==="run"?this.follow(ge(this.run,
e)):e.type==="notice"?this.refuse(e.error):this.talk.receive(e)};get painted(){return!this.e||this.view.painted}repaint(){this.e&&this.draw(
!0)}destroy(){clearTimeout(this.saving),this.talk.close(),this.view.destroy(),this.orders.destroy()}plan=e=>ne(String(this.model.get("plan")??
""),e);act(e){let{e:t}=this;if(t)switch(e.do){case"move":return this.c(()=>t.select(t.focus+e.by,e.extend));case"edge":return this.c(()=>t.select(
e.end?t.rows.length-1:0,e.extend));case"mark":return this.edit("mark",{verb:e.verb});case"group":return this.edit("group");case"undo":case"r\
edo":return void this.command(e.do);case"split":return this.h(()=>t.k(t.focus));case"leave":return;case"openAll":case"closeAll":return this.h(
()=>t[e.do]());default:return this.c(()=>t[e.do]())}}edit(e,t={}){let n=this.e.P();n.length?this.command(e,{...t,indices:n}):this.refuse({title:"\
This row is a reference",detail:"Its module is listed elsewhere: Enter goes there, then mark it."})}async command(e,t={}){u(this.element,{"d\
ata-waiting":e});let n=await this.talk.ask(e,t);u(this.element,{"data-waiting":null}),this.w.show(this.run),n.ok?(e!=="stop"||b(this.run))&&
this.tell(Ee[e]??`${this.e.plan.state.last||e}`):this.refuse(n.error??{title:"The kernel refused",detail:"It gave no reason."})}get A(){return this.
status.dataset.kind==="error"}tell(e){this.status.replaceChildren(e),u(this.status,{"data-kind":"told"})}refuse(e){this.status.replaceChildren(
l("b",{},e.title),l("p",{},e.detail)),u(this.status,{"data-kind":"error"})}silence(e){this.gone.hidden=!e,u(this.element,{"data-kernel":e?"g\
one":"alive"})}jump(e){e>=0&&this.c(()=>this.e.jump(e)),this.view.S()}c(e){e(),this.draw(!0),this.O()}h(e){e(),this.draw(),this.O()}draw(e=!1){
this.view.show(this.e,e);let{tree:t,plan:n,rows:s,focus:o,anchor:i}=this.e,a=s[o],d=Math.abs(o-i)+1,p=[d>1?`${d} rows selected`:"",A(t,n,a),
a.ref<0?L(t,a.node):""];h(this.detail,p.filter(Boolean).join(" · "))}O(){clearTimeout(this.saving),this.saving=setTimeout(()=>this.K(),lt)}K(){
let{e}=this,t=e.rows.filter(e.l).map(({node:n})=>n).slice(0,dt);this.saved=JSON.stringify({selected:e.rows[e.focus].node,open:t,split:e._}),
this.model.set("view",this.saved),this.model.save_changes()}M(e){let t=String(this.model.get("view")??""),n=t?JSON.parse(t):{};e&&n.open?this.e.
restore(n.open,n.split??[],n.selected??0):n.selected!==void 0&&n.selected<this.e.tree.size&&this.e.jump(n.selected)}},Ee={run:"The run has s\
tarted.",stop:"The run is being stopped.",undo:"Undone.",redo:"Redone."};function pt(r,{totals:e,units:t,rev:n}){let o=["sharded","replicate\
d","ignored","unmanaged"].filter(d=>e[d]).map(d=>`${g(e[d])} ${d}`).join(", "),i=e.numel===void 0?"":` · ${g(e.numel)} parameters`,a=(d,p)=>`${d.
toLocaleString("en")} ${p}${d===1?"":"s"}`;return`${a(r,"module")}${i}${o?`: ${o}`:""} · ${a(t.length,"unit")} · revision ${n}`}function Me(r){r.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])r.addEventListener(
e,t=>t.stopPropagation())}var $e=':host{display:block;min-width:0}.shx{--ink: #1c2430;--soft: #5a6675;--paper: #fff;--raised: #f4f6f9;--line: #d5dbe3;--chosen: #dbe9f\
b;--ring: #0b5cad;--shard: #0072b2;--shard-ink: #fff;--replicate: #b85c00;--replicate-ink: #fff;--ignore: #6b7280;--ignore-ink: #fff;--bad: \
#b3261e;--bad-paper: #fdecea;--mono: var(--jp-code-font-family, ui-monospace, "DejaVu Sans Mono", monospace);color:var(--ink);background:var\
(--paper);border:1px solid var(--line);border-radius:6px;padding:8px 10px;overflow:hidden;font:13px/1.4 var(--jp-ui-font-family, system-ui, \
sans-serif);container-type:inline-size;color-scheme:light}.shx[data-theme=dark]{--ink: #e4e9f0;--soft: #a3afbd;--paper: #14181e;--raised: #1\
e242c;--line: #38424f;--chosen: #1d3a5c;--ring: #6cb6ff;--shard: #56b4e9;--shard-ink: #06121c;--replicate: #f0a04b;--replicate-ink: #1c0f00;\
--ignore: #9aa5b1;--ignore-ink: #10151b;--bad: #ff8a80;--bad-paper: #3a1b1b;color-scheme:dark}[hidden]{display:none!important}:focus-visible\
{outline:2px solid var(--ring);outline-offset:-2px}.note{color:var(--soft)}.head{padding-bottom:6px}.head b{font-size:15px;margin-right:6px}\
.bar{display:flex;flex-wrap:wrap;gap:5px;align-items:center}.gap{width:8px}button,input{font:inherit;color:inherit;background:var(--raised);\
border:1px solid var(--line);border-radius:4px;padding:2px 8px}button{cursor:pointer}button:hover:enabled{border-color:var(--ring)}button:di\
sabled{opacity:.5;cursor:default}button [data-cell]{margin-right:5px}button.link{background:none;border:0;padding:0 4px 0 0;color:var(--ring\
);text-decoration:underline;font-family:var(--mono)}input{width:64px}.legend{display:flex;flex-wrap:wrap;gap:2px 12px;padding:6px 0;color:va\
r(--soft);font-size:12px}.key{display:inline-flex;align-items:center;gap:4px}.key b{color:var(--ink)}[data-cell=swatch]{display:inline-block\
;box-sizing:border-box;width:15px;height:15px;border-radius:3px;border:2px solid var(--hue);color:var(--hue);font:700 10px/11px ui-monospace\
,monospace;text-align:center;flex:none}[data-hue=shard]{--hue: var(--shard);--hue-ink: var(--shard-ink)}[data-hue=replicate]{--hue: var(--re\
plicate);--hue-ink: var(--replicate-ink)}[data-hue=ignore]{--hue: var(--ignore);--hue-ink: var(--ignore-ink)}[data-hue=none]{--hue: var(--so\
ft)}[data-status=u] [data-cell=swatch]{border:1.5px dotted var(--soft)}[data-status=F] [data-cell=swatch],[data-status=R] [data-cell=swatch]\
,[data-status=I] [data-cell=swatch],button [data-cell=swatch]{background:var(--hue);color:var(--hue-ink)}[data-status=ref] [data-cell=swatch\
]{visibility:hidden}.heads,.row{display:grid;grid-template-columns:minmax(0,1fr) 62px 72px 62px 74px 52px 52px 52px;column-gap:6px;padding:0\
 6px}.heads{color:var(--soft);font-size:11px;border-bottom:1px solid var(--line);scrollbar-gutter:stable;overflow:hidden;padding:2px 6px;cur\
sor:help}.rows,.order-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable}.rows{border-bottom:1px solid var(--line);\
resize:vertical;min-height:26px}.pad{position:relative}.row{position:absolute;left:0;right:0;height:24px;line-height:24px;white-space:nowrap\
;cursor:default;font-family:var(--mono);font-size:12px;box-shadow:inset 3px 0 var(--lane, transparent)}.row[data-hue=shard],.row[data-hue=re\
plicate],.row[data-hue=ignore]{--lane: var(--hue)}.row:hover{background:var(--raised)}.row[aria-selected=true]{background:var(--chosen)}.row\
s:focus .row[data-focus]{outline:2px solid var(--ring);outline-offset:-2px;border-radius:3px}.main{display:flex;align-items:center;gap:5px;p\
adding-left:var(--indent, 0);min-width:0;overflow:hidden}.main>*{flex:none}.main>:empty{display:none}[data-cell=fold],.main>[data-cell=fold]\
:empty{display:block;width:14px;text-align:center;color:var(--soft);cursor:pointer}.main>[data-cell=swatch]:empty{display:inline-block}[data\
-cell=words]{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}[data-cell=name]{font-weight:600}.main>[data-cell=type]{color:\
var(--soft);flex:0 1 auto;overflow:hidden;text-overflow:ellipsis}[data-cell=times]{border:1px solid var(--line);border-radius:9px;line-heigh\
t:16px;padding:0 7px;cursor:pointer;background:var(--raised)}[data-cell=ties]{border:1px dashed var(--soft);border-radius:3px;line-height:14\
px;padding:0 4px;font-size:11px}[data-cell=alarm]{font-weight:700;border:1px solid var(--line);border-radius:3px;line-height:14px;padding:0 \
4px}[data-alarm="3"] [data-cell=alarm]{color:var(--bad);border-color:var(--bad);background:repeating-linear-gradient(45deg,transparent 0 3px\
,var(--bad-paper) 3px 6px)}.num{text-align:right;overflow:hidden;text-overflow:ellipsis;font-variant-numeric:tabular-nums}.row .dfs{color:va\
r(--soft)}.row [data-cell=unit]:not(:empty){border:1px solid var(--hue);color:var(--hue);border-radius:9px;padding:1px 6px;font-size:11px}.r\
ow[data-status=F] [data-cell=unit]:not(:empty){background:var(--hue);color:var(--hue-ink)}.detail{color:var(--soft);padding:4px 6px;min-heig\
ht:18px;overflow-wrap:anywhere}.status{padding:4px 8px;min-height:19px;border-left:3px solid var(--line);margin:2px 0 6px;white-space:pre-wr\
ap;overflow-wrap:anywhere;font-family:var(--mono);font-size:12px}[data-waiting] .status:after{content:" …"}.status p,.error pre{margin:2px 0\
 0;white-space:pre-wrap}.status[data-kind=error],.error,.gone{border-left:3px solid var(--bad);background:var(--bad-paper);padding:6px 8px;m\
argin:4px 0}.status[data-kind=error] b:before,.error>b:before{content:"! ";color:var(--bad)}.tabs{display:flex;flex-wrap:wrap;gap:2px;border\
-bottom:1px solid var(--line);margin-bottom:8px}.tabs button{border:0;border-radius:4px 4px 0 0;background:none;padding:4px 12px;color:var(-\
-soft)}.tabs button[aria-selected=true]{color:var(--ink);box-shadow:inset 0 -2px var(--ring);font-weight:600}progress{width:140px;accent-col\
or:var(--shard)}[data-role=losses]{margin:6px 0;font-variant-numeric:tabular-nums}.chart{display:grid;grid-template:45px 45px auto / auto 1f\
r;column-gap:6px;max-width:640px;color:var(--soft);font-size:11px}.chart span:nth-child(2){align-self:end;grid-area:2 / 1}.chart svg{grid-ar\
ea:1 / 2 / 3 / 3;width:100%;height:90px;border-left:1px solid var(--line);border-bottom:1px solid var(--line)}.chart small{grid-area:3 / 2}p\
ath{fill:none;vector-effect:non-scaling-stroke;stroke-width:2;stroke:var(--shard)}path.reference{stroke:var(--replicate);stroke-width:4;stro\
ke-dasharray:.1 7;stroke-linecap:round}pre{margin:4px 0;max-height:220px;overflow:auto;font:12px/1.4 var(--mono);background:var(--raised);pa\
dding:6px 8px;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}.error pre{background:none;padding:0}code{font-family:var(--mono\
)}.code p{margin:4px 0}.order{display:grid;grid-template-columns:44px repeat(4,minmax(0,1fr));gap:8px;line-height:22px;font-family:var(--mon\
o);font-size:12px}.order-rows .order{position:absolute;left:0;right:0;height:22px}.order-heads{color:var(--soft);border-bottom:1px solid var\
(--line);overflow:hidden;scrollbar-gutter:stable}.order span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}.order\
>span:first-child{color:var(--soft);text-align:right;cursor:default}[data-differs]{box-shadow:inset 0 0 0 1px var(--replicate);border-radius\
:3px;padding:0 3px}.remarks{margin:0;padding:0;list-style:none;max-height:260px;overflow:auto}.remarks li{border-left:3px solid var(--line);\
padding:2px 8px;margin-bottom:6px}.remarks li[data-severity=conflict],.remarks li[data-severity=error]{border-color:var(--bad)}.remarks p{ma\
rgin:1px 0}@container (max-width: 720px){.heads,.row{grid-template-columns:minmax(0,1fr) 72px 56px 60px}.own,.handle,.init_c,.init_w{display\
:none}}@container (max-width: 420px){.heads,.row{grid-template-columns:minmax(0,1fr) 60px}.total,.num.unit{display:none}}@media(forced-color\
s:active){.row[aria-selected=true]{outline:1px solid Highlight}}';function ht({model:r,el:e}){let t=new z(r);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(l("style",{},$e),t.element),Me(e);let s=X(
t.element),o=[["change:tree",t.E],["change:plan",t.j],["change:run",t.L],["change:view",t.z],["msg:custom",t.hear]];for(let[i,a]of o)r.on(i,
a);return t.E(),t.L(),Ae(t,!1),()=>{for(let[i,a]of o)r.off(i,a);s(),t.destroy()}}function Ae(r,e){requestAnimationFrame(()=>{if(!r.element.isConnected||
!r.painted)return Ae(r,!0);e&&r.repaint(),requestAnimationFrame(()=>r.element.setAttribute("data-ready","1"))})}var Rr={render:ht};export{Rr as default};
