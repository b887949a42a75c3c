// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var Qe=([,n])=>n.reduce((e,t)=>e*t,1);function S(n,e){let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}var k=(n,e)=>Sn(n)(e);function Sn(n){
let e=new Map,t=r=>{let s=e.get(r)??new Map;if(s.size===0)for(let i=r+1;i<n.end[r];i=n.end[i])s.set(n.names[i],i);return e.set(r,s),s};return r=>{
let s=0;for(let i of r===""?[]:r.split("."))if(s=t(s).get(i)??-1,s<0)break;return s}}var M="uFfRrIi";var En={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},q=[...M].map(n=>({letter:n,...En[n]})),Cn=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function Se(n){for(let[e,t]of Cn)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function Me(n){
let e=Math.min(4,Math.floor(Math.log2(Math.max(1,n))/10)),t=n/1024**e;return`${e===0?Math.round(t):t.toFixed(t<10?2:1)} ${["B","KiB","MiB","\
GiB","TiB"][e]}`}var T=(n,e,t)=>({key:n,label:e,title:t}),B=[T("own","own","Elements of the module's direct parameters"),T("total","subtree","Elements of the\
 subtree, each tensor once; of each one of a ×n row"),T("bytes","B/rank","Parameter bytes of the subtree on rank 0 between steps, as Costs \
is set"),T("unit","unit","The unit that owns the parameters"),T("dfs","#","Place in the pre-order (DFS); k counts the modules of a ×n row"),
T("handle","H","Place of the unit's handle in get_handles(root)"),T("init_c","I₁","When its handle is made by fully_shard (composable path\
)"),T("init_w","I₂","When its handle is made by FullyShardedDataParallel (wrapper path)"),T("exec","X","When the last run unsharded it: → \
forward, ← backward, counted through the step")];var Pn="http://www.w3.org/2000/svg";function a(n,e={},...t){return et(document.createElement(n),e,t)}function E(n,e={},...t){return et(document.
createElementNS(Pn,n),e,t)}function et(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,
String(s));return n.append(...t),n}function h(n,e){n.textContent!==e&&(n.textContent=e)}function u(n,e){for(let[t,r]of Object.entries(e))r===
null?n.removeAttribute(t):n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function b(n,e,t,r){return a("button",{type:"button","d\
ata-cmd":n,title:t,click:r},e)}var rt={status:"status",dfs:"DFS position",unit:"unit",bytes:"bytes per rank"},tt=5,On=[0,3,1,4,2],nt={colour:"var(--line)",ink:"var(--ink)"};
function F(n){let e=Math.max(0,Math.min(1,n));return{colour:`hsl(${Math.round(205+15*e)} ${Math.round(75-10*e)}% ${Math.round(88-66*e)}%)`,ink:e<
.575?"#000":"#fff"}}function st(n,e,t,r){if(n==="dfs")return o=>F(o/Math.max(1,e.size-1));if(n==="unit")return o=>t.unitOf[o]<0?nt:F(On[t.unitOf[o]%
tt]/(tt-1));if(n==="status")return null;let[s,i]=Ee(e,r);return o=>r(o)>0?F(_n(r(o),s,i)):nt}function Ee(n,e){let[t,r]=[1/0,0];for(let s=0;s<
n.size;s++){let i=e(s);i>0&&([t,r]=[Math.min(t,i),Math.max(r,i)])}return[Math.min(t,r),r]}var _n=(n,e,t)=>t>e?Math.log(n/e)/Math.log(t/e):1;var An={bool:8,half:16,bfloat16:16,double:64,complex64:64,complex128:128},Ln=n=>(An[n]??Number(/\d+/.exec(n)?.[0]??32))/8,In=n=>/[bs]/.test(
n[3])?0:Qe(n)*Ln(n[2]);function it(n,e,t){let r=n.classes.map(([,i])=>i.reduce((o,l)=>o+In(l),0)),s=new Map;for(let{runs:i,numel:o,shard_nbytes:l,
max_shard_nbytes:d}of t)for(let[c,p,m]of i)for(let f=c;f<p;f+=m)s.set(f,o?(d??l)/o:0);return i=>{let o=n.cls[i],l=s.get(e.unitOf[i]);return l===
void 0?r[o]:l*n.own[o]}}var Ce=5,V=class{constructor(e){this.page=e;this.#r=B.map(({key:i,title:o})=>a("input",{type:"checkbox",value:i,title:o,change:()=>this.#l()}));
let t=B.map(({label:i,title:o},l)=>a("label",{title:o},this.#r[l],` ${i}`)),r=a("div",{class:"sheet"}),s=a("details",{class:"menu"},a("summa\
ry",{"data-role":"columns"},"Columns"),r);s.addEventListener("toggle",()=>r.replaceChildren(...s.open?t:[])),this.element=a("div",{class:"ba\
r appearance"},a("label",{},"colour by ",this.#t),this.#e,s,a("label",{},this.#s," compact")),this.#n=e.kept("colour")??"status",this.#t.value=
this.#n,this.#s.checked=e.kept("compact")===!0}page;element;#t=a("select",{"data-role":"colour-by",change:()=>this.#a(this.#t.value)},...Object.
entries(rt).map(([e,t])=>a("option",{value:e},t)));#e=a("span",{class:"scale","data-role":"scale",role:"img"});#r;#s=a("input",{type:"checkb\
ox","data-role":"compact",change:()=>this.page.compact(this.#s.checked)});#n="status";#i=!1;update(e){for(let t of this.#r)t.checked=!this.page.
hidden.has(t.value);["tree","plan","costs"].some(t=>e.has(t))&&this.#o()}destroy=()=>{};#a(e){this.#n=e,this.page.keep("colour",e),this.#o()}#l(){
this.page.hide(this.#r.filter(e=>!e.checked).map(e=>e.value)),this.#o()}#o(){let{page:e}=this,r=this.#n==="bytes"||!e.hidden.has("bytes")?this.#d():
null;e.measure(r);let s=r?Nn(e.tree.size,e.tree.end,r):()=>0;e.paint(st(this.#n,e.tree,e.plan,s)),this.#c(s)}#d(){let e=this.page.trait("cos\
ts");return e?it(this.page.tree,this.page.plan,e.units):(this.#i||this.page.ask("what_if",{}),this.#i=!0,null)}#c(e){let{tree:t,plan:r}=this.
page,[s,i]=this.#n==="bytes"?Ee(t,e):[0,0],o={status:()=>"",dfs:d=>`#${Math.round(d*(t.size-1))}`,unit:d=>r.state.units.length?`u${[0,2,4,1,
3][d*(Ce-1)]}+5k`:"",bytes:d=>i>0?Me(s*(i/s)**d):""},l=Array.from({length:Ce},(d,c)=>c/(Ce-1)).filter(d=>o[this.#n](d));this.#e.replaceChildren(
...l.map(d=>{let c=a("span",{},o[this.#n](d)),{colour:p,ink:m}=F(d);return c.style.cssText=`background:${p};color:${m}`,c})),this.#e.setAttribute(
"aria-label",`From light to dark: ${l.map(o[this.#n]).join(", ")}`),this.#e.hidden=l.length===0,this.#n==="bytes"&&i===0&&(this.#e.hidden=!1,
h(this.#e,"the costs are being worked out"))}};function Nn(n,e,t){let r=new Float64Array(n+1);for(let s=0;s<n;s++)r[s+1]=r[s]+t(s);return s=>r[e[s]]-
r[s]}function J(n){let e=n.map(t=>[t]);for(let t=0;t<3;t++)e=Hn(e);return e.map(t=>t.length===1?t[0]:t)}function Hn(n){let e=[];for(let t=0;t<n.length;){
let r=t+1<n.length?n[t+1][0]-n[t][0]:0,s=t+1;for(;s<n.length&&n[s][0]-n[s-1][0]===r&&zn(n[s],n[t]);)s++;s-t>2?e.push([...n[t],s-t,r]):e.push(
...n.slice(t,s=Math.max(t+1,s-1))),t=s}return e}var zn=(n,e)=>n.length===e.length&&n.every((t,r)=>r===0||t===e[r]);var Un={fully_shard:"F",replicate:"R",ignore:"I",clear:"u"},Bn={run:"The run has started.",stop:"The run is being stopped.",undo:"Undone.",redo:"\
Redone."},Fn="No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a res\
tart.",X=class{constructor(e,t){this.core=e;this.isLive=t;this.gone.hidden=!0,e.talk.onSilence=r=>{this.gone.hidden=!r,u(e.root,{"data-kerne\
l":r?"gone":"alive"})}}core;isLive;gone=a("div",{class:"gone","data-role":"gone",role:"alert"},Fn);act(e){switch(e.do){case"mark":return this.#t(
"mark",{verb:e.verb});case"group":return this.#t("group");case"undo":case"redo":return void this.command(e.do);case"find":return this.core.root.
querySelector('[data-role="find"]')?.focus()}}command=async(e,t={},r=[])=>{let{root:s,talk:i,view:o,status:l,outline:d}=this.core,{verb:c}=t;
o.pend(r,Un[c??"fully_shard"]),u(s,{"data-waiting":e});let p=await i.ask(e,t);return u(s,{"data-waiting":null}),o.pend(p.ok?[]:r),p.ok?(e!==
"stop"||this.isLive())&&l.tell(Bn[e]??(d.plan.state.last||e)):l.refuse(p.error??{title:"The kernel refused",detail:"It gave no reason."}),p.
ok};#t(e,t={}){let r=this.core.outline.selectedIndices();r.length?this.command(e,{...t,indices:J(r)},r):this.core.status.refuse({title:"This\
 row is a reference",detail:"Its module is listed elsewhere: Enter goes there, then mark it."})}};function ot(n){let e=new Map,t=0;for(let[r,s,i]of Wn(n)){if(s!=="U")continue;let o=e.get(i)??{forward:[],backward:[]};o[r==="B"?"backward":"\
forward"].push(t++),e.set(i,o)}return e}function Wn(n){let e=s=>n.slice(s).find(([,i])=>i==="U")?.[2],t=e(0),r=([s],i)=>s==="F"&&n[i-1]?.[0]!==
"F"&&e(i)===t;return n.slice(Math.max(0,n.findLastIndex(r)))}var N={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,events:[],error:null,log:[],seconds:0},
jn=500,lt=n=>n?{...N,...JSON.parse(n)}:N;function dt(n,e){let t=e.id!==void 0&&e.id!==n.id?N:n;return e.seq!==void 0&&t!==N&&e.seq<=t.seq?n:
{...t,...e,losses:[...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-jn)}}var C=n=>n.phase==="starting"||n.phase==="running",at={
idle:"Not run yet.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function Y(n){let e=[n.backend,n.devices].
filter(Boolean).join(", "),t=n.nprocs?` on ${n.nprocs} ${n.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",r=n.steps?`, step ${n.step} o\
f ${n.steps}`:"",s=n.seconds?`, ${n.seconds.toFixed(1)} s`:"";return n.phase==="idle"?at.idle:`${at[n.phase]}${t}${r}${s}`}var Z=class{constructor(e,t,r,s){this.core=e;this.changed=t;this.costsChanged=r;this.compared=s;e.model.on("change:run",this.#t),e.model.on(
"change:costs",this.costsChanged),e.model.on("change:comparison",this.compared),this.#t()}core;changed;costsChanged;compared;run=N;hear(e){e.
type==="run"?this.#e(dt(this.run,e)):e.type==="notice"&&this.core.status.refuse(e.error)}destroy(){this.core.model.off("change:run",this.#t),
this.core.model.off("change:costs",this.costsChanged),this.core.model.off("change:comparison",this.compared)}#t=()=>this.#e(lt(String(this.core.
model.get("run")??"")));#e(e){let[t,r]=[C(this.run),C(e)],{events:s}=this.run;this.run=e,e.events!==s&&this.core.view.execute(ot(e.events));
let{status:i}=this.core;r&&!t?i.tell("The run has started."):t&&!r&&!i.failing&&i.tell(Y(e)),this.changed()}};var Dn=[["u7","unit"],["H I₁ I₂","handles: listed, made by fully_shard, by the wrapper"],["5+10k","k-th of a ×n row"],["↪","same modu\
le again"],["tie a","tied parameters"],["fz","frozen"],["▲","finding"],["!","conflict"]];function ct(){let n=q.map(({letter:t,glyph:r,hue:s,
word:i})=>a("span",{class:"key","data-status":t,"data-hue":s},a("span",{"data-cell":"swatch"},r),i)),e=Dn.map(([t,r])=>a("span",{class:"key"},
a("b",{},t),r));return a("div",{class:"legend",role:"group","aria-label":"Legend"},...n,...e)}var Q=class{constructor(e){this.opened=e;this.element.append(this.#t)}opened;element=a("div",{class:"panels"});#t=a("div",{class:"tabs",role:"\
tablist","aria-label":"Panels",keydown:e=>this.#r(e)});#e=[];get current(){return this.#e.find(({place:e})=>!e.hidden)?.name??""}place(e,t){
let r=this.#e.find(o=>o.name===e);if(r)return r.place;let s=a("button",{type:"button",role:"tab",id:`tab-${e}`,"data-tab":e,"aria-selected":"\
false",tabindex:-1,click:()=>this.open(e)},t),i=a("div",{role:"tabpanel","aria-labelledby":s.id});return i.hidden=!0,this.#e.push({name:e,tab:s,
place:i}),this.#t.append(s),this.element.append(i),i}label(e,t){let r=this.#e.find(s=>s.name===e)?.tab;r&&h(r,t)}open(e){for(let{name:t,tab:r,
place:s}of this.#e)s.hidden=t!==e,u(r,{"aria-selected":t===e,tabindex:t===e?0:-1});this.opened(e)}#r(e){let t={ArrowRight:1,ArrowLeft:-1}[e.
key];if(!t)return;let r=this.#e.findIndex(({name:i})=>i===this.current),s=this.#e[(r+t+this.#e.length)%this.#e.length];this.open(s.name),s.tab.
focus()}};var Kn=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷ Redo","Redo (Ctrl+Shif\
t+Z)",{do:"redo"}],null,["open_all","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",
{do:"closeAll"}],["split","Split ×n","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],pt=["fully_s\
hard","replicate","ignore","clear"],Gn={fully_shard:["shard","F"],replicate:["replicate","R"],ignore:["ignore","I"]};function Pe(n,e,t,r){let s=b(
n,e,t,r),[i,o]=Gn[n]??["none",""];return s.dataset.hue=i,(o||!e)&&s.prepend(a("span",{"data-cell":"swatch","aria-hidden":"true",class:o?"":"\
empty"},o)),e||s.classList.add("bare"),s}var ee=class{element=a("div",{class:"bar",role:"toolbar","aria-label":"Plan",keydown:e=>this.#e(e)});#t=new Map;constructor(e){
for(let t of Kn){if(t===null){this.element.append(a("span",{class:"gap"}));continue}let[r,s,i,o]=t,l=Pe(r,s,i,()=>e(o));this.#t.set(r,l),this.
element.append(l),l.tabIndex=this.#t.size===1?0:-1}}enable(e,t){this.#t.get(e).disabled=!t}#e(e){let t=[...this.#t.values()].filter(i=>!i.disabled),
r=t.findIndex(i=>i===e.target),s={ArrowRight:r+1,ArrowLeft:r-1+t.length,Home:0,End:t.length-1}[e.key];if(!(r<0||s===void 0)){e.preventDefault();
for(let i of this.#t.values())i.tabIndex=-1;t[s%t.length].tabIndex=0,t[s%t.length].focus()}}};var qn="Select modules (click, Shift+click, arrows; L all alike), then mark them: F fully shard, R replicate, I ignore, U clear. / finds.",Vn=[
"tree","plan","run","costs","comparison","focus","rows","scroll","hits","colour","theme","size"],te=class{constructor(e,t,r){this.core=e;this.#r=
new X(e,()=>C(this.run)),this.#s=new Z(e,()=>this.changed("run"),()=>this.changed("costs"),()=>this.changed("comparison")),e.root.after(a("s\
tyle",{},r)),e.slots.tools.append(this.#t.element),e.slots.tab.replaceChildren(this.#e.element),e.slots.tab.classList.remove("note"),e.slots.
tab.before(this.#r.gone);for(let[s,i]of Object.entries(t)){let o=i.slot==="tab"?this.#e.place(s,i.label):e.slots[i.slot].appendChild(a("div",
{"data-panel":s}));this.#n.set(s,{kind:i,place:o,owed:new Set(Vn),scrolled:[]})}e.slots.tools.append(ct()),this.#o(),e.status.element.textContent||
e.status.tell(qn),this.#e.open("run")}core;hits=[];columns=B;#t=new ee(e=>this.core.act(e));#e=new Q(()=>this.#c());#r;#s;#n=new Map;#i=new Set;#a=new Set;#l=0;get root(){
return this.core.root}get tree(){return this.core.outline.tree}get plan(){return this.core.outline.plan}get run(){return this.#s.run}get rows(){
return this.core.outline.rows}get focus(){return this.core.outline.focus}get focused(){return this.rows[this.focus].node}get selected(){return this.
core.outline.selectedIndices()}get hidden(){return this.core.view.hidden}get viewport(){return this.core.view.viewport}trait=e=>JSON.parse(String(
this.core.model.get(e)||"null"));rowOf=e=>this.core.outline.rowOf(e);colourOf=e=>this.core.view.colourOf(e);kept=e=>this.core.saved.read()[e];ask=(e,t={})=>this.
core.talk.ask(e,t);command=(e,t={},r=[])=>this.#r.command(e,t,r);tell=e=>this.core.status.tell(e);refuse=e=>this.core.status.refuse(e);scrollTo=e=>this.
core.view.scrollTo(e);point=(e,t)=>this.core.view.point(e,t);measure=e=>this.core.view.measure(e);focusTree=()=>this.core.view.takeFocus();keep=(e,t)=>this.
core.saved.keep(e,t);label=(e,t)=>this.#e.label(e,t);open=e=>this.#e.open(e);reveal=e=>{e>=0&&this.core.moved(()=>this.core.outline.jump(e)),
this.focusTree()};hide=e=>{this.core.view.hide(e),this.keep("hidden",[...this.hidden]),this.changed("rows")};find=e=>{this.hits=e,this.core.
view.find(e),this.changed("hits")};paint=e=>{this.core.view.paint(e),this.changed("colour")};compact=e=>{this.core.view.compact(e),this.keep(
"compact",e),this.changed("size")};subscribe(e){return this.#i.add(e),()=>this.#i.delete(e)}act=e=>this.#r.act(e);hear=e=>this.#s.hear(e);changed(...e){
for(let t of e)this.#a.add(t);this.#l||=requestAnimationFrame(()=>this.#d()),e.includes("plan")&&this.#o()}destroy(){cancelAnimationFrame(this.#l),
this.#s.destroy();for(let{panel:e}of this.#n.values())e?.destroy()}#o(){let{undo:e,redo:t,conflicts:r,findings:s}=this.plan.state,i=r.length+
s.length;this.label("findings",i?`Findings (${i})`:"Findings"),this.#t.enable("undo",e),this.#t.enable("redo",t)}#d(){this.#l=0;let e=new Set(
this.#a);this.#a.clear();for(let{owed:t}of this.#n.values())for(let r of e)t.add(r);this.#c();for(let t of this.#i)t(e)}#c(){for(let[e,t]of this.#n){
let{place:r,panel:s}=t;if(r.hidden){s?.element.isConnected&&Jn(t);continue}if(s&&!s.element.isConnected&&Xn(t),t.owed.size===0)continue;let i=t.
owed;t.owed=new Set;try{t.panel??=this.#p(t),t.panel.update(i)}catch(o){this.#n.delete(e),r.replaceChildren(a("p",{class:"note"},`The panel ${e}\
 failed: ${o}`)),console.error(o)}}}#p({kind:e,place:t}){let r=e.make(this);return t.append(r.element),r}};function Jn(n){let{element:e}=n.panel;
n.scrolled=[...e.querySelectorAll("*")].filter(({scrollTop:t})=>t>0).map(t=>[t,t.scrollTop]),e.remove()}function Xn({place:n,panel:e,scrolled:t}){
n.append(e.element);for(let[r,s]of t)r.scrollTop=s}var ne=class{constructor(e){this.page=e;let t=(r,s)=>b(r,"Copy","Copy to the clipboard",()=>{Yn(s.textContent??"").then(i=>e.tell(i))});this.
element=a("div",{class:"code"},a("p",{},"Last edit: ",this.last," ",t("copy_last",this.last)),a("p",{},"The whole plan: ",t("copy_code",this.
whole)),this.whole)}page;element;last=a("code",{"data-role":"last-code"});whole=a("pre",{"data-role":"code",tabindex:0});update(e){if(!e.has(
"plan"))return;let{state:t}=this.page.plan;h(this.last,t.last||"none yet"),h(this.whole,t.code||"plan = Plan()")}destroy=()=>{}};async function Yn(n){
try{return await navigator.clipboard.writeText(n),"Copied."}catch{return"The page may not write to the clipboard: select the text and copy i\
t by hand."}}var ht=1,Oe=16e6,P=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=a("div",{...t,scroll:()=>this.#c()},this.#t),
typeof ResizeObserver<"u"&&(this.#a=new ResizeObserver(()=>this.paint()),this.#a.observe(this.view))}rowHeight;make;fill;view;#t=a("div",{class:"\
pad",role:"presentation"});#e=[];#r=[];#s=0;#n=0;#i=0;#a;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.rowHeight))}get first(){
return this.view.scrollTop*this.#l/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight/this.#l}get#l(){let e=this.#s*this.rowHeight,
{clientHeight:t}=this.view;return e<=Oe?1:(e-t)/(Oe-t)}show(e,t=-1,r=0){this.#s=e,this.#t.style.height=`${Math.min(Oe,e*this.rowHeight)}px`,
this.#r.fill(-1),t>=0&&this.#o(t,r),this.paint()}paint(){let e=this.page+1+2*ht,t=Math.max(0,Math.floor(this.first)-ht),r=this.view.scrollTop*
(1-this.#l);r!==this.#i&&this.#r.fill(-1),this.#i=r;let s=Math.min(this.#s,t+e);this.#d(Math.min(this.#s,e));let i=this.#e.length,o=new Set;
for(let l=t;l<s;l++){let d=l%i;o.add(d),this.#r[d]!==l&&(this.#r[d]=l,this.#e[d].hidden=!1,this.#e[d].style.transform=`translateY(${l*this.rowHeight+
r}px)`,this.fill(this.#e[d],l))}this.#e.forEach((l,d)=>{o.has(d)||(l.hidden=!0,this.#r[d]=-1)})}elementOf(e){let t=this.#r.indexOf(e);return t<
0?void 0:this.#e[t]}destroy(){this.#a?.disconnect(),cancelAnimationFrame(this.#n)}#o(e,t){let r=this.view.clientHeight/this.rowHeight;e<this.
first+t?this.jumpTo(Math.max(0,e-t)):r>0&&e+1>this.first+r&&this.jumpTo(e+1-r)}#d(e){if(!(e<=this.#e.length)){for(;this.#e.length<e;){let t=this.
make(this.#e.length);this.#e.push(t),this.#t.append(t)}this.#r=this.#e.map(()=>-1)}}#c(){cancelAnimationFrame(this.#n),this.#n=requestAnimationFrame(
()=>this.paint())}};var Le=["visit","again","barred","leave","take"],Ie=[];function*Ne(n,e){let t=[],r=new Uint8Array(n.tree.size);for(let s of n.starts){let i=[
s];for(;i.length>0;){let o=Zn(n,e,r,i.pop());for(let l of o.pushed)i.push(l);o.finds&&t.push(o.node),yield o}}for(;t.length>0;)yield{node:t.
pop(),act:"take",produces:!0,finds:!1,pushed:Ie}}function Zn(n,e,t,r){let s={produces:!1,finds:!1,pushed:Ie};if(r<0)return{...s,node:~r,act:"\
leave",produces:n.handles.has(~r)};if(t[r])return{...s,node:r,act:"again"};let i=e==="modules"||e==="rightToLeft";if(!i&&n.barred.has(r))return{
...s,node:r,act:"barred"};t[r]=1;let o=He(n.tree,r);if(e!=="rightToLeft"&&o.reverse(),e==="wrapper")return{...s,node:r,act:"visit",pushed:[~r,
...o]};let l=n.handles.has(r);return{node:r,act:"visit",produces:i||e==="handles"&&l,finds:e==="composable"&&l,pushed:o}}function He(n,e){let t=[];
for(let s=e+1;s<n.end[e];s=n.end[s])t.push(s);let r=(n.refsOf.get(e)??Ie).filter(s=>n.refs[s][3]==="shared");for(let s of r)t.splice(Qn(n,s,
t.length),0,n.refs[s][2]);return t}function Qn(n,e,t){return Math.min(t,n.refs[e][4]??t)}function ut(n,e){let t=new _e(e),r=[...n.starts].reverse();
t.begin(r.pop());for(let s of Ne(n,e))t.take(s),t.idle&&t.begin(r.pop());return t.end()}function mt(n,e,t){let r=[];for(let s=n.top[e];s>=0&&
r.length<t;s=n.below[s])r.push(n.entry[s]);return r}var _e=class{constructor(e){this.kind=e}kind;node=new y;act=new y;top=new y;depth=new y;done=new y;listed=new y;produced=new y;found=new y;stack=new Ae;reversing=-1;get idle(){
return this.stack.depth===0}begin(e){e!==void 0&&this.stack.push(e)}take(e){e.act==="take"&&this.reversing<0&&this.reverse(),this.mark(),this.
node.push(e.node),this.act.push(Le.indexOf(e.act)),this.stack.pop();for(let t of e.pushed)this.stack.push(t);e.finds&&this.found.push(e.node),
e.produces&&this.produced.push(e.node)}end(){this.mark();let e=this.node.size;return{kind:this.kind,steps:e,reversing:this.reversing<0?e:this.
reversing,node:this.node.array(),act:Uint8Array.from(this.act.array()),top:this.top.array(),depth:this.depth.array(),done:this.done.array(),
listed:this.listed.array(),entry:this.stack.entry.array(),below:this.stack.below.array(),produced:this.produced.array(),found:this.found.array()}}reverse(){
this.reversing=this.node.size;for(let e=0;e<this.found.size;e++)this.stack.push(this.found.at(e))}mark(){this.top.push(this.stack.top),this.
depth.push(this.stack.depth),this.done.push(this.produced.size),this.listed.push(this.found.size)}},Ae=class{entry=new y;below=new y;top=-1;depth=0;push(e){
this.entry.push(e),this.below.push(this.top),this.top=this.entry.size-1,this.depth++}pop(){this.top=this.below.at(this.top),this.depth--}},y=class{size=0;values=new Int32Array(
256);push(e){if(this.size===this.values.length){let t=new Int32Array(2*this.size);t.set(this.values),this.values=t}this.values[this.size++]=
e}at=e=>this.values[e];array=()=>this.values.slice(0,this.size)};var ze=[{key:"init_composable",sign:"I₁",label:"I₁ composable init"},{key:"init_wrapper",sign:"I₂",label:"I₂ wrapper init"},{key:"ha\
ndles",sign:"H",label:"H get_handles"},{key:"forward",sign:"X→",label:"X→ gathered in the forward pass"},{key:"backward",sign:"X←",label:"\
X← gathered in the backward pass"},{key:"modules",sign:"#",label:"# modules(), left to right"},{key:"rightToLeft",sign:"#R",label:"#R righ\
t to left"}],Ue=n=>ze.find(e=>e.key===n),ft=n=>Object.keys(n.state.orders).filter(e=>e.startsWith("handles:")).map(e=>e.slice(8));function gt(n,e,t,r,s=""){
if(n==="modules"||n==="rightToLeft")return er(e,n);let i=new Map(t.state.units.map(l=>[l.fqns[0],l.index])),o=l=>i.get(l)??k(e,l);return n===
"forward"||n==="backward"?tr(r,n==="forward"?"F":"B").map(o).filter(l=>l>=0):(t.state.orders[s?`${n}:${s}`:n]??[]).map(o)}function er(n,e){return[
...Ne({tree:n,handles:new Set,barred:new Set,starts:[0]},e)].filter(r=>r.produces).map(r=>r.node)}function tr(n,e){let{events:t=[]}=n,r=t.filter(
([s,i])=>s===e&&i==="U").map(([,,s])=>s);return[...new Set(r)]}var O=class{constructor(e,t){this.content=e;this.turned=t;this.element=a("div",{},e),this.observer=new ResizeObserver(()=>this.look()),this.
observer.observe(this.element)}content;turned;element;observer;shown=!1;destroy=()=>this.observer.disconnect();look(){let e=this.element.clientWidth>
0;e!==this.shown&&(this.shown=e,e?this.element.append(this.content):this.content.remove(),this.turned(e))}};var _=class{constructor(e){this.root=e;this.probe.hidden=!0}root;known=new Map;probe=document.createElement("i");of(e){let t=this.known.get(
e);if(t)return t;this.root.append(this.probe),this.probe.style.color=e;let r=getComputedStyle(this.probe).color;return this.probe.remove(),this.
known.set(e,r),r}forget=()=>this.known.clear()};function H(n,e,t){let r=devicePixelRatio||1,[s,i]=[Math.max(1,Math.round(e*r)),Math.max(1,Math.
round(t*r))];(n.width!==s||n.height!==i)&&([n.width,n.height]=[s,i]),Object.assign(n.style,{width:`${e}px`,height:`${t}px`});let o=n.getContext(
"2d");return o.setTransform(r,0,0,r,0,0),o.clearRect(0,0,e,t),o}function Be(n,e){let t=bt(n,e),r=Math.max(n.length,e.length),s=0;for(let i=0;i<r;i++)n[i]!==e[i]&&s++;return{left:n,right:e,rightOf:t,leftOf:bt(
e,n),places:r,differ:s,crossings:nr(t,e.length)}}function bt(n,e){let t=new Map(e.map((r,s)=>[r,s]));return Int32Array.from(n,r=>t.get(r)??-1)}
function nr(n,e){let t=new Int32Array(e+1),r=0,s=0;for(let i of n){if(i<0)continue;let o=0;for(let l=i+1;l>0;l-=l&-l)o+=t[l];r+=s++-o;for(let l=i+
1;l<=e;l+=l&-l)t[l]++}return r}function vt({rightOf:n,leftOf:e},t,r){let s=new Map;for(let i=Math.max(0,t);i<r;i++)i<n.length&&n[i]>=0&&s.set(
i,{from:i,to:n[i]}),i<e.length&&e[i]>=0&&s.set(e[i],{from:e[i],to:i});return[...s.values()].sort((i,o)=>i.from-o.from)}function wt(n,e,{places:t,
differ:r,crossings:s}){let i=`${n} vs ${e}: ${r.toLocaleString("en")} of ${t.toLocaleString("en")} differ`;return s?`${i}, ${s.toLocaleString(
"en")} crossing${s===1?"":"s"}`:i}var W=22,rr=12,sr=Be([],[]),re=class{constructor(e){this.page=e;this.palette=new _(e.root);let t={class:"compare-rows",role:"grid",tabindex:0,
"aria-label":"Two orders side by side"};this.list=new P(W,t,or,(i,o)=>this.fill(i,o));let{view:r}=this.list;r.append(this.canvas),r.addEventListener(
"scroll",()=>this.drawSoon()),r.addEventListener("click",i=>this.click(i)),r.addEventListener("keydown",i=>this.press(i));let s=a("div",{class:"\
compare","data-role":"compare"},a("div",{class:"bar"},this.left,a("span",{},"vs"),this.right,this.root,this.title),a("p",{class:"note"},"Box\
ed places differ; lines join the two places of one module. Arrows move, Enter shows the module in the tree."),r);this.curtain=new O(s,i=>i&&
this.repaint()),this.element=this.curtain.element}page;element;curtain;left=this.chooser("left","init_composable");right=this.chooser("right",
"init_wrapper");root=a("select",{"data-role":"compare-root","aria-label":"Local root",change:()=>this.pair()});title=a("b",{"data-role":"com\
pare-note"});list;canvas=a("canvas",{class:"connectors","aria-hidden":"true"});pairing=sr;at={place:0,side:0};frame=0;palette;update(e){e.has(
"theme")&&this.palette.forget(),["tree","plan","run"].some(t=>e.has(t))?this.pair():(e.has("theme")||e.has("size"))&&this.repaint()}destroy(){
cancelAnimationFrame(this.frame),this.curtain.destroy(),this.list.destroy()}chooser(e,t){let r=ze.map(({key:s,label:i})=>a("option",{value:s,
...s===t?{selected:""}:{}},i));return a("select",{"data-role":`compare-${e}`,"aria-label":`Order on the ${e}`,change:()=>this.pair()},...r)}pair(){
let{tree:e,plan:t,run:r}=this.page;this.offerRoots();let s=l=>gt(l.value,e,t,r,this.root.value);this.pairing=Be(s(this.left),s(this.right));
let[i,o]=[Ue(this.left.value).sign,Ue(this.right.value).sign];h(this.title,this.pairing.places?wt(i,o,this.pairing):"Neither order exists ye\
t: mark a module, or run the plan."),this.at={place:Math.min(this.at.place,Math.max(0,this.pairing.places-1)),side:this.at.side},this.repaint()}offerRoots(){
let e=ft(this.page.plan),t=this.root.value;this.root.replaceChildren(a("option",{value:""},"from the root"),...e.slice(0,50).map(r=>a("optio\
n",{value:r},`from ${r}`))),this.root.value=e.includes(t)?t:"",this.root.hidden=e.length===0}repaint(){let{places:e}=this.pairing;this.list.
view.style.height=`${Math.min(Math.max(e,1),rr)*W}px`,u(this.list.view,{"aria-rowcount":e}),this.list.show(e),this.point(),this.drawSoon()}fill(e,t){
let[r,s,i]=e.children;h(r,String(t)),u(e,{"aria-rowindex":t+1,"data-place":t});let o=this.pairing.left[t]!==this.pairing.right[t];this.fillCell(
s,t,0,o),this.fillCell(i,t,1,o)}fillCell(e,t,r,s){let i=(r?this.pairing.right:this.pairing.left)[t],o=i===void 0?-1:(r?this.pairing.leftOf:this.
pairing.rightOf)[t],l=i===void 0?"":S(this.page.tree,i)||"(root)";h(e,l),u(e,{"data-node":i??null,"data-differs":s&&i!==void 0?"1":null,"dat\
a-now":this.at.place===t&&this.at.side===r?"1":null,title:l||null,"aria-label":i===void 0?"nothing":`${l}, place ${t}${s?`, on the other sid\
e ${o<0?"missing":`place ${o}`}`:", the same on both sides"}`})}click(e){let t=e.target.closest("[data-side]"),r=t?.closest("[data-place]");
!t||!r||(this.move(Number(r.dataset.place),Number(t.dataset.side)),t.dataset.node!==void 0&&this.page.reveal(Number(t.dataset.node)))}press(e){
let{place:t,side:r}=this.at,s=this.list.page-1,i={ArrowDown:1,ArrowUp:-1,PageDown:s,PageUp:-s,Home:-t,End:this.pairing.places};if(e.key in i)
this.move(t+i[e.key],r);else if(e.key==="ArrowLeft"||e.key==="ArrowRight")this.move(t,e.key==="ArrowLeft"?0:1);else if(e.key==="Enter")this.
enter();else return;e.preventDefault()}enter(){let e=(this.at.side?this.pairing.right:this.pairing.left)[this.at.place];e!==void 0&&this.page.
reveal(e)}move(e,t){this.at={place:Math.max(0,Math.min(this.pairing.places-1,e)),side:t},this.list.show(this.pairing.places,this.at.place),this.
point(),this.drawSoon()}point(){let e=this.list.elementOf(this.at.place);u(this.list.view,{"aria-activedescendant":e?.children[1+this.at.side].
id??null})}drawSoon(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())}draw(){let{view:e}=this.list,t=e.querySelector(
"[data-place]:not([hidden])");if(!t||e.clientHeight===0)return;let[r,s]=[t.children[1],t.children[2]],i=r.offsetLeft+r.offsetWidth,o=s.offsetLeft-
i,l=e.clientHeight;Object.assign(this.canvas.style,{left:`${i}px`,top:`${e.scrollTop}px`}),this.drawLines(H(this.canvas,o,l),o,e.scrollTop,l)}drawLines(e,t,r,s){
let[i,o,l]=["--soft","--replicate","--ring"].map(p=>this.palette.of(`var(${p})`)),d=p=>(p+.5)*W-r,c=Math.floor(r/W);for(let{from:p,to:m}of vt(
this.pairing,c,Math.ceil((r+s)/W))){let f=(this.at.side?m:p)===this.at.place;e.strokeStyle=f?l:p===m?i:o,e.lineWidth=f?2.5:p===m?1:1.5,e.beginPath(),
e.moveTo(0,d(p)),e.lineTo(t,d(m)),e.stroke()}}},ir=0;function or(){let n=e=>a("span",{role:"gridcell","data-side":e,id:`compare-cell-${ir++}`});
return a("div",{class:"compare-row",role:"row"},a("span",{role:"rowheader"}),n(0),n(1))}var yt='.compare select{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:4px;padding:2px 4px;m\
ax-width:100%}.compare p{margin:4px 0}.compare-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable;border:1px solid \
var(--line);border-radius:4px}.compare-row{position:absolute;left:0;right:0;height:22px;line-height:20px;display:grid;column-gap:8px;padding\
-right:8px;grid-template-columns:36px minmax(0,1fr) clamp(32px,16cqw,160px) minmax(0,1fr);font-family:var(--mono);font-size:12px}.compare-ro\
w>:first-child{color:var(--soft);text-align:right}.compare-row [data-side]{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding\
:0 4px;margin:1px 0;cursor:pointer;border-radius:3px}.compare-row [data-side="1"]{grid-column:4}.compare-row [data-now]{background:var(--cho\
sen)}.compare-rows:focus .compare-row [data-now]{outline:2px solid var(--ring);outline-offset:-2px}.connectors{position:absolute;pointer-eve\
nts:none}';var xt='.bar{display:flex;flex-wrap:wrap;gap:5px;align-items:center}.gap{width:8px}button,input{font:inherit;color:inherit;background:var(--\
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
e!important}}';var kt=["B","KiB","MiB","GiB","TiB","PiB"];function g(n){let e=0,t=n;for(;t>=1023.95&&e<kt.length-1;)t/=1024,e++;return e===0?`${v(n)} B`:`${t.
toFixed(1)} ${kt[e]}`}var se=n=>n<1024?`${v(n)} bytes`:`${g(n)} (${v(n)} bytes)`,v=n=>n.toLocaleString("en"),j=n=>n===0?"0 %":n<5e-4?"<0.1 %":
`${(100*n).toFixed(1)} %`;function Tt(n,e,t){return n===e?"±0":e>n?`+${t(e-n)}`:`−${t(n-e)}`}var We=[["flat","This project's engine"],["torch","torch's FSDP2"],["ddp","torch's DistributedDataParallel"],["fsdp1","torch's FullyShardedD\
ataParallel"]],je=({phase:n})=>n==="starting"||n==="running";function $t(n){let{phase:e,doing:t,done:r,total:s,nprocs:i,backend:o,devices:l,
seconds:d}=n;return je(n)?`${t}: ${v(r)} of ${v(s)}`:e==="done"?`Done in ${d.toFixed(1)} s on ${i} workers over ${o} (${l}).`:e==="stopped"?
"Stopped.":"Failed."}var Fe=n=>e=>{let[,t,r]=e.collectives.find(([s])=>s===n)??[n,0,0];return e.outcome!=="ran"?"-":t?`${v(t)}, ${g(r)}`:"0"},
Rt=[{title:"engine",hint:"What trained; none is the unsharded model",text:n=>n.engine,left:!0},{title:"loss apart",hint:"Largest distance of\
 any rank's loss in any step from the unsharded model's",text:dr},{title:"step time",hint:"As a multiple of the first engine's: median of th\
e rounds, and their middle half",text:cr,left:!0},{title:"peak a rank",hint:"Most bytes of tensors alive in a step, on the rank that holds m\
ost",text:pr},{title:"all-gathers",hint:"In a step, with the bytes they fill",text:Fe("all_gather")},{title:"reduce-scatters",hint:"In a ste\
p, with the bytes they read",text:Fe("reduce_scatter")},{title:"all-reduces",hint:"In a step, with the bytes they average",text:Fe("all_redu\
ce")},{title:"",hint:"What the numbers do not say",text:hr,left:!0}];function dr({engine:n,outcome:e,loss_difference:t}){return e!=="ran"?e:
n==="none"?"reference":t===null?"-":t===0?"0":t.toExponential(1)}function cr({ratio:n}){return n===null?"-":`${n[0].toFixed(2)} (${n[1].toFixed(
2)}-${n[2].toFixed(2)})`}function pr({peak_nbytes:n}){return n.length?g(Math.max(...n)):"-"}function hr({why:n,remarks:e}){return[n,...e].filter(
t=>t).join("; ")}var w=(n,e,t)=>({title:n,hint:e,text:r=>t(r)?g(t(r)):"0"}),A=(n,e,t)=>({title:n,hint:e,text:r=>v(t(r))}),$=(n,e,t)=>({title:n,hint:e,text:t,
left:!0});function ur(n){return n.map(([e,t,r])=>{let s=e+Math.floor((t-1-e)/r)*r;return s===e?`u${e}`:`u${e}–${s}${r>1?` by ${r}`:""}`}).
join(", ")}var St=[$("unit","Number of the unit, or of all units that cost the same",n=>ur(n.runs)),$("first module","Its module, or that of\
 the first of them",n=>n.fqn||"(root)"),A("×","How many units cost the same",n=>n.times),A("elements","Parameters of one of them",n=>n.numel),
$("held","How its parameters are held, over how many ranks",mr),w("whole","Bytes of its parameters while they are gathered",n=>n.unsharded_nbytes),
w("a rank","Bytes that a rank keeps between steps",n=>n.shard_nbytes),{title:"waste",hint:"Padding, as a share of the parameters",text:n=>j(
n.waste)},A("empty","Ranks that keep nothing of it",n=>n.empty_ranks),w("gathered","Bytes of one all-gather",n=>n.all_gather_nbytes),w("redu\
ced","Bytes of one reduce-scatter",n=>n.reduce_scatter_nbytes),w("averaged","Bytes of one all-reduce",n=>n.all_reduce_nbytes),A("calls","Col\
lectives of one of them in a step",n=>n.collectives),w("sent","Bytes a rank sends for one of them in a step, if the ring is used",n=>n.sent_nbytes),
$("after forward","Whether it frees what it gathered after its forward, and why",n=>`${n.frees_after_forward?"frees":"keeps"}: ${n.reason}`)];
function mr(n){let e=n.num_copies>1&&n.num_shards>1?` ×${n.num_copies}`:"";return n.num_shards>1?`${n.in_effect} /${n.num_shards}${e}`:n.in_effect}
var Mt=[$("ranks","Ranks that keep the same",({ranks:[n,e]})=>n===e?`${n}`:`${n}–${e}`),w("parameters","Bytes of parameters between steps",
n=>n.parameters),w("padding","Of them, padding",n=>n.padding),w("gradients","Bytes of gradients",n=>n.gradients),w("optimizer","Bytes of the\
 optimizer's states",n=>Object.values(n.optimizer).reduce((e,t)=>e+t,0)),w("buffers","Bytes of buffers",n=>n.buffers),w("buckets","Bytes of \
replicate groups' buckets",n=>n.buckets),w("offloaded","Bytes kept on the CPU instead",n=>n.offloaded),w("total","All of it",n=>n.total)],Et=[
$("collective","What the ranks do together",n=>n.kind.replaceAll("_","-")),$("phase","When",n=>n.phase),A("a step","How many in a step",n=>n.
count),w("bytes","Of all of them together, whole buffers",n=>n.nbytes),w("largest","Of the largest one",n=>n.largest_nbytes),A("small","How \
many carry less than 1 MiB",n=>n.small),w("sent","Bytes a rank sends, if the ring is used",n=>n.sent_nbytes)],Ct=[$("replicate group","The r\
eplicated module",n=>n.fqn||"(root)"),A("elements","Its parameters",n=>n.numel),w("a rank","Bytes that every rank keeps",n=>n.nbytes),$("buc\
kets","All-reduces of its gradients in a step",n=>n.buckets.map(g).join(", ")||"none")],Pt=(n,e)=>n.map(({title:t,text:r})=>`${t} ${r(e)}`).
join(", ");function De({world_size:n,mesh_shape:e,optimizer:t,engine:r,strategy:s,mixed_precision:i,accumulation_steps:o}){let l=`${v(n)} ra\
nk${n===1?"":"s"}${e.length>1?` as ${e.join(" × ")}`:""}`,d=o>1?`, ${o} forwards and backwards a step`:"";return`${l}, ${s??"each unit's ow\
n strategy"}, ${Ke(i)}, ${t}, ${r} engine${d}`}function Ke(n){if(n===null)return"each unit's own precision";let{param_dtype:e,reduce_dtype:t,
...r}=n;return[...[e??"parameters as they are",t&&t!==e?`reduced in ${t}`:""].filter(Boolean),...Object.entries(r).map(([i,o])=>`${i} ${o}`)].
join(", ")}function Ot(n){let e=n.trim().split(/\s*[x×*,]\s*|\s+/),t=e.map(Number);return e.length<=2&&e[0]!==""&&t.every(r=>Number.isInteger(
r)&&r>=1)?t:`${JSON.stringify(n)} is no mesh: give the number of ranks (8), or replicate x shard (2x4)`}var _t=20,fr=400,gr=52,At="  ",br=0,R=class{constructor(e,t,r,s,i){this.columns=r;this.seen=s;this.enter=i;let o={class:"table-rows",role:"l\
istbox",tabindex:0,"aria-label":t},l=br++;this.list=new P(_t,o,d=>a("div",{class:"table-row",role:"option",id:`table-${l}-${d}`}),(d,c)=>this.
fill(d,c)),this.list.view.prepend(this.head),this.list.view.addEventListener("click",d=>this.click(d)),this.list.view.addEventListener("keyd\
own",d=>this.press(d)),u(this.head,{title:r.map(({title:d,hint:c})=>`${d}: ${c}`).join(`
`)}),this.element=a("div",{class:"table","data-role":e},this.list.view)}columns;seen;enter;element;list;head=a("div",{class:"table-head","ar\
ia-hidden":"true"});rows=[];widths=[];at=0;show(e){this.rows=e,this.widths=this.columns.map(t=>this.widthOf(t)),h(this.head,this.line(t=>t.title)),
this.at=Math.min(this.at,Math.max(0,e.length-1)),this.list.view.style.height=`${(Math.min(e.length,this.seen)+1)*_t+14}px`,this.list.view.style.
setProperty("--table-width",`${this.widths.reduce((t,r)=>t+r+At.length,0)}ch`),this.move(this.at)}repaint=()=>this.move(this.at);destroy=()=>this.
list.destroy();widthOf(e){let t=[...this.rows.slice(0,fr),...this.rows.slice(-1)];return Math.min(gr,t.reduce((r,s)=>Math.max(r,e.text(s).length),
e.title.length))}line(e){return this.columns.map((t,r)=>{let s=this.widths[r],i=e(t),o=i.length>s?`${i.slice(0,s-1)}…`:i;return t.left?o.padEnd(
s):o.padStart(s)}).join(At).trimEnd()}fill(e,t){let r=this.rows[t],s=Pt(this.columns,r);h(e,this.line(i=>i.text(r))),u(e,{"data-row":t,title:s,
"aria-posinset":t+1,"aria-setsize":this.rows.length,"aria-selected":t===this.at})}click(e){let t=e.target.closest("[data-row]");t&&(this.move(
Number(t.dataset.row)),this.enter?.(this.rows[this.at]))}press(e){let t=Math.max(1,this.seen-1),r={ArrowDown:1,ArrowUp:-1,PageDown:t,PageUp:-t,
Home:-this.rows.length,End:this.rows.length};if(e.key in r)this.move(this.at+r[e.key]);else if(e.key==="Enter"&&this.rows.length)this.enter?.(
this.rows[this.at]);else return;e.preventDefault()}move(e){this.at=Math.max(0,Math.min(this.rows.length-1,e)),this.list.show(this.rows.length,
this.at),u(this.list.view,{"aria-activedescendant":this.list.elementOf(this.at)?.id??null})}};var ie=class{constructor(e){this.page=e;let t=this.#r.map((s,i)=>a("label",{},s,` ${We[i][0]}`)),r=a("div",{class:"bar"},a("label",{},"worke\
rs ",this.#t),a("label",{},"steps ",this.#e),...t,this.#s,this.#n,this.#i,this.#a);this.element=a("div",{class:"engines","data-role":"engine\
s"},r,this.#l,this.#o.element),this.#p()}page;element;#t=a("input",{type:"number",min:1,max:64,value:2,"data-role":"engines-nprocs"});#e=a("\
input",{type:"number",min:1,max:1e5,value:5,"data-role":"engines-steps"});#r=We.map(([e,t],r)=>a("input",{type:"checkbox","data-engine":e,title:t,
...r<2?{checked:""}:{}}));#s=b("compare","Compare","Train this plan on each engine, beside the unsharded model",()=>{this.#c()});#n=b("stop_\
compare","■ Stop","End the workers",()=>{this.page.command("stop")});#i=a("progress",{max:1,value:0,"data-role":"engines-progress","aria-l\
abel":"Progress of the comparison"});#a=a("span",{"data-role":"engines-phase","aria-live":"polite"});#l=a("div",{class:"error","data-role":"\
engines-error",role:"alert"});#o=new R("engines-table","Engines side by side",Rt,6);#d=!1;update(e){(e.has("comparison")||e.has("size"))&&this.#p()}destroy(){
this.#o.destroy()}async#c(){this.#d=!0,this.#p();let e=this.#r.filter(({checked:t})=>t).map(t=>t.dataset.engine);await this.page.command("co\
mpare",{nprocs:Number(this.#t.value),steps:Number(this.#e.value),engines:e}),this.#d=!1,this.#p()}#p(){let e=this.page.trait("comparison"),t=e!==
null&&je(e);this.#s.disabled=t||this.#d,this.#n.disabled=!t,this.#i.hidden=!t,this.#l.hidden=!e?.error,this.#o.element.hidden=!e?.rows.length,
h(this.#a,e?$t(e):"Not compared yet."),e&&(u(this.#i,{max:e.total||1,value:e.done}),e.error&&this.#l.replaceChildren(a("b",{},e.error.title),
a("pre",{},e.error.detail)),e.rows.length&&this.#o.show(e.rows))}};function z(n){let e=new RegExp(`^(?:${n.split(".").map(Nt).join("\\.")})$`,"s");return t=>e.test(t)}function It(n){return n.split(".").map(e=>{
if(e==="**")return null;let t=new RegExp(`^(?:${Nt(e)})$`,"s"),r=new Map;return s=>{let i=r.get(s)??t.test(s);return r.set(s,i),i}})}function Nt(n){
return n.replace(/\*\*|\*|\?|\[([^\]][^\]]*)\]|[\s\S]/g,(e,t)=>t!==void 0?`[${t.replace(/[\\\]^-]/g,"\\$&")}]`:{"**":".*","*":"[^.]*","?":"[\
^.]"}[e]??e.replace(/[\\^$.*+?()[\]{}|/]/g,"\\$&"))}function Ht(n,e,t){let r=new Int32Array(n.size);r[0]=zt(e,1);let s=1<<e.length;for(let i=!0;i;){
i=!1;for(let o=1;o<n.size;o++)r[o]|=Lt(e,r[n.parent[o]],n.names[o]);for(let[o,l,d,c]of n.refs){let p=c==="shared"?Lt(e,r[o],l):0;(p|r[d])!==
r[d]&&(i=!0),r[d]|=p}}for(let i=1;i<n.size;i++)r[i]&s&&(t[i]=1)}function Lt(n,e,t){if(e===0)return 0;let r=0;for(let s=0;s<n.length;s++){if(!(e&
1<<s))continue;let i=n[s];i===null?r|=1<<s|(s===n.length-1?1<<s+1:0):i(t)&&(r|=1<<s+1)}return zt(n,r)}function zt(n,e){for(let t=0;t<n.length-
1;t++)n[t]===null&&e&1<<t&&(e|=1<<t+1);return e}var L=class extends Error{constructor(t,r){super(t?`${t}: ${r}`:r);this.part=t}part},Ut=["name","type","unit","status","finding","conflict"],
vr=["tied","frozen","shared"],wr={"":1,K:1e3,M:1e6,B:1e9,T:1e12},yr=["unmanaged","fully_shard","in_unit","replicate","replicated","ignored",
"in_ignored"],jt=/(\[[^\]]+\])/,xr=/\s*(>=|<=|>|<|=)\s*/g,kr=/(?:\[[^\]]+\]|[^,\s])+|,/g,Dt=/^([^<>=]*)(>=|<=|>|<|=)(\d+(?:\.\d+)?)([KMBT]?)$/i;
function Tr(n){let e=n.split(jt).map((r,s)=>s%2?r:r.replace(xr,"$1")).join(""),t=[[]];for(let r of e.match(kr)??[])r!==","?t[t.length-1].push(
$r(r)):t.push([]);if(t.length===1&&t[0].length===0)throw new L("","it says nothing");if(t.some(r=>r.length===0))throw new L("","an alternati\
ve is empty");return t}function $r(n){let e=n.startsWith("!"),t=e?n.slice(1):n,r=t.split(jt).filter((l,d)=>d%2===0).join("");if(vr.includes(
t))return{kind:t,text:"",negated:e};if(/[<>=]/.test(r)){let l=Dt.exec(t);if(!l||!["params","own"].includes(l[1]))throw new L(n,"a comparison\
 is params or own, a sign, and a number such as 10M");return{kind:l[1],text:t.slice(l[1].length),negated:e}}let s=r.includes(":")?t.indexOf(
":"):-1,i=s<0?"name":t.slice(0,s),o=t.slice(s+1);if(!Ut.includes(i))throw new L(n,`no such kind; known are ${Ut.join(", ")}`);if(!o||o.startsWith(
"!"))throw new L(n,"something is missing");return{kind:i,text:o,negated:e}}function Kt(n,e,t){let r=new Uint8Array(n.size);for(let i of Tr(t)){
let o=new Uint8Array(n.size).fill(1);for(let l of i){let d=new Uint8Array(n.size);Rr[l.kind](n,e,l.text,d);for(let c=0;c<n.size;c++)d[c]===(l.
negated?1:0)&&(o[c]=0)}for(let l=0;l<n.size;l++)r[l]|=o[l]}let s=[];for(let i=0;i<n.size;i++)r[i]&&s.push(i);return s}var oe=n=>(e,t,r,s)=>{
let i=e.classes.map((o,l)=>n(e,l,r));for(let o=0;o<e.size;o++)s[o]=Number(i[e.cls[o]])},Bt=n=>(e,{state:t},r,s)=>{let i=z(r);for(let{kind:o,
indices:l}of t[n])if(i(o))for(let d of l)s[d]=1},Ft=n=>oe((e,t)=>e.classes[t][1].some(([,,,r])=>!r.includes("b")&&n.test(r))),Rr={name:(n,e,t,r)=>{
let s=t==="."?0:k(n,t);s>=0?r[s]=1:Ht(n,It(t),r)},type:oe((n,e,t)=>{let[r]=n.classes[e];return z(t)(r)||z(t)(r.slice(r.lastIndexOf(".")+1))}),
unit:(n,e,t,r)=>{let s=z(/^\d+$/.test(t)?`u${t}`:t),i=e.state.units.map(({n:o})=>s(`u${o}`));for(let o=0;o<n.size;o++)r[o]=Number(e.unitOf[o]>=
0&&i[e.unitOf[o]])},status:(n,e,t,r)=>{let s=z(t),i=yr.map((o,l)=>t===M[l]||s(o));for(let o=0;o<n.size;o++)r[o]=Number(i[e.status[o]])},finding:Bt(
"findings"),conflict:Bt("conflicts"),params:oe((n,e,t)=>Wt(n.total[e],t)),own:oe((n,e,t)=>Wt(n.own[e],t)),tied:Ft(/[ts]/),frozen:Ft(/f/),shared:(n,e,t,r)=>{
for(let[,,s,i]of n.refs)i==="shared"&&(r[s]=1)}};function Wt(n,e){let[,,t,r,s]=Dt.exec(e),i=Number(r)*wr[s.toUpperCase()];return{">=":n>=i,"\
<=":n<=i,">":n>i,"<":n<i,"=":n===i}[t]}var Sr="find or select: layers.*  type:Block  params>10M  unit:u7  tied  finding:*",ae=class{constructor(e){this.page=e;for(let t of this.#s)
t.dataset.cmd=`found_${t.dataset.cmd}`;this.element=a("div",{class:"finder",role:"search"},this.#t,...this.#r,this.#e,a("span",{class:"bar"},
...this.#s)),this.#a("",0)}page;element;#t=a("input",{type:"search","data-role":"find",placeholder:Sr,"aria-label":"Find or select modules",
spellcheck:"false",title:"Blanks mean and, commas or, ! not; * stays between dots, ** crosses them. Enter: next find; Escape: back to the tr\
ee. Key: /",input:()=>this.#i(),keydown:e=>this.#d(e)});#e=a("span",{"data-role":"found",role:"status"});#r=[b("find_prev","↑","Previous f\
ind (Shift+Enter)",()=>this.#o(-1)),b("find_next","↓","Next find (Enter)",()=>this.#o(1))];#s=pt.map(e=>Pe(e,"",`${Mr[e]} all that was fou\
nd`,()=>this.#l(e)));#n="";update(e){this.#t.value&&(e.has("plan")||e.has("tree"))&&this.#i()}destroy=()=>{};#i(){let e=this.#t.value.trim(),
t=[],r="";this.#n="";try{e&&(t=Kt(this.page.tree,this.page.plan,e)),this.#n=t.length?e:"",e&&!t.length&&(t=Er(this.page,e)),r=e&&(t.length?`${t.
length.toLocaleString("en")} module${t.length===1?"":"s"}${this.#n?"":" with that in the name"}`:"nothing found")}catch(s){r=s.message}this.
page.find(t),this.#a(r,t.length)}#a(e,t){h(this.#e,e),u(this.element,{"data-count":t});for(let r of[...this.#r,...this.#s])r.disabled=t===0}#l(e){
let{hits:t}=this.page;this.page.command("mark",this.#n?{verb:e,selector:this.#n}:{verb:e,indices:J(t)},t)}#o(e){let{hits:t,focused:r}=this.page;
if(!t.length)return;let s=e>0?t.find(i=>i>r):t.findLast(i=>i<r);this.page.reveal(s??t[e>0?0:t.length-1]),this.#t.focus()}#d(e){if(e.key==="E\
nter")this.#o(e.shiftKey?-1:1);else if(e.key==="Escape")this.#t.value="",this.#i(),this.page.focusTree();else return;e.preventDefault()}},Mr={
fully_shard:"Fully shard",replicate:"Replicate",ignore:"Ignore",clear:"Clear"};function Er({tree:n},e){let t=e.toLowerCase(),r=n.classes.map(
([i])=>i.toLowerCase().includes(t)),s=[];for(let i=0;i<n.size;i++)(r[n.cls[i]]||n.names[i].toLowerCase().includes(t))&&s.push(i);return s}var Gt=9,[qt,Vt]=[600,60];function Cr(n){let e=n.reduce((o,[,l])=>o+l,0),t=n.filter(([,o])=>o>0),r=t.length>Gt?t.slice(0,Gt-1):t,s=t.slice(r.
length);return(s.length?[...r,[`${s.length} smaller terms`,s.reduce((o,[,l])=>o+l,0)]]:r).map(([o,l])=>({label:o,nbytes:l,share:l/e}))}function Pr(n,e,t){
let r=n.reduce((l,[,d])=>Math.max(l,d),1),s=e/Math.max(1,n.length-1),i=n.map(([,l],d)=>[d*s,t-l/r*t]),o=i.reduce((l,d)=>d[1]<l[1]?d:l,i[0]??
[0,t]);return{path:i.map(([l,d],c)=>`${c?"L":"M"}${l.toFixed(1)} ${d.toFixed(1)}`).join(""),x:o[0],y:o[1]}}var le=class{headline=a("p",{"dat\
a-role":"peak"});bar=a("div",{class:"stacked",role:"img"});list=a("ol",{class:"terms","data-role":"terms"});line=E("path",{class:"memory"});mark=E(
"circle",{r:4,class:"top"});chart=E("svg",{viewBox:`0 -6 ${qt} ${Vt+6}`,preserveAspectRatio:"none",role:"img"},this.line,this.mark);ends=a("\
small",{class:"note"});element=a("div",{class:"peak"},this.headline,this.bar,this.list,this.chart,this.ends);show({nbytes:e,moment:t,is_estimate:r,
terms:s,timeline:i},o){let l=o===null||o===e?"":` (${Tt(o,e,g)} against the question before)`;h(this.headline,`Peak: ${se(e)} on a rank${r?"\
, an estimate,":""} at ${t}${l}`);let d=Cr(s);this.bar.replaceChildren(...d.map(({share:c},p)=>Or(p,c))),u(this.bar,{"aria-label":`The peak \
is made of ${d.map(({label:c,share:p})=>`${c} ${j(p)}`).join(", ")}`}),this.list.replaceChildren(...d.map(({label:c,nbytes:p,share:m},f)=>a(
"li",{style:Jt(f)},`${g(p)}, ${j(m)}: ${c}`))),this.drawLine(i,t)}drawLine(e,t){let{path:r,x:s,y:i}=Pr(e,qt,Vt);u(this.line,{d:r}),u(this.mark,
{cx:s.toFixed(1),cy:i.toFixed(1)}),u(this.chart,{"aria-label":`Memory over one step, highest at ${t}`});let o=e.length?`Over one step: ${e[0][0]}\
, ${g(e[0][1])} → ${e.at(-1)[0]}, ${g(e.at(-1)[1])}`:"";h(this.ends,o),this.chart.toggleAttribute("hidden",e.length<2)}},Jt=n=>`--shade: ${Math.
max(12,100-11*n)}%`;function Or(n,e){let t=e>.03;return a("span",{style:`${Jt(n)}; flex: ${e.toFixed(5)} 0 0`,...n<4?{"data-dark":"1"}:{}},t?
String(n+1):"")}var _r={strategy:"each unit's own",mixed_precision:"each unit's own"},de=class{constructor(e){this.ask=e;this.number("world_size","ranks",1e6),
this.add("mesh_shape","mesh",a("input",{type:"text",size:7,title:"Ranks, or replicate x shard: 2x4"}));for(let[t,r]of[["strategy","strategy"],
["mixed_precision","precision"],["optimizer","optimizer"],["engine","engine"]])this.add(t,r,a("select"));this.number("accumulation_steps","a\
ccumulate",1e4),this.refusal.hidden=!0}ask;element=a("form",{class:"bar what-if","data-role":"what-if","aria-label":"What if",submit:e=>e.preventDefault()});fields=new Map;costs;refusal=a(
"span",{class:"refusal","data-role":"refusal",role:"alert"});show(e){this.costs=e;let{what_if:t,choices:r}=e;for(let[s,i]of Object.entries(r))
this.offer(s,i);for(let[s,i]of this.fields)i.getAttribute("aria-invalid")==="true"||i.matches(":focus")&&i.dataset.typed==="1"||(i.value=Ir(
s,t[s]))}number(e,t,r){this.add(e,t,a("input",{type:"number",min:1,max:r}))}add(e,t,r){u(r,{"data-field":e}),r.addEventListener("input",()=>r.
dataset.typed="1"),r.addEventListener("change",()=>{this.changed(e,r)}),this.fields.set(e,r),this.element.append(a("label",{},`${t} `,r))}offer(e,t){
let r=this.fields.get(e);!r||r.childElementCount===t.length||r.replaceChildren(...t.map(s=>a("option",{value:JSON.stringify(s)},Nr(e,s))))}async changed(e,t){
delete t.dataset.typed;let r=Lr(e,t.value),s=r instanceof Error?{title:"This cannot be asked",detail:r.message}:await this.ask(Ar(e,r));this.
judge(t,s)}judge(e,t){for(let r of this.fields.values())u(r,{"aria-invalid":null,"aria-describedby":null});if(this.refusal.hidden=t===null,t===
null)return this.costs&&this.show(this.costs);h(this.refusal,`${t.title}: ${t.detail}`),this.refusal.id="what-if-refusal",u(e,{"aria-invalid":"\
true","aria-describedby":this.refusal.id}),e.parentElement.after(this.refusal)}};function Ar(n,e){return n==="world_size"?{world_size:e,mesh_shape:[
e]}:n==="mesh_shape"?{mesh_shape:e,world_size:e.reduce((t,r)=>t*r,1)}:{[n]:e}}function Lr(n,e){if(n==="mesh_shape"){let r=Ot(e);return typeof r==
"string"?new Error(r):r}if(n!=="world_size"&&n!=="accumulation_steps")return JSON.parse(e);let t=Number(e);return e.trim()!==""&&Number.isInteger(
t)?t:new Error(`${JSON.stringify(e)} is no whole number`)}var Ir=(n,e)=>n==="mesh_shape"?e.join("x"):typeof e=="number"?String(e):JSON.stringify(
e),Nr=(n,e)=>e===null?_r[n]??"none":n==="mixed_precision"?Ke(e):String(e);var Ge=8,ce=class{constructor(e){this.page=e;this.parts=[D("Units",this.units.element,!0),D("Ranks, between steps",this.ranks.element),D("Co\
llectives",this.collectives.element),D("Replicate groups",this.groups.element),D("What is assumed and left out",this.notes)];for(let r of this.
parts)r.addEventListener("toggle",()=>this.repaint());let t=a("div",{class:"costs","data-role":"costs"},this.form.element,this.setting,this.
refused,this.totals,this.peak.element,...this.parts);this.curtain=new O(t,r=>r&&this.repaint()),this.element=this.curtain.element}page;element;curtain;form=new de(
e=>this.ask(e));setting=a("p",{class:"note","data-role":"costs-setting"});refused=a("div",{class:"error",role:"alert","data-role":"costs-ref\
used"});totals=a("p",{"data-role":"costs-totals"});peak=new le;units=new R("costs-units","Costs of the units",St,Ge,e=>this.jump(e.fqn));ranks=new R(
"costs-ranks","What each rank keeps between steps",Mt,Ge);collectives=new R("costs-collectives","Collectives of a step",Et,Ge);groups=new R(
"costs-groups","Replicate groups",Ct,4,e=>this.jump(e.fqn));notes=a("ul",{class:"cost-notes","data-role":"costs-notes"});parts;asked=!1;before={
setting:"",peak:null};now={setting:"",peak:null};update(e){let t=this.page.trait("costs");if(t===null)return this.begin();["costs","tree"].some(
r=>e.has(r))&&this.show(t)}destroy(){this.curtain.destroy();for(let e of this.tables)e.destroy()}get tables(){return[this.units,this.ranks,this.
collectives,this.groups]}begin(){h(this.setting,"Asking for the costs of this plan …"),this.sections(!1),!this.asked&&(this.asked=!0,this.
ask({}).then(e=>e&&h(this.setting,`${e.title}: ${e.detail}`)))}async ask(e){let t=await this.page.ask("what_if",e);return t.ok?null:t.error??
{title:"The kernel refused",detail:"It gave no reason."}}show(e){this.form.show(e),h(this.setting,`For ${De(e.what_if)}.`),h(this.refused,e.
refused?`${e.refused.title}: ${e.refused.detail}`:""),this.refused.hidden=!e.refused,this.sections(!e.refused),!e.refused&&(this.remember(e),
h(this.totals,zr(e.totals)),this.peak.show(e.peak,this.before.setting&&this.before.setting!==this.now.setting?this.before.peak:null),this.tabulate(
e))}tabulate(e){this.units.show(e.units),this.ranks.show(e.per_rank),this.collectives.show(e.collectives),this.groups.show(e.groups),this.notes.
replaceChildren(...e.notes.map(([r,s])=>a("li",{},a("b",{},r.replaceAll("_"," ")),` ${s}`)));let t=[e.totals.units??e.units.length,e.what_if.
world_size,e.totals.collectives??0,e.groups.length,e.notes.length];this.parts.forEach((r,s)=>{r.hidden=t[s]===0;let i=r.firstElementChild;h(
i,`${i.dataset.name}: ${v(t[s])}${s===1?Hr(e):""}`)})}remember(e){let t=De(e.what_if),r=e.peak.nbytes??null;t!==this.now.setting&&(this.before=
this.now),this.now={setting:t,peak:r}}sections(e){for(let t of[this.totals,this.peak.element,...this.parts])t.hidden=!e}repaint(){for(let e of this.
tables)e.repaint()}jump(e){let t=k(this.page.tree,e);t>=0&&this.page.reveal(t)}};function D(n,e,t=!1){let r=a("details",{},a("summary",{"dat\
a-name":n},n),e);return u(r,{open:t?"":null}),r}function Hr({per_rank:n,what_if:e}){let t=(n.at(-1)?.ranks[1]??0)+1;return t<e.world_size?`,\
 ${e.world_size/t} copies of these ${t}`:""}function zr(n){let e=n.small_messages?`, ${v(n.small_messages)} of them under 1 MiB`:"";return`A\
 rank keeps ${g(n.shard_nbytes)} of parameters (${g(n.padding_nbytes)} padding); a step has ${v(n.collectives)} collectives${e}, for which a\
 rank sends ${g(n.sent_nbytes)}.`}var Xt='.costs p{margin:4px 0}.costs details{margin:4px 0}.costs summary{cursor:pointer;font-weight:600}.what-if{gap:5px 12px}.what-if selec\
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
utline-offset:-2px}';function Yt(n,e,t){let r=n.total[n.cls[0]];if(!(r>0))return[];let s=e/r,i=[],o=[{node:0,many:1,stride:n.size,level:0,left:0,width:e}];for(;o.
length>0;){let l=o.pop();i.push(l),l.many===1&&l.level+1<t&&o.push(...Br(n,l,s).reverse())}return i}function Br(n,e,t){let r=[],s=e.left+n.own[n.
cls[e.node]]*t,i=e.node+1;for(let[o,l,d]of n.classes[n.cls[e.node]][2]){let c=l===null?1:Number(l)-Number(o)+1,p=n.total[d]*t,m=n.end[i]-i,f=e.
level+1;if(p>=1)for(let x=0;x<c;x++)r.push({node:i+x*m,many:1,stride:m,level:f,left:s+x*p,width:p});else p*c>=1&&r.push({node:i,many:c,stride:m,
level:f,left:s,width:p*c});s+=p*c,i+=m*c}return r}function Zt(n,e,t){let r;for(let s of n)s.level<=t&&e>=s.left&&e<s.left+s.width&&(r=s);return r?
r.node+r.stride*Math.min(r.many-1,Math.floor((e-r.left)/r.width*r.many)):-1}var Qt=28,Ve=3,qe=Qt/Ve,Fr=11,pe=class{constructor(e){this.page=e;this.palette=new _(e.root),this.element.addEventListener("click",t=>this.show(
this.under(t))),this.element.addEventListener("mousemove",t=>u(this.element,{title:this.words(this.under(t))})),this.element.addEventListener(
"keydown",t=>this.press(t))}page;canvas=a("canvas",{"aria-hidden":"true"});element=a("div",{class:"icicle","data-role":"icicle",tabindex:0,role:"\
slider","aria-label":"Parameters by module"},this.canvas);palette;blocks=[];top=0;chosen=0;update(e){e.has("theme")&&this.palette.forget(),(e.
has("tree")||e.has("size"))&&this.measure(),["tree","plan","theme","size","colour","focus"].some(t=>e.has(t))&&this.draw()}destroy=()=>{};measure(){
let e=Yt(this.page.tree,this.element.clientWidth,Ve+8),t=r=>e.filter(s=>s.level===r).length<=1;for(this.top=0;t(this.top)&&e.some(({level:r})=>r>
this.top);)this.top++;this.blocks=e.filter(({level:r})=>r>=this.top&&r<this.top+Ve),this.chosen=Math.min(this.chosen,Math.max(0,this.blocks.
length-1)),this.element.hidden=this.blocks.length===0}draw(){let e=H(this.canvas,this.element.clientWidth,Qt);e.font="700 8px ui-monospace, \
monospace",e.textBaseline="middle",e.textAlign="center";for(let t of this.blocks)this.drawBlock(e,t);this.outline(e),this.announce()}drawBlock(e,t){
let{glyph:r,letter:s}=this.status(t.node),i=this.palette.of(this.page.colourOf(t.node)),o=s===s.toUpperCase(),[l,d,c,p]=this.place(t);s!=="u"&&
(e.globalAlpha=o?1:.3,e.fillStyle=i,e.fillRect(l,d,c,p),e.globalAlpha=1),e.strokeStyle=t.many>1?"transparent":i,e.setLineDash(s==="u"?[1,2]:
[]),c>2&&e.strokeRect(l+.5,d+.5,c-1,p-1),!(c<Fr||!r)&&(e.fillStyle=this.palette.of(o?"var(--paper)":"var(--ink)"),e.fillText(r,l+c/2,d+p/2+.5))}outline(e){
let{tree:t,focused:r}=this.page,s=this.blocks.filter(({node:p,many:m,stride:f})=>p<=r&&r<(m>1?p+m*f:t.end[p])),i=s[s.length-1];if(!i)return;
this.chosen=this.blocks.indexOf(i);let[o,l,d,c]=this.place(i);e.setLineDash([]),e.strokeStyle=this.palette.of("var(--ring)"),e.lineWidth=2,e.
strokeRect(o+1,l+1,Math.max(1,d-2),c-2),e.lineWidth=1}place=({left:e,width:t,level:r})=>[e,(r-this.top)*qe,Math.max(t-(t>4?1:0),1),qe-.5];status=e=>q[this.
page.plan.status[e]];under(e){let t=this.element.getBoundingClientRect();return Zt(this.blocks,e.clientX-t.left,this.top+Math.floor((e.clientY-
t.top)/qe))}show(e){e>=0&&this.page.reveal(e)}words(e){if(e<0)return"";let{tree:t}=this.page,r=t.total[t.cls[e]],s=(100*r/t.total[t.cls[0]]).
toFixed(1);return`${S(t,e)||"(root)"}, ${t.classes[t.cls[e]][0]}: ${Se(r)} parameters, ${s} %, ${this.status(e).word}`}announce(){let e=this.
blocks[this.chosen];u(this.element,{"aria-valuemin":0,"aria-valuemax":Math.max(0,this.blocks.length-1),"aria-valuenow":this.chosen,"aria-val\
uetext":e?this.words(e.node):"no parameters"})}press(e){let{node:t,level:r,left:s}=this.blocks[this.chosen]??{node:-1,level:0,left:0},i=this.
blocks.filter(p=>p.level===r),o=i.findIndex(p=>p.node===t),l=p=>this.blocks.filter(m=>m.level===p&&m.left<=s+.5).at(-1)??this.blocks.find(m=>m.
level===p),d={ArrowLeft:()=>i[o-1],ArrowRight:()=>i[o+1],ArrowUp:()=>l(r-1),ArrowDown:()=>l(r+1),Home:()=>i[0],End:()=>i.at(-1),Enter:()=>this.
blocks[this.chosen]}[e.key];if(!d)return;e.preventDefault();let c=d();c&&this.page.reveal(c.node),this.element.focus()}};var I=n=>n||"(root)";function en({name:n,shape:e,dtype:t,numel:r,frozen:s},i){let o=i&&n.startsWith(`${i}.`)?n.slice(i.length+1):n,l=e===null?
"lazy":e.length===0?"scalar":`[${e.join(", ")}]`;return`${o} ${l} ${t}, ${v(r)} elements${s?", frozen":""}`}function tn(n,e){let t={unit:"un\
it of ",replicate:"replicated with ",ignored:"ignored with ",unmanaged:"unmanaged"},s=n.owner_kind==="ignored"&&n.owner===null?"ignored by i\
tself":n.owner_kind==="unmanaged"?t.unmanaged:t[n.owner_kind]+I(n.owner??""),i=n.tied.length?`; tied to ${jr(n.tied)}`:"";return`${s}; ${Wr(
n,e)}, ${se(n.nbytes_per_rank)}${i}`}function Wr({piece:n},e){if(n===null)return"whole on every rank";let t=n[1]>n[0]?`elements ${v(n[0])} t\
o ${v(n[1])}`:"nothing";return`rank 0 of ${v(e)} holds ${t}`}var jr=n=>n.slice(0,3).join(", ")+(n.length>3?` and ${n.length-3} more`:"");function nn({
unit:n,unit_fqn:e,local_root:t,within:r}){return[n===null?"":`Unit u${n}, of ${I(e??"")}`,t!==null&&n!==null?`local root ${I(t)}`:"",r===null?
"":`inside ${r.replace(/^(\w+):(.*)$/,(i,o,l)=>`${o==="replicate"?"replicated":o} ${I(l)}`)}`].filter(Boolean).join("; ")}function rn(n,e,t){
if(!(n===null||n.rev!==e||t===null))return n.units.find(({runs:r})=>r.some(([s,i,o])=>t>=s&&t<i&&(t-s)%o===0))}var Dr=120,he=12,Kr=1e3,ue=class{constructor(e){this.page=e;this.open(e.root.clientWidth>=Kr)}page;toggle=a("button",{type:"button",class:"i\
nspector-toggle","data-cmd":"inspector",click:()=>this.open(this.body.hidden===!0)},"Inspector");title=a("h4",{"data-role":"inspected"});why=a(
"p",{"data-role":"why"});owner=a("p",{class:"note","data-role":"belongs"});costs=a("p",{class:"note","data-role":"unit-costs"});params=a("ul",
{"data-role":"params"});remarks=a("ul",{class:"remarks","data-role":"remarks"});code=a("pre",{tabindex:0,"data-role":"inspected-code","aria-\
label":"Code that makes it so"});body=a("div",{class:"inspector-body",role:"region","aria-label":"Inspector",tabindex:0},this.title,this.why,
this.owner,this.costs,this.params,this.remarks,this.code);element=a("div",{class:"inspector","data-role":"inspector"},this.toggle,this.body);timer;asked=0;shown=null;update(e){
["tree","plan","focus","rows"].some(t=>e.has(t))?this.lookSoon():e.has("costs")&&this.shown&&this.showCosts(this.shown)}destroy(){clearTimeout(
this.timer),this.asked++}open(e){this.body.hidden=!e,u(this.toggle,{"aria-expanded":e,title:e?"Hide what is known of the focused module":"Sh\
ow what is known of the focused module"}),e&&this.lookSoon()}lookSoon(){clearTimeout(this.timer),this.body.hidden||(this.timer=setTimeout(()=>{
this.look()},Dr))}async look(){let e=++this.asked,{focused:t,rows:r,focus:s}=this.page,{times:i}=r[s];u(this.body,{"aria-busy":"true"});let o=await this.
page.ask("inspect",{index:t});e===this.asked&&(u(this.body,{"aria-busy":null}),o.ok?this.show(o.value,i):this.fail(`${o.error?.title}: ${o.error?.
detail}`))}fail(e){this.shown=null,h(this.title,"Not known"),h(this.why,e);for(let t of[this.owner,this.costs,this.params,this.remarks,this.
code])t.hidden=!0}show(e,t){this.shown=e;let r=t>1?`, the first of ${t} alike`:"";h(this.title,`${I(e.fqn)} · ${e.cls} · #${e.index}${r}`),
h(this.why,e.why),this.showOwner(e),this.showCosts(e),this.showParams(e),this.showRemarks(e),h(this.code,e.code.join(`
`)),this.code.hidden=e.code.length===0}showOwner(e){let t=e.names.length>1?` Also called ${e.names.slice(1,4).join(", ")}.`:"",r=nn(e),s=e.unit_fqn!==
null&&e.unit_fqn!==e.fqn?[" ",this.jump(e.unit_fqn)]:[];this.owner.replaceChildren(r?`${r}.${t}`:t,...s),this.owner.hidden=!r&&!t}showCosts({
unit:e}){let t=rn(this.page.trait("costs"),this.page.plan.state.rev,e);this.costs.hidden=e===null,t?this.costs.replaceChildren(`Its unit: ${g(
t.unsharded_nbytes)} gathered, ${g(t.shard_nbytes)} on a rank; ${t.frees_after_forward?"frees":"keeps"} it after forward (${t.reason}); a ra\
nk sends ${g(t.sent_nbytes)} for it in a step.`):this.costs.replaceChildren(this.link("What its unit costs",()=>this.page.open("costs")))}showParams({
params:e,fqn:t,world_size:r}){let s=e.slice(0,he).map(i=>a("li",{},a("b",{},en(i,t)),a("br"),tn(i,r)));e.length>he&&s.push(a("li",{},`and ${e.
length-he} more parameters`)),e.length===0&&s.push(a("li",{class:"note"},"It has no parameters of its own.")),this.params.replaceChildren(...s),
this.params.hidden=!1}showRemarks({findings:e,conflicts:t}){let r=[...t.map(({message:s,fix:i})=>({severity:"conflict",message:s,advice:i})),
...e].slice(0,he);this.remarks.replaceChildren(...r.map(({severity:s,message:i,advice:o})=>a("li",{"data-severity":s},a("b",{},s),` ${i}`,a(
"br"),o))),r.length&&this.remarks.append(a("li",{},this.link("All findings",()=>this.page.open("findings")))),this.remarks.hidden=r.length===
0}jump(e){return this.link(`Go to ${I(e)}`,()=>{let t=k(this.page.tree,e);t>=0&&this.page.reveal(t)})}link(e,t){let r=b("go",e,e,t);return r.
classList.add("link"),r}};var sn='.side:has(.inspector-body:not([hidden])){flex:0 0 320px;min-width:0}.side{position:relative}.side:has(.inspector-toggle[aria-expande\
d=false]){flex:0 0 34px}.inspector{position:absolute;inset:0 0 0 8px}.inspector-toggle{width:100%;text-align:left;font-weight:600}.inspector\
-toggle:before{content:"▸ "}.inspector-toggle[aria-expanded=true]:before{content:"▾ "}.inspector-toggle[aria-expanded=false]{writing-mode:ve\
rtical-rl;width:auto;padding:8px 2px}.inspector-body{position:absolute;inset:28px 0 0;overflow:auto;overflow-wrap:anywhere;font-size:12px;pa\
dding:0 4px}.inspector-body h4{margin:6px 0 4px;font-size:13px}.inspector-body p{margin:4px 0}.inspector-body ul{margin:6px 0;padding:0;list\
-style:none;max-height:none}.inspector-body li{margin-bottom:6px}.inspector-body [data-role=params] li{border-left:3px solid var(--line);pad\
ding-left:6px}.inspector-body [aria-busy]{opacity:.7}@container (max-width: 999px){.body{flex-direction:column}.side:has(.inspector-body:not\
([hidden])){flex:none}.side:has(.inspector-toggle[aria-expanded=false]){flex:none}.inspector{position:static;margin-top:4px}.inspector-toggl\
e[aria-expanded]{writing-mode:horizontal-tb;width:auto;padding:2px 8px}.inspector-body{position:static;height:170px;resize:vertical;border:1\
px solid var(--line);border-radius:4px}}';var on=".icicle{height:28px;margin-bottom:3px;cursor:pointer;overflow:hidden;border-radius:3px}.icicle canvas,.minimap canvas{display:block}\
.edge{position:relative}.minimap{position:absolute;inset:0;width:64px;overflow:hidden;cursor:pointer;touch-action:none;border-left:1px solid\
 var(--line);box-sizing:border-box}.glass{position:absolute;left:0;right:0;border:1px solid var(--ring);background:color-mix(in srgb,var(--r\
ing) 12%,transparent);box-sizing:border-box;border-radius:2px;pointer-events:none}@container (max-width: 480px){.edge{display:none}.tree:has\
(.edge:not(:empty)) .heads{margin-right:0}}";function Je(n,e,t,r){let s=Math.max(1,Math.min(4,Math.floor(r/Math.max(1,n.length)))),i=Math.min(n.length,Math.floor(r/s)),o=new Uint8Array(
i),l=new Uint8Array(i),d=new Uint8Array(i);for(let c=0;c<i;c++){let p=an(c+1,i,n.length);for(let m=an(c,i,n.length);m<p;m++){let{ref:f,node:x}=n[m];
f>=0||(o[c]|=1<<e.status[x],l[c]=Math.max(l[c],e.alarm[x]))}}for(let c of t)c>=0&&c<n.length&&(d[Vr(c,i,n.length)]=1);return{count:i,thick:s,
rows:n.length,statuses:o,alarm:l,hit:d}}var an=(n,e,t)=>Math.ceil(n*t/e),Vr=(n,e,t)=>Math.floor(n*e/t);function ln({count:n,thick:e,rows:t},r,s){
if(t===0)return{top:0,height:0};let i=n*e/t,o=Math.max(6,Math.min(s,t)*i);return{top:Math.max(0,Math.min(r*i,n*e-o)),height:o}}function dn({
count:n,thick:e,rows:t},r){return Math.max(0,Math.min(t-1,Math.floor(r*t/Math.max(1,n*e))))}function cn(n,e){return n.length<=e?n:Array.from(
{length:e},(t,r)=>n[Math.floor(r*n.length/e)])}var Jr=64,Xr=[["Ff","var(--shard)",3],["Rr","var(--replicate)",18],["Ii","var(--ignore)",33]],Yr=13,Zr=6,pn={left:48,width:5},hn={left:56,width:6},
Qr=1e3,me=class{constructor(e){this.page=e;this.palette=new _(e.root),this.element.addEventListener("pointerdown",t=>this.grab(t)),this.element.
addEventListener("pointermove",t=>this.dragging&&this.go(t));for(let t of["pointerup","pointercancel"])this.element.addEventListener(t,()=>this.
dragging=!1);this.element.addEventListener("keydown",t=>this.press(t))}page;canvas=a("canvas",{"aria-hidden":"true"});glass=a("div",{class:"\
glass"});element=a("div",{class:"minimap","data-role":"minimap",tabindex:0,role:"slider","aria-orientation":"vertical","aria-label":"Rows of\
 the tree on the screen",title:"All rows: sharded, replicated, ignored (short: managed from above), search hits, findings. Click to go there\
."},this.canvas,this.glass);palette;buckets=Je([],{status:new Uint8Array(0),alarm:new Uint8Array(0)},[],1);dragging=!1;update(e){e.has("them\
e")&&this.palette.forget(),["tree","plan","rows","hits","theme","size"].some(t=>e.has(t))&&this.draw(),this.frame()}destroy=()=>{};draw(){let{
rows:e,plan:t,hits:r}=this.page,s=this.element.clientHeight,i=cn(r,Qr).map(l=>this.page.rowOf(l));this.buckets=Je(e,t,i,s);let o=H(this.canvas,
Jr,s);for(let l=0;l<this.buckets.count;l++)this.drawLine(o,l)}drawLine(e,t){let{statuses:r,alarm:s,hit:i,thick:o}=this.buckets,l=Math.max(1,
o-(o>2?1:0)),d=(c,p,m)=>{e.fillStyle=this.palette.of(m),e.fillRect(c,t*o,p,l)};for(let[c,p,m]of Xr){let[f,x]=[...c].map(Re=>r[t]&1<<M.indexOf(
Re));(f||x)&&d(m,f?Yr:Zr,p)}i[t]&&d(pn.left,pn.width,"var(--ink)"),s[t]>1&&d(hn.left,hn.width,s[t]===3?"var(--bad)":"var(--soft)")}frame(){let{
first:e,count:t}=this.page.viewport,r=this.page.rows.length,{top:s,height:i}=ln(this.buckets,e,t);Object.assign(this.glass.style,{top:`${s}p\
x`,height:`${i}px`});let o=Math.min(r,Math.floor(e)+1);u(this.element,{"aria-valuemin":1,"aria-valuemax":Math.max(1,r),"aria-valuenow":o,"ar\
ia-valuetext":`rows ${o} to ${Math.min(r,Math.floor(e+t))} of ${r}`})}grab(e){e.button===0&&(this.dragging=!0,this.element.setPointerCapture(
e.pointerId),this.go(e))}go(e){let t=e.clientY-this.element.getBoundingClientRect().top;this.page.scrollTo(dn(this.buckets,t)-this.page.viewport.
count/2)}press(e){let{first:t,count:r}=this.page.viewport,s=this.page.rows.length,i={ArrowDown:t+1,ArrowUp:t-1,PageDown:t+r-1,PageUp:t-r+1,Home:0,
End:s};e.key in i&&(e.preventDefault(),this.page.scrollTo(Math.max(0,Math.min(i[e.key],s-r))))}};var fe=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrappe\
r init"]],un=22,ge=class{constructor(e){this.page=e;let t={class:"order-rows",tabindex:0,role:"region","aria-label":"Orders"};this.list=new P(
un,t,es,(s,i)=>this.fill(s,i)),this.list.view.addEventListener("click",s=>{let i=s.target.dataset.target;i!==void 0&&e.reveal(k(this.tree,i))});
let r=fe.map(([,s])=>a("span",{},s));this.element=a("div",{"data-role":"orders"},this.title,a("div",{class:"order order-heads"},a("span",{},
"k"),...r),this.list.view)}page;element;list;title=a("p",{class:"note","data-role":"orders-note"});tree;plan;update(e){if(!e.has("plan"))return;
let{tree:t,plan:r}=this.page;this.tree=t,this.plan=r;let s=Math.max(t.size,...fe.map(([d])=>r.state.orders[d]?.length??0)),[i,o]=[this.of("i\
nit_composable"),this.of("init_wrapper")],l=i.filter((d,c)=>d!==o[c]).length;h(this.title,i.length?`I₁ and I₂ differ in ${l} of ${i.length}\
 places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.style.height=`${Math.min(s,8)*un}px`,this.list.show(
s)}destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??[];fill(e,t){let[r,...s]=e.children;h(r,String(t));let i=fe.map(([o])=>o===
"dfs"&&t<this.tree.size?S(this.tree,t):this.of(o)[t]);s.forEach((o,l)=>{let d=i[l];h(o,d===void 0?"":d||"(root)");let c=l>1&&i[2]!==i[3];u(o,
{"data-target":d??null,title:d||null,"data-differs":c?"1":null})})}};function es(){return a("div",{class:"order"},a("span"),...fe.map(([n])=>a(
"span",{"data-order":n})))}var Xe=[{kind:"composable",label:"I₁ composable init",about:"fully_shard(policy): lists the handles left to right, then makes them from th\
e end of that list.",made:"Handles made"},{kind:"wrapper",label:"I₂ wrapper init",about:"FullyShardedDataParallel(policy): a handle is mad\
e once all children are done (post-order).",made:"Handles made"},{kind:"handles",label:"H get_handles",about:"Lists the handles left to righ\
t, parents first; a replicated module is not entered.",made:"Handles listed"},{kind:"modules",label:"# modules()",about:"Every module once, \
left to right, parents first.",made:"Modules met"},{kind:"rightToLeft",label:"right to left",about:"Children from the right, for contrast: n\
othing runs in this order.",made:"Modules met"}],be=n=>Xe.find(e=>e.kind===n);function mn(n,e,t){let r=new Set(e.state.units.filter(o=>o.handle!==
null).map(o=>o.index)),s=M.indexOf("R"),i=new Set;return e.status.forEach((o,l)=>o===s&&i.add(l)),{tree:n,handles:r,barred:i,starts:t}}var ts=5;
function U(n,e){if(e===0)return"(root)";let t=[],r=e;for(;r>0&&t.length<ts;r=n.parent[r])t.push(n.names[r]);return(r>0?"…":"")+t.reverse().
join(".")}function fn(n,e,t){let{tree:r,handles:s}=n,i=e.produced.length.toLocaleString("en");if(t>=e.steps)return`Done: ${be(e.kind).made.toLowerCase()}\
, ${i} in all.`;let o=e.node[t],l=U(r,o),d=s.has(o);switch(Le[e.act[t]]){case"again":return`${l} was met before, by another path: nothing to\
 do.`;case"barred":return`${l} is replicated: not entered, nothing below it is listed.`;case"leave":return d?`All children of ${l} are done:\
 its handle is made.`:`All children of ${l} are done; it has no handle.`;case"take":return`${l} is the last of the list: its handle is made.`;default:
return`Visit ${l} (${r.classes[r.cls[o]][0]})${ns(e.kind,d)}; ${rs(He(r,o).length)}.`}}function ns(n,e){return n==="modules"||n==="rightToLe\
ft"?", and list it":n==="wrapper"?e?": it has a handle, to be made when its children are done":", without a handle":e?", and list its handle":
", without a handle"}function rs(n){return n===0?"it has no children":n===1?"its child goes on the stack":`its ${n.toLocaleString("en")} chi\
ldren go on the stack`}var gn=[1,2,5,10,30,60,200,1e3,1e4],ss=.25,Ye=(n,e=2)=>({steps:n,at:0,rate:e,playing:!1,owed:0});function bn(n,e){if(!n.playing)return n;let t=n.
owed+n.rate*Math.min(e,ss),r=Math.min(n.steps,n.at+Math.floor(t));return{...n,at:r,owed:t%1,playing:r<n.steps}}var vn=n=>({...n,at:n.at===n.
steps?0:n.at,owed:0,playing:n.steps>0}),K=n=>({...n,playing:!1,owed:0}),ve=(n,e)=>({...n,at:Math.max(0,Math.min(n.steps,Math.round(e))),owed:0}),
we=(n,e)=>K(ve(n,n.at+e)),wn=(n,e)=>({...n,rate:e,owed:0});var ye=4,xe=8,is=250,os=8,ke=class{constructor(e){this.page=e;this.rate.value="2";let t=b("step_back","◀","One step back (,)",()=>this.move(
we(this.now,-1))),r=b("step","▶|","One step on (.)",()=>this.move(we(this.now,1)));u(t,{"aria-label":"One step back"}),u(r,{"aria-label":"\
One step on"});let s=a("div",{class:"player","data-role":"player"},a("div",{class:"bar"},this.walk,this.start,t,this.playing,r,this.rate,this.
scrub,this.count),this.about,this.said,a("div",{class:"columns"},this.around.element,this.stack.element,this.made.element));this.curtain=new O(
s,i=>this.turn(i)),this.element=this.curtain.element,e.root.addEventListener("keydown",this.press)}page;element;curtain;shown=!0;walk=a("sel\
ect",{"data-role":"walk","aria-label":"Walk",change:()=>this.rewalk()},...Xe.map(({kind:e,label:t})=>a("option",{value:e},t)));start=a("sele\
ct",{"data-role":"walk-start","aria-label":"Where the walk begins",change:()=>this.rewalk()});playing=b("play","▶ Play","Play or pause",()=>this.
toggle());rate=a("select",{"data-role":"rate","aria-label":"Rows a second",change:()=>this.move(wn(this.now,Number(this.rate.value)))},...gn.
map(e=>a("option",{value:e},`${e.toLocaleString("en")} rows/s`)));scrub=a("input",{type:"range",min:0,value:0,"data-role":"scrub","aria-labe\
l":"Step",input:()=>this.move(K(ve(this.now,Number(this.scrub.value))))});count=a("span",{class:"note","data-role":"step"});about=a("p",{class:"\
note"});said=a("p",{class:"said","data-role":"said","aria-live":"polite"});around=new G("around",2*ye+1,"Modules around the next one");stack=new G(
"stack",xe,"Stack");made=new G("made",xe,"Produced");ground;recording;metAt;now=Ye(0);frame=0;drawnAt=0;calm=matchMedia("(prefers-reduced-mo\
tion: reduce)");press=e=>this.key(e);update(e){!e.has("tree")&&!e.has("plan")||(this.offerStarts(),this.rewalk())}destroy(){cancelAnimationFrame(
this.frame),this.curtain.destroy(),this.page.root.removeEventListener("keydown",this.press),this.page.point("now",[])}offerStarts(){let{tree:e,
plan:t}=this.page,r=t.state.units.filter(i=>i.is_root&&i.apart).slice(0,50),s=this.start.value;this.start.replaceChildren(a("option",{value:0},
"from the root"),...r.map(({index:i})=>a("option",{value:i},`from ${U(e,i)}`))),this.start.value=r.some(({index:i})=>String(i)===s)?s:"0",this.
start.hidden=r.length===0}rewalk(){let{tree:e,plan:t}=this.page,r=this.walk.value,s=this.recording?.kind!==r;this.ground=mn(e,t,[Number(this.
start.value)]),this.recording=ut(this.ground,r),this.metAt=new Int32Array(e.size).fill(this.recording.steps);for(let o=this.recording.steps-
1;o>=0;o--)this.recording.act[o]===0&&(this.metAt[this.recording.node[o]]=o);h(this.about,be(r).about),u(this.scrub,{max:this.recording.steps});
let i=Ye(this.recording.steps,this.now.rate);this.move(s?i:ve(i,this.now.at))}toggle(){this.move(this.now.playing?K(this.now):vn(this.now))}move(e){
this.now=e,this.draw(),cancelAnimationFrame(this.frame),e.playing&&this.follow(performance.now())}turn(e){this.shown=e,e?this.draw():this.move(
K(this.now))}follow(e){this.frame=requestAnimationFrame(t=>{this.now=bn(this.now,Math.max(0,t-e)/1e3),(!this.calm.matches||t-this.drawnAt>=is||
!this.now.playing)&&this.draw(t),this.now.playing&&this.follow(Math.max(t,e))})}key(e){e.ctrlKey||e.altKey||e.metaKey||!this.shown||e.key!==
"."&&e.key!==","||e.composedPath()[0].matches("input:not([type=range]), textarea")||(e.preventDefault(),this.move(we(this.now,e.key==="."?1:
-1)))}draw(e=performance.now()){this.drawnAt=e;let{now:t,recording:r,ground:s}=this,{at:i,steps:o}=t;this.scrub.value=String(i),u(this.scrub,
{"aria-valuetext":`step ${i} of ${o}`}),h(this.count,`step ${i.toLocaleString("en")} of ${o.toLocaleString("en")}`),h(this.playing,t.playing?
"❚❚ Pause":"▶ Play"),u(this.said,{"aria-live":t.playing?"off":"polite"}),h(this.said,(i<o?"Next: ":"")+fn(s,r,i));let l=i<o?r.node[i]:
-1;this.drawAround(l),this.drawStack(),this.drawMade(),this.page.point("now",l<0||!this.shown?[]:[l])}drawAround(e){let{tree:t}=this.page,r=Math.
max(0,e),s=Math.max(0,Math.min(r-ye,t.size-2*ye-1)),i=Math.min(t.size,s+2*ye+1),o=1/0;for(let l=s;l<i;l++)o=Math.min(o,t.depth[l]);this.around.
show("Modules",i-s,l=>{let d=s+l,c=d===e?"▶":this.metAt[d]<this.now.at?"✓":"·",p="  ".repeat(Math.min(os,t.depth[d]-o)),m=this.ground.handles.
has(d)?" [H]":this.ground.barred.has(d)?" [R]":"";return`${c} ${p}${d===0?"(root)":t.names[d]}${m}`},e-s)}drawStack(){let{recording:e,now:t}=this,
r=mt(e,t.at,xe),s=t.at>=e.reversing&&e.reversing<e.steps?"Handles listed, taken from the end":"Stack";this.stack.show(`${s}: ${e.depth[t.at].
toLocaleString("en")}`,r.length,i=>r[i]<0?`${U(this.page.tree,~r[i])}, once its children are done`:U(this.page.tree,r[i]),0)}drawMade(){let{
recording:e,now:t}=this,r=e.kind==="composable"&&t.at<e.reversing,[s,i]=r?[e.found,e.listed[t.at]]:[e.produced,e.done[t.at]],o=Math.max(0,i-
xe),l=r?"Handles listed":be(e.kind).made;this.made.show(`${l}: ${i.toLocaleString("en")} of ${s.length.toLocaleString("en")}`,i-o,d=>`${o+d}\
  ${U(this.page.tree,s[o+d])}`,i-o-1)}},G=class{element;heading=a("h4");lines;constructor(e,t,r){this.lines=Array.from({length:t},()=>a("li")),
this.element=a("div",{"data-role":e},this.heading,a("ol",{"aria-label":r},...this.lines))}show(e,t,r,s){h(this.heading,e),this.lines.forEach(
(i,o)=>{i.style.visibility=o<t?"visible":"hidden",o<t&&h(i,r(o)),u(i,{"data-now":o===s&&o<t?"1":null})})}};var yn=".player .bar [data-role=scrub]{flex:1 1 120px;min-width:80px;padding:0}.player select{font:inherit;color:inherit;background:var(--ra\
ised);border:1px solid var(--line);border-radius:4px;padding:2px 4px;max-width:100%}.player p{margin:4px 0}.said{font-family:var(--mono);fon\
t-size:12px;min-height:2.8em;overflow-wrap:anywhere}.columns{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:4px 16px}.column\
s h4{margin:0 0 2px;font-size:12px;font-weight:600}.columns ol{list-style:none;margin:0;padding:0;font-family:var(--mono);font-size:12px}.co\
lumns li{line-height:18px;height:18px;white-space:pre;overflow:hidden;text-overflow:ellipsis;padding:0 4px;border-left:3px solid transparent\
}.columns [data-role=around] li{line-height:16px;height:16px}.columns li[data-now]{background:var(--chosen);border-left-color:var(--ring);fo\
nt-weight:600}@container (max-width: 560px){.columns{grid-template-columns:minmax(0,1fr)}}";var Ze=40,Te=class{constructor(e){this.page=e}page;list=a("ul",{class:"remarks","data-role":"findings"});element=a("div",{},this.list);update(e){
if(!e.has("plan"))return;let{state:t}=this.page.plan,r=[...t.conflicts.map(i=>({...i,severity:"conflict"})),...t.findings],s=r.slice(0,Ze).map(
i=>this.item(i));r.length>Ze&&s.push(a("li",{},`and ${r.length-Ze} more`)),r.length===0&&s.push(a("li",{class:"note"},"Nothing to report: th\
is plan can run.")),this.list.replaceChildren(...s)}destroy=()=>{};item(e){let t=e.severity??"warn",r=e.fqns.slice(0,4).map((i,o)=>{let l=e.
indices[o]??0;return a("button",{type:"button",class:"link","data-jump":l,click:()=>this.page.reveal(l)},i||"(root)")}),s=e.fqns.length>4?` \
and ${e.fqns.length-4} more`:"";return a("li",{"data-severity":t,"data-kind":e.kind},a("b",{},t)," ",...r,s,a("p",{},e.message),a("p",{class:"\
note"},e.fix??e.advice??""))}};var xn=n=>typeof n=="number"?n.toFixed(4):"not finite";function kn(n){let e=n.losses.at(-1);if(!e)return"";let[t,...r]=e,s=r.map((l,d)=>`ran\
k ${d} ${xn(l)}`).join(", "),i=n.losses.length-1,o=n.reference&&i<n.reference.length?`; unsharded ${xn(n.reference[i])}`:"";return`step ${t}\
: ${s}${o}`}function Tn(n,e,t){let r=Array.from({length:(n.losses[0]?.length??1)-1},(p,m)=>n.losses.map(f=>f[m+1])),s=n.reference??[],i=[...r.
flat(),...s].filter(p=>typeof p=="number");if(i.length===0)return null;let o=i.reduce((p,m)=>Math.min(p,m)),l=i.reduce((p,m)=>Math.max(p,m)),
d=Math.max(n.steps,n.losses.length,s.length,2)-1,c=p=>p.map((m,f)=>{if(typeof m!="number")return"";let x=typeof p[f-1]=="number"?"L":"M",Re=l===
o?t/2:(l-m)/(l-o)*t;return`${x}${(f/d*e).toFixed(1)} ${Re.toFixed(1)}`}).join("");return{lines:r.map(c),reference:c(s),low:o,high:l}}var $n=480,Rn=90,$e=class{constructor(e){this.page=e;this.run=b("run","▶ Run","Spawn the workers and train with this plan",()=>{this.start()}),
this.stop=b("stop","■ Stop","End the workers",()=>{e.command("stop")});let t=a("div",{class:"bar"},a("label",{},"workers ",this.nprocs),a(
"label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=a("div",{class:"run"},t,this.error,this.losses,this.
chart,this.details)}page;element;nprocs=a("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=a("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=a("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=a("span",{"data-role":"phase"});losses=a("p",{"data-role":"losses"});chart=a("div",{class:"chart","data-role":"chart"});error=a(
"div",{class:"error","data-role":"run-error",role:"alert"});log=a("pre",{"data-role":"log",tabindex:0});details=a("details",{},a("summary",{},
"Worker log"),this.log);async start(){this.run.disabled=!0,await this.page.command("run",{nprocs:Number(this.nprocs.value),steps:Number(this.
steps.value)}),this.show(this.page.run)}update(e){e.has("run")&&this.show(this.page.run)}destroy=()=>{};show(e){this.run.disabled=C(e),this.
stop.disabled=!C(e),u(this.element,{"data-phase":e.phase}),u(this.progress,{max:e.steps||1,value:e.phase==="done"?e.steps||1:e.step}),h(this.
phase,Y(e)),h(this.losses,kn(e)),this.error.hidden=e.error===null,e.error&&this.error.replaceChildren(a("b",{},e.error.title),a("pre",{},e.error.
detail)),this.draw(e),this.details.hidden=e.log.length===0,h(this.log,e.log.map(([t,r])=>`[rank ${t}] ${r.trimEnd()}`).join(`
`))}draw(e){let t=Tn(e,$n,Rn);if(this.chart.hidden=t===null,!t)return;let r=t.lines.map((o,l)=>E("path",{d:o,class:"loss","data-rank":l,"str\
oke-dasharray":l?`${2+2*l} 3`:"none"})),s=E("svg",{viewBox:`-2 -4 ${$n+4} ${Rn+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss \
of every step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[E("path",{d:t.reference,class:"reference"})]:[],...r),
i=t.reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(a("span",{},t.high.toFixed(3)),a("span",{},t.low.toFixed(3)),s,
a("small",{},i))}};var ls={run:{slot:"tab",label:"Run",make:n=>new $e(n)},orders:{slot:"tab",label:"Orders",make:n=>new ge(n)},compare:{slot:"tab",label:"Compa\
re",make:n=>new re(n)},player:{slot:"tab",label:"Player",make:n=>new ke(n)},findings:{slot:"tab",label:"Findings",make:n=>new Te(n)},code:{slot:"\
tab",label:"Code",make:n=>new ne(n)},costs:{slot:"tab",label:"Costs",make:n=>new ce(n)},engines:{slot:"tab",label:"Engines",make:n=>new ie(n)},
inspector:{slot:"side",label:"Inspector",make:n=>new ue(n)},finder:{slot:"tools",label:"Find",make:n=>new ae(n)},appearance:{slot:"tools",label:"\
Appearance",make:n=>new V(n)},icicle:{slot:"top",label:"Parameters",make:n=>new pe(n)},minimap:{slot:"edge",label:"Minimap",make:n=>new me(n)}},
ds=[xt,yn,yt,on,sn,Xt].join(`
`),cs={start:n=>new te(n,ls,ds)},Ua=cs;export{Ua as default};
