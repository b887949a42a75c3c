// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
function Te(n){let e=n.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(n.className)?"dark":n.
classList.contains("vscode-light")?"light":null}function D(n,e){let t=typeof matchMedia=="function"?matchMedia("(prefers-color-scheme: dark)"):
null,r=()=>{n.dataset.theme=Te(document.body)??(t?.matches?"dark":"light"),e()},s=new MutationObserver(r);return s.observe(document.body,{attributes:!0,
attributeFilter:["data-jp-theme-light","class"]}),t?.addEventListener("change",r),r(),()=>{s.disconnect(),t?.removeEventListener("change",r)}}function d(n,e={},...t){return Se(document.createElement(n),e,t)}function Se(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,String(s));return n.append(
...t),n}function f(n,e){n.textContent!==e&&(n.textContent=e)}function c(n,e){for(let[t,r]of Object.entries(e))r===null?n.removeAttribute(t):
n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function B(n,e,t,r){return d("button",{type:"button","data-cmd":n,title:t,click:r},
e)}var Re=Symbol.for("sharding-explorer.chunks"),Ee=()=>globalThis[Re]??=new Map,Oe=async n=>{let e=URL.createObjectURL(new Blob([n],{type:"tex\
t/javascript"}));try{return await import(e)}finally{URL.revokeObjectURL(e)}};async function J(n,e=Oe){let t=Ee(),r=await n.ask("chunk",{name:"\
extras",have:[...t.keys()]},!0);if(!r.ok)throw new Error(r.error?.detail??"The kernel refused and gave no reason.");let{digest:s,text:i}=r.value,
o=t.get(s)??e(i).then(a=>a.default);return t.set(s,o),o.catch(()=>t.delete(s)),o}var Ae={set:(n,e)=>setTimeout(n,e),clear:n=>clearTimeout(n)},w=class{constructor(e,t,r=Ae){this.send=e;this.onSilence=t;this.clock=r}send;onSilence;clock;waiting=new Map;sent=0;silent=!1;page=Math.
random().toString(36).slice(2,8);ask(e,t={},r=!1){let s=`${this.page}-${++this.sent}`;return new Promise(i=>{let o=r?void 0:this.clock.set(()=>this.
hear(!1),1e4);this.waiting.set(s,{answer:i,timer:o}),this.send({id:s,cmd:e,...t})})}receive(e){let t=this.waiting.get(e.id);return e.type!==
"reply"||!t?!1:(this.waiting.delete(e.id),this.clock.clear(t.timer),this.hear(!0),t.answer(e),!0)}close(){for(let{timer:e}of this.waiting.values())
this.clock.clear(e);this.waiting.clear()}hear(e){this.silent===e&&(this.silent=!e,this.onSilence(this.silent))}};var _="uFfRrIi",Me=["","info","warn","error"],Y={v:1,rev:0,status:[],units:[],unit_of:[],orders:{},conflicts:[],findings:[],totals:{},code:"",
last:"",undo:!1,redo:!1};function Q(n,e){return Pe(n?{...Y,...JSON.parse(n)}:Y,e)}function Pe(n,e){let t=new Uint8Array(e),r=new Int32Array(
e).fill(-1),s=new Int32Array(e).fill(-1),i=new Uint8Array(e);Z(n.status,(l,p)=>t[l]=Math.max(0,_.indexOf(p)));let o=new Map(n.units.map(l=>[
l.n,l]));Z(n.unit_of,(l,p)=>{r[l]=p,s[l]=o.get(p)?.index??-1});let a=(l,p)=>{for(let h of l.indices)i[h]=Math.max(i[h],p)};for(let l of n.findings)
a(l,Math.max(1,Me.indexOf(l.severity??"warn")));for(let l of n.conflicts)a(l,3);return{state:n,status:t,unitOf:r,head:s,alarm:i,unitAt:new Map(
n.units.map(l=>[l.index,l]))}}function Z(n,e){for(let[t,r,s,i]of n)for(let o=t;o<r;o+=s||1)e(o,i)}var X=new WeakMap;function j(n,e,t,r){if(r)return ee(n,e,t,!0);let s=X.get(e)??new Map;X.set(e,s);let i=s.get(t)??ee(n,e,t,!1);return s.set(
t,i),i}function ee(n,e,t,r){let s=[],i=-1;for(let o=t+1;o<n.end[t];o=n.end[o])!r&&i>=0&&Le(n,i,o)&&Ne(n,e,i,o)?s[s.length-1][1]++:s.push([o,
1]),i=o;return s}var $e=/^\d+$/;function Le(n,e,t){return $e.test(n.names[e])&&Number(n.names[e])+1===Number(n.names[t])}function Ne(n,e,t,r){
if(n.cls[t]!==n.cls[r])return!1;let s=n.end[t]-t,i=(o,a)=>o>=a&&o<a+s?o-a:-2-o;for(let o=0;o<s;o++)if(e.status[t+o]!==e.status[r+o]||e.alarm[t+
o]!==e.alarm[r+o]||i(e.head[t+o],t)!==i(e.head[r+o],r)||!Ie(e,t+o,r+o)||!Fe(n,t,r,o,s))return!1;return!0}function Ie(n,e,t){if(n.head[e]!==e&&
n.head[t]!==t)return!0;let r=s=>{let i=n.unitAt.get(s);return i&&JSON.stringify([i.strategy,i.options,i.nparams,i.fqns.length])};return r(e)===
r(t)}function Fe(n,e,t,r,s){if(n.refs.length===0)return!0;let i=n.refsOf.get(e+r)??[],o=n.refsOf.get(t+r)??[],a=(l,p)=>l>=p&&l<p+s?l-p:-1-l;
return i.length===o.length&&i.every((l,p)=>{let[,h,u]=n.refs[l],[,C,ke]=n.refs[o[p]];return h===C&&a(u,e)===a(ke,t)})}function te(n){return{open:new Uint8Array(n.size),split:new Set}}var y=n=>n.ref<0?n.node:~n.ref;function x(n,e,t){let r=[],s=[{items:[[0,1]],
next:0,scope:null}];for(;s.length>0;){let i=s[s.length-1];if(i.next===i.items.length){s.pop();continue}let[o,a]=i.items[i.next++],l={level:s.
length,position:i.next,siblings:i.items.length};if(o<0){r.push({node:n.refs[~o][2],ref:~o,times:1,scope:i.scope,...l});continue}let p=n.end[o]-
o,h=a>1?{outer:i.scope,first:o,times:a,stride:p}:i.scope;r.push({node:o,ref:-1,times:a,scope:h,...l}),t.open[o]&&s.push({items:He(n,e,t,o),next:0,
scope:h})}return r}function He(n,e,t,r){let s=(n.refsOf.get(r)??[]).map(i=>[~i,1]);return[...j(n,e,r,t.split.has(r)),...s]}var K=(n,e)=>n.end[e]>
e+1||n.refsOf.has(e);function m(n){if(n.members)return n.members;let e=[n.node];for(let t=n.scope;t;t=t.outer){let{times:r,stride:s}=t;e=Array.
from({length:r},(i,o)=>e.map(a=>a+o*s)).flat()}return n.members=e}function k(n,e){let t=e.ref<0?[]:[n.refs[e.ref][1]],r=e.ref<0?e.node:n.refs[e.
ref][0],s=e.scope;for(;r>0;r=n.parent[r]){let i=s!==null&&s.first===r;t.push(i?U(n,r,s.times):n.names[r]),i&&(s=s.outer)}return t.reverse().
join(".")}var U=(n,e,t)=>t>1?`${n.names[e]}–${Number(n.names[e])+t-1}`:n.names[e],ne=(n,e,t,r)=>se(n,e,t,r,!0),re=(n,e,t,r)=>se(n,e,t,r,!1);
function se(n,e,t,r,s){let i=[];for(let l=r;l>0;l=n.parent[l])i.push(l);let o=0,a=0;for(let l of i.reverse()){if(s)t.open[a]=1;else if(!t.open[a])
return a;let p=l-o;a=j(n,e,a,t.split.has(a)).find(([u,C])=>p>=u&&p<u+C*(n.end[u]-u))[0],o+=p-a}return a}function oe(n,e,t,r=40){for(t.open[0]=
1;;){let s=t.open.slice(),o=x(n,e,t).filter(a=>a.ref<0&&!t.open[a.node]&&K(n,a.node));if(o.length===0)return;for(let a of o)t.open[a.node]=1;
if(x(n,e,t).length>r){t.open.set(s);return}}}function ie(n){let e=JSON.parse(n);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return Ce(e)}function Ce(n){let{classes:e,root:t}=n,{modules:r,own:s,total:i}=_e(e),o=r[t],a={title:n.name,classes:e,
size:o,cls:new Int32Array(o),end:new Int32Array(o),depth:new Int32Array(o),parent:new Int32Array(o),names:new Array(o),own:s,total:i,refs:n.
refs??[],refsOf:new Map,tiesOf:new Map};return Ue(a,t,r),a.refs.forEach(([l],p)=>a.refsOf.set(l,[...a.refsOf.get(l)??[],p])),ze(a,n.ties??[]),
a}function _e(n){let e=new Float64Array(n.length),t=new Float64Array(n.length),r=new Float64Array(n.length);return n.forEach(([s,i,o],a)=>{t[a]=
i.reduce((l,p)=>l+(je(p)?Ke(p):0),0),e[a]=1,r[a]=t[a];for(let l of o){if(!(l[2]<a))throw new Error(`The tree payload is broken: class ${a} (${s}\
) comes before its child ${l[0]}.`);e[a]+=z(l)*e[l[2]],r[a]+=z(l)*r[l[2]]}}),{modules:e,own:t,total:r}}var je=([,,,n])=>!n.includes("b")&&!n.
includes("s"),z=([n,e])=>e===null?1:Number(e)-Number(n)+1,Ke=([,n])=>n.reduce((e,t)=>e*t,1);function Ue(n,e,t){let r=[],s=0,i=(o,a,l)=>{let p=s++;
n.cls[p]=o,n.end[p]=p+t[o],n.depth[p]=r.length,n.parent[p]=l,n.names[p]=a,n.classes[o][2].length>0&&r.push({kids:n.classes[o][2],kid:0,nth:0,
index:p})};for(i(e,"",-1);r.length>0;){let o=r[r.length-1];if(o.kid===o.kids.length){r.pop();continue}let a=o.kids[o.kid],l=a[1]===null?a[0]:
String(Number(a[0])+o.nth);++o.nth===z(a)&&(o.kid++,o.nth=0),i(a[2],l,o.index)}}function ze(n,e){e.forEach((t,r)=>{let s=r<26?String.fromCharCode(
97+r):String(r);for(let i of t){let o=Ve(n,i.slice(0,Math.max(0,i.lastIndexOf("."))));o>=0&&n.tiesOf.set(o,[...n.tiesOf.get(o)??[],s])}})}function T(n,e){
let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}function Ve(n,e){let t=0;for(let r of e===""?[]:e.split(
".")){let s=t+1;for(;s<n.end[t]&&n.names[s]!==r;)s=n.end[s];if(s>=n.end[t])return-1;t=s}return t}var We={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},v=[..._].map(n=>({letter:n,...We[n]})),Ge=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function g(n){for(let[e,t]of Ge)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function V(n){
if(n.length===0||n.some(r=>r<0))return"";let e=(n[1]??n[0])-n[0];if(!n.every((r,s)=>r===n[0]+s*e))return`${Math.min(...n.slice(0,4096))}…`;
let t=Math.abs(e)===1?"":Math.abs(e);return e===0?String(n[0]):`${n[0]}${e<0?"−":"+"}${t}k`}function W(n,e){let t=n.unitOf[e[0]],r=n.unitOf[e[e.
length-1]];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}function S(n,e){return v[n.status[e.node]]}function R(n,e,t){let r=k(n,t)||"the root m\
odule";if(t.ref>=0)return`${r}: the same module as ${T(n,t.node)||"the root"}, number ${t.node}`;let[s]=n.classes[n.cls[t.node]],i=g(n.total[n.
cls[t.node]]),o=e.unitAt.get(t.node);return[`${r}, ${s}${t.times>1?`, ${t.times} alike`:""}`,S(e,t).word,W(e,m(t)).replace("u","unit "),`${i}\
 parameters${t.times>1?" each":""}`,o&&o.handle!==null?`handle ${o.handle}`:"",e.alarm[t.node]===3?"has a conflict":e.alarm[t.node]?"has a f\
inding":""].filter(Boolean).join(", ")}function E(n,e){let[,t]=n.classes[n.cls[e]];return t.map(([r,s,i,o])=>`${r} [${s.join(", ")}] ${i}${qe(
o)}`).join("; ")}var qe=n=>(n.includes("b")?" buffer":"")+(n.includes("f")?" frozen":"")+(/[ts]/.test(n)?" tied":"");function ae(n,{totals:e,
units:t,rev:r}){let i=["sharded","replicated","ignored","unmanaged"].filter(l=>e[l]).map(l=>`${g(e[l])} ${l}`).join(", "),o=e.numel===void 0?
"":` · ${g(e.numel)} parameters`,a=(l,p)=>`${l.toLocaleString("en")} ${p}${l===1?"":"s"}`;return`${a(n,"module")}${o}${i?`: ${i}`:""} · ${a(
t.length,"unit")} · revision ${r}`}var De=[["u7","unit"],["H I₁ I₂","handles: listed, made by fully_shard, by the wrapper"],["5+10k","k-th of a ×n row"],["↪","same modu\
le again"],["tie a","tied parameters"],["▲","finding"],["!","conflict"]];function le(){let n=v.map(({letter:t,glyph:r,hue:s,word:i})=>d("s\
pan",{class:"key","data-status":t,"data-hue":s},d("span",{"data-cell":"swatch"},r),i)),e=De.map(([t,r])=>d("span",{class:"key"},d("b",{},t),
r));return d("div",{class:"legend",role:"group","aria-label":"Legend"},...n,...e)}var O=class{constructor(e,t){this.tree=e;this.plan=t;this.folds=te(e),oe(e,this.plan,this.folds),this.rebuild()}tree;plan;rows=[];focus=0;anchor=0;folds;places;setPlan(e){
this.plan=e,this.rebuild()}isOpen=e=>e.ref<0&&this.folds.open[e.node]===1;isParent=e=>e.ref<0&&K(this.tree,e.node);isSelected=e=>e>=Math.min(
this.anchor,this.focus)&&e<=Math.max(this.anchor,this.focus);select(e,t=!1){this.focus=Math.max(0,Math.min(this.rows.length-1,e)),t||(this.anchor=
this.focus)}selectedIndices(){let e=this.rows.filter((t,r)=>t.ref<0&&this.isSelected(r));return[...new Set(e.flatMap(m))].sort((t,r)=>t-r)}toggle(e){
let t=this.rows[e];this.isParent(t)&&(this.folds.open[t.node]^=1,this.rebuild())}openAll(){this.folds.open.fill(1),this.rebuild()}closeAll(){
this.folds.open.fill(0,1),this.rebuild()}toggleSplit(e){let t=this.rows[e],r=this.tree.parent[t.scope?.first??t.node];r<0||t.ref>=0||(this.folds.
split.delete(r)||this.folds.split.add(r),this.rebuild())}isSplit=e=>e.ref<0&&this.folds.split.has(this.tree.parent[e.node]);open(){let e=this.
rows[this.focus];this.isParent(e)&&!this.isOpen(e)?this.toggle(this.focus):this.isOpen(e)&&this.select(this.focus+1)}close(){let{level:e}=this.
rows[this.focus];if(this.isOpen(this.rows[this.focus])&&this.isParent(this.rows[this.focus]))return this.toggle(this.focus);let t=this.focus;
for(;t>0&&this.rows[t].level>=e;)t--;this.select(t)}enter(){let e=this.rows[this.focus];e.ref>=0?this.jump(e.node):this.toggle(this.focus)}jump(e){
let t=ne(this.tree,this.plan,this.folds,e);this.rebuild(),this.select(this.rows.findIndex(r=>r.ref<0&&r.node===t))}rowOf(e){return this.places??=
new Map(this.rows.map((t,r)=>[y(t),r])),this.places.get(re(this.tree,this.plan,this.folds,e))??-1}restore(e,t,r){this.folds.open.fill(0);for(let s of e)
this.folds.open[s]=1;this.folds.split=new Set(t),this.rebuild(),r>=0&&r<this.tree.size&&this.jump(r)}get splitParents(){return[...this.folds.
split]}rebuild(){let e=this.rows[this.focus],t=this.rows[this.anchor];this.rows=x(this.tree,this.plan,this.folds),this.places=void 0,this.focus=
e?this.rowNear(e):0,this.anchor=t?this.rowNear(t):0}rowNear(e){let t=this.rows.findIndex(s=>y(s)===y(e));if(t>=0)return t;let r=e.ref<0?e.node:
this.tree.refs[e.ref][0];return this.rows.findLastIndex(({ref:s,node:i,times:o})=>{let a=i+o*(this.tree.end[i]-i);return s<0&&i<=r&&r<a})}};var A=class{constructor(e){this.opened=e;this.element.append(this.list)}opened;element=d("div",{class:"panels"});list=d("div",{class:"tabs",
role:"tablist","aria-label":"Panels",keydown:e=>this.press(e)});tabs=[];get current(){return this.tabs.find(({place:e})=>!e.hidden)?.name??""}place(e,t){
let r=this.tabs.find(o=>o.name===e);if(r)return r.place;let s=d("button",{type:"button",role:"tab",id:`tab-${e}`,"data-tab":e,"aria-selected":"\
false",tabindex:-1,click:()=>this.open(e)},t),i=d("div",{role:"tabpanel","aria-labelledby":s.id});return i.hidden=!0,this.tabs.push({name:e,
tab:s,place:i}),this.list.append(s),this.element.append(i),i}label(e,t){let r=this.tabs.find(s=>s.name===e)?.tab;r&&f(r,t)}open(e){for(let{name:t,
tab:r,place:s}of this.tabs)s.hidden=t!==e,c(r,{"aria-selected":t===e,tabindex:t===e?0:-1});this.opened(e)}press(e){let t={ArrowRight:1,ArrowLeft:-1}[e.
key];if(!t)return;let r=this.tabs.findIndex(({name:i})=>i===this.current),s=this.tabs[(r+t+this.tabs.length)%this.tabs.length];this.open(s.name),
s.tab.focus()}};var G=[["run","Run"],["orders","Orders"],["findings","Findings"],["code","Code"],["costs","Costs"]],Be=["tree","plan","run","costs","focus",
"rows","scroll","hits","colour","theme","size"],Je="This panel comes from the kernel when a page first needs it. Without one (a saved or exp\
orted page) it cannot be shown.",M=class{constructor(e,t){this.page=e;this.load=t;let r=s=>d("div",{class:`slot ${s}`});this.places={side:r(
"side"),top:r("top"),edge:r("edge"),tools:r("tools")};for(let[s,i]of G)this.tabs.place(s,i).append(d("p",{class:"note"},Je));this.tabs.open(
G[0][0])}page;load;tabs=new A(()=>this.opened());places;mounted=new Map;listeners=new Set;fresh=new Set;frame=0;asked;fetch(){return this.asked??=
this.load().then(e=>this.mount(e),e=>{this.asked=void 0;for(let[t,r]of G)this.tabs.place(t,r).replaceChildren(d("p",{class:"note"},`The pane\
ls could not be loaded: ${e.message}`))})}changed(...e){if(this.mounted.size+this.listeners.size!==0){for(let t of e)this.fresh.add(t);this.
frame||(this.frame=requestAnimationFrame(()=>this.flush()))}}subscribe(e){return this.listeners.add(e),()=>this.listeners.delete(e)}destroy(){
cancelAnimationFrame(this.frame);for(let{panel:e}of this.mounted.values())e?.destroy();this.mounted.clear(),this.listeners.clear()}opened(){
!this.mounted.size&&this.page.root.dataset.ready&&this.fetch(),this.show()}mount(e){this.page.root.after(d("style",{},e.style));for(let[t,r]of Object.
entries(e.panels)){let s=r.slot==="tab"?this.tabs.place(t,r.label):this.places[r.slot].appendChild(d("div",{"data-panel":t}));s.replaceChildren(),
this.mounted.set(t,{kind:r,place:s,owed:new Set(Be)})}this.show()}flush(){this.frame=0;let e=new Set(this.fresh);this.fresh.clear();for(let{
owed:t}of this.mounted.values())for(let r of e)t.add(r);this.show();for(let t of this.listeners)t(e)}show(){for(let[e,t]of this.mounted){if(t.
place.hidden||t.owed.size===0)continue;let r=t.owed;t.owed=new Set;try{t.panel??=this.made(t),t.panel.update(r)}catch(s){throw this.page.refuse(
{title:`The panel ${e} failed`,detail:String(s)}),s}}}made({kind:e,place:t}){let r=e.make(this.page);return t.append(r.element),r}};var b={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,error:null,log:[],seconds:0},Ye=500,pe=n=>n?
{...b,...JSON.parse(n)}:b;function ce(n,e){let t=e.id!==void 0&&e.id!==n.id?b:n;return e.seq!==void 0&&t!==b&&e.seq<=t.seq?n:{...t,...e,losses:[
...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-Ye)}}var P=n=>n.phase==="starting"||n.phase==="running",de={idle:"Not run ye\
t.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function he(n){let e=[n.backend,n.devices].filter(Boolean).
join(", "),t=n.nprocs?` on ${n.nprocs} ${n.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",r=n.steps?`, step ${n.step} of ${n.steps}`:"",
s=n.seconds?`, ${n.seconds.toFixed(1)} s`:"";return n.phase==="idle"?de.idle:`${de[n.phase]}${t}${r}${s}`}var Ze="Select modules (click, Shift+click, arrows), then mark them: F fully shard, R replicate, I ignore, U clear.",$=class{element=d("div",
{class:"status","data-role":"status",role:"status","aria-live":"polite"},Ze);get failing(){return this.element.dataset.kind==="error"}tell(e){
this.element.replaceChildren(e),c(this.element,{"data-kind":"told"})}refuse({title:e,detail:t}){this.element.replaceChildren(d("b",{},e),d("\
p",{},t)),c(this.element,{"data-kind":"error"})}};var Qe=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷ Redo","Redo (Ctrl+Shif\
t+Z)",{do:"redo"}],null,["open_all","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",
{do:"closeAll"}],["split","Split ×n","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],ue={fully_shard:[
"shard","F"],replicate:["replicate","R"],ignore:["ignore","I"]},L=class{element=d("div",{class:"bar",role:"toolbar","aria-label":"Plan"});buttons=new Map;constructor(e){
for(let t of Qe){if(t===null){this.element.append(d("span",{class:"gap"}));continue}let[r,s,i,o]=t,a=B(r,s,i,()=>e(o));if(ue[r]){let[l,p]=ue[r];
a.dataset.hue=l,a.prepend(d("span",{"data-cell":"swatch","aria-hidden":"true"},p))}this.buttons.set(r,a),this.element.append(a)}}enable(e,t){
this.buttons.get(e).disabled=!t}};var fe={f:"fully_shard",r:"replicate",i:"ignore",u:"clear"},Xe={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},Escape:{do:"\
leave"},"+":{do:"openAll"},"-":{do:"closeAll"},s:{do:"split"},g:{do:"group"}};function me(n,e){let t=n.key.length===1?n.key.toLowerCase():n.
key;if(n.altKey)return null;if(n.ctrlKey||n.metaKey)return et(t,n.shiftKey);let r={ArrowDown:1,ArrowUp:-1,PageDown:e,PageUp:-e};return t in r?
{do:"move",by:r[t],extend:n.shiftKey}:t==="Home"||t==="End"?{do:"edge",end:t==="End",extend:n.shiftKey}:t in fe?{do:"mark",verb:fe[t]}:Xe[t]??
null}function et(n,e){return n==="z"?{do:e?"redo":"undo"}:n==="y"?{do:"redo"}:null}var ge=2,N=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=d("div",{...t,scroll:()=>this.schedule()},this.pad),
typeof ResizeObserver<"u"&&(this.resize=new ResizeObserver(()=>this.paint()),this.resize.observe(this.view))}rowHeight;make;fill;view;pad=d(
"div",{class:"pad",role:"presentation"});pool=[];shown=[];count=0;frame=0;resize;get page(){return Math.max(1,Math.floor(this.view.clientHeight/
this.rowHeight))}get first(){return this.view.scrollTop/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight}show(e,t=-1){this.count=
e,this.pad.style.height=`${e*this.rowHeight}px`,this.shown.fill(-1),t>=0&&this.scrollTo(t*this.rowHeight),this.paint()}paint(){let e=this.page+
1+2*ge,t=Math.max(0,Math.floor(this.view.scrollTop/this.rowHeight)-ge),r=Math.min(this.count,t+e);this.grow(Math.min(this.count,e));let s=this.
pool.length,i=new Set;for(let o=t;o<r;o++){let a=o%s;i.add(a),this.shown[a]!==o&&(this.shown[a]=o,this.pool[a].hidden=!1,this.pool[a].style.
transform=`translateY(${o*this.rowHeight}px)`,this.fill(this.pool[a],o))}this.pool.forEach((o,a)=>{i.has(a)||(o.hidden=!0,this.shown[a]=-1)})}elementOf(e){
let t=this.shown.indexOf(e);return t<0?void 0:this.pool[t]}destroy(){this.resize?.disconnect(),cancelAnimationFrame(this.frame)}scrollTo(e){
let{scrollTop:t,clientHeight:r}=this.view,s=e+this.rowHeight-r;e<t?this.view.scrollTop=e:r>0&&s>t&&(this.view.scrollTop=s)}grow(e){if(!(e<=this.
pool.length)){for(;this.pool.length<e;){let t=this.make(this.pool.length);this.pool.push(t),this.pad.append(t)}this.shown=this.pool.map(()=>-1)}}schedule(){
cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.paint())}};var q=24,tt=14,nt=18,rt=["fold","swatch","name","type","times","ties","alarm"],be=[["own","own","Elements of the module's direct parameters"],
["total","subtree","Elements of the whole subtree, each tensor once"],["unit","unit","The unit that owns the parameters"],["dfs","#","Place \
in the pre-order (DFS) of the modules; k counts the siblings of a ×n row"],["handle","H","Place of the unit's handle in get_handles(root)"],
["init_c","I₁","When its handle is made by fully_shard (composable path)"],["init_w","I₂","When its handle is made by FullyShardedDataPa\
rallel (wrapper path)"]],st=["now","live"],ot={shard:"shard",replicate:"replicate",ignore:"ignore",none:"line"},I=class{constructor(e){this.
events=e;let t={class:"rows",role:"tree",tabindex:0,"aria-multiselectable":"true","aria-label":"Modules"};this.list=new N(q,t,it,(s,i)=>this.
fill(s,i)),this.list.view.addEventListener("click",s=>this.click(s)),this.list.view.addEventListener("scroll",()=>e.scrolled()),this.list.view.
addEventListener("keydown",s=>this.press(s));let r=be.map(([s,i,o])=>d("span",{class:`num ${s}`,title:o},i));this.element=d("div",{class:"tr\
ee"},d("div",{class:"heads","aria-hidden":"true"},d("span",{},"module"),...r),this.stage),this.stage.append(this.list.view)}events;element;stage=d(
"div",{class:"stage"});list;outline;pointed={now:[],live:[]};pointedRows={now:new Set,live:new Set};height="";show(e,t){this.outline=e;let r=`${Math.
min(e.rows.length,nt)*q+2}px`;this.height!==r&&(this.list.view.style.height=this.height=r);for(let s of st)this.pointedRows[s]=new Set(this.
pointed[s].map(i=>e.rowOf(i)));this.list.show(e.rows.length,t?e.focus:-1),c(this.list.view,{"aria-activedescendant":this.list.elementOf(e.focus)?.
id??null})}get painted(){return this.list.view.clientHeight>0}get viewport(){return{first:this.list.first,count:this.list.page,rowHeight:q}}scrollTo=e=>this.
list.jumpTo(e);colourOf=e=>`var(--${ot[v[this.outline.plan.status[e]].hue]})`;point(e,t){this.pointed[e]=t,this.outline&&this.show(this.outline,
!1)}takeFocus=()=>this.list.view.focus({preventScroll:!0});destroy=()=>this.list.destroy();click(e){let t=e.target,r=t.closest("[data-row]");
if(!r)return;let s=Number(r.dataset.row);t.dataset.cell==="fold"&&this.outline.isParent(this.outline.rows[s])?this.events.toggle(s):t.dataset.
cell==="times"?this.events.split(s):this.events.select(s,e.shiftKey),this.takeFocus()}press(e){let t=me(e,this.list.page-1);t&&(e.preventDefault(),
t.do==="leave"?this.list.view.blur():this.events.act(t))}fill(e,t){let r=this.outline.rows[t],{tree:s,plan:i}=this.outline,o=S(i,r),a=this.outline.
isParent(r);c(e,{"data-row":t,"data-index":r.node,"data-fqn":k(s,r),"data-count":r.times,"data-status":r.ref<0?o.letter:"ref","data-hue":r.ref<
0?o.hue:"none","data-alarm":r.ref<0?i.alarm[r.node]:0,"aria-level":r.level,"aria-posinset":r.position,"aria-setsize":r.siblings,"aria-select\
ed":this.outline.isSelected(t),"aria-expanded":a?this.outline.isOpen(r):null,"data-now":this.pointedRows.now.has(t)||null,"data-live":this.pointedRows.
live.has(t)||null,"data-focus":t===this.outline.focus?"1":null}),e.style.setProperty("--indent",`${Math.min(r.level-1,24)*tt}px`);let l=r.ref<
0?this.moduleTexts(r,a):this.referenceTexts(r);l.words=R(s,i,r);for(let p of e.querySelectorAll("[data-cell]"))f(p,l[p.dataset.cell]??"");e.
title=r.ref<0?E(s,r.node):""}moduleTexts(e,t){let{tree:r,plan:s}=this.outline,i=r.cls[e.node],o=m(e),a=U(r,e.node,e.times),l=r.parent[e.node],
p=h=>V(o.map(u=>s.unitAt.get(u)?.[h]??-1));return{fold:t?this.outline.isOpen(e)?"▾":"▸":"",swatch:S(s,e).glyph,name:e.node===0?r.title:/^\d/.
test(a)&&l>0?`${r.names[l]}.${a}`:a,type:e.node===0&&r.classes[i][0]===r.title?"":r.classes[i][0],times:e.times>1?`×${e.times}`:this.outline.
isSplit(e)?"⊟":"",ties:(r.tiesOf.get(e.node)??[]).map(h=>`tie ${h}`).join(" "),alarm:["","i","▲","!"][s.alarm[e.node]],own:r.own[i]?g(r.
own[i]):"",total:r.total[i]?g(r.total[i]):"",unit:W(s,o),dfs:`#${V(o)}`,handle:p("handle"),init_c:p("init_c"),init_w:p("init_w")}}referenceTexts(e){
let{tree:t}=this.outline,[,r,,s]=t.refs[e.ref],i=e.node===0?t.title:T(t,e.node);return{fold:s==="back"?"↺":"↪",name:r,type:`same as ${i}\
 (#${e.node})`}}};function it(n){let e=(s,i={})=>d("span",{"data-cell":s,"aria-hidden":"true",...i}),t=be.map(([s])=>s==="unit"?d("span",{class:"\
num unit"},e(s)):e(s,{class:`num ${s}`})),r=d("span",{class:"main"},d("span",{"data-cell":"words"}),...rt.map(s=>e(s)));return d("div",{class:"\
row",role:"treeitem",id:`row-${n}`},r,...t)}var F=class{constructor(e,t){this.model=e;this.now=t}model;now;text="";timer;saveSoon(){clearTimeout(this.timer),this.timer=setTimeout(()=>this.
save(),250)}get isNews(){return this.model.get("view")!==this.text}read(){let e=String(this.model.get("view")??"");return e?JSON.parse(e):{}}destroy=()=>clearTimeout(
this.timer);save(){this.text=JSON.stringify({...this.read(),...this.now()}),this.model.set("view",this.text),this.model.save_changes()}};var at=2e3,H=class{constructor(e){this.model=e;this.talk=new w(o=>e.send(o),o=>this.silence(o)),this.panels=new M(this,()=>J(this.talk)),this.
saved=new F(e,()=>this.viewNow()),this.gone.hidden=!0;let{top:t,edge:r,side:s,tools:i}=this.panels.places;this.root.append(d("div",{class:"h\
ead"},this.title," ",this.totals),this.toolbar.element,i,le(),this.gone,d("div",{class:"body"},d("div",{class:"outline"},t,this.view.element),
s),this.detail,this.status.element,this.panels.tabs.element),this.view.stage.append(r)}model;root=d("div",{class:"shx","data-kernel":"alive"});run=b;hits=[];title=d(
"b",{"data-role":"title"});totals=d("span",{class:"note","data-role":"totals"});detail=d("div",{class:"detail","data-role":"detail"});status=new $;gone=d(
"div",{class:"gone","data-role":"gone",role:"alert"},"No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its la\
st state; run the cell again after a restart.");toolbar=new L(e=>this.act(e));view=new I({act:e=>this.act(e),select:(e,t)=>this.moved(()=>this.
outline.select(e,t)),toggle:e=>this.folded(()=>this.outline.toggle(e)),split:e=>this.folded(()=>this.outline.toggleSplit(e)),scrolled:()=>this.
panels.changed("scroll")});talk;panels;saved;outline;get tree(){return this.outline.tree}get plan(){return this.outline.plan}get rows(){return this.
outline.rows}get focus(){return this.outline.focus}get focused(){return this.rows[this.focus].node}get selected(){return this.outline.selectedIndices()}get viewport(){
return this.view.viewport}trait=e=>JSON.parse(String(this.model.get(e)||"null"));rowOf=e=>this.outline.rowOf(e);colourOf=e=>this.view.colourOf(
e);reveal=e=>this.jump(e);scrollTo=e=>this.view.scrollTo(e);point=(e,t)=>this.view.point(e,t);ask=(e,t={})=>this.talk.ask(e,t);tell=e=>this.
status.tell(e);refuse=e=>this.status.refuse(e);subscribe=e=>this.panels.subscribe(e);label=(e,t)=>this.panels.tabs.label(e,t);open=e=>this.panels.
tabs.open(e);command=async(e,t={})=>{c(this.root,{"data-waiting":e});let r=await this.talk.ask(e,t);return c(this.root,{"data-waiting":null}),
r.ok?(e!=="stop"||P(this.run))&&this.tell(ve[e]??`${this.plan.state.last||e}`):this.refuse(r.error??{title:"The kernel refused",detail:"It g\
ave no reason."}),r.ok};readTree=()=>{try{let e=ie(String(this.model.get("tree")));this.outline=new O(e,this.planOn(e.size))}catch(e){return this.
refuse({title:"The tree cannot be drawn",detail:String(e)})}return f(this.title,this.tree.title),this.applyView(!0),this.panels.changed("tre\
e"),this.showPlan()};readPlan=()=>{this.outline&&(this.outline.setPlan(this.planOn(this.tree.size)),this.showPlan(),this.status.failing&&this.
tell("The plan has changed."))};showPlan(){let{state:e}=this.plan,t=e.conflicts.length+e.findings.length;this.label("findings",t?`Findings (${t}\
)`:"Findings"),this.toolbar.enable("undo",e.undo),this.toolbar.enable("redo",e.redo),f(this.totals,ae(this.tree.size,e)),c(this.root,{"data-\
rev":e.rev}),this.panels.changed("plan","rows"),this.draw()}readRun=()=>this.follow(pe(String(this.model.get("run")??"")));readCosts=()=>this.
panels.changed("costs");follow(e){let[t,r]=[P(this.run),P(e)];this.run=e,this.panels.changed("run"),r&&!t?this.tell(ve.run):t&&!r&&!this.status.
failing&&this.tell(he(e))}readView=()=>{!this.saved.isNews||!this.outline||(this.applyView(!1),this.draw(!0))};hear=e=>{this.talk.hear(!0),e.
type==="run"?this.follow(ce(this.run,e)):e.type==="notice"?this.refuse(e.error):this.talk.receive(e)};get painted(){return!this.outline||this.
view.painted}ready(){c(this.root,{"data-ready":1}),this.outline&&this.panels.fetch()}repaint(){this.outline&&this.draw(!0)}retheme=()=>this.
panels.changed("theme","colour");destroy(){this.saved.destroy(),this.talk.close(),this.view.destroy(),this.panels.destroy()}planOn=e=>Q(String(
this.model.get("plan")??""),e);act(e){let{outline:t}=this;if(t)switch(e.do){case"move":return this.moved(()=>t.select(t.focus+e.by,e.extend));case"\
edge":return this.moved(()=>t.select(e.end?t.rows.length-1:0,e.extend));case"mark":return this.edit("mark",{verb:e.verb});case"group":return this.
edit("group");case"undo":case"redo":return void this.command(e.do);case"split":return this.folded(()=>t.toggleSplit(t.focus));case"leave":return;case"\
openAll":case"closeAll":return this.folded(()=>t[e.do]());default:return this.moved(()=>t[e.do]())}}edit(e,t={}){let r=this.selected;r.length?
this.command(e,{...t,indices:r}):this.refuse({title:"This row is a reference",detail:"Its module is listed elsewhere: Enter goes there, then\
 mark it."})}silence(e){this.gone.hidden=!e,c(this.root,{"data-kernel":e?"gone":"alive"})}jump(e){e>=0&&this.moved(()=>this.outline.jump(e)),
this.view.takeFocus()}moved(e){e(),this.panels.changed("focus","rows"),this.draw(!0),this.saved.saveSoon()}folded(e){e(),this.panels.changed(
"rows"),this.draw(),this.saved.saveSoon()}draw(e=!1){this.view.show(this.outline,e);let{tree:t,plan:r,rows:s,focus:i,anchor:o}=this.outline,
a=s[i],l=Math.abs(i-o)+1,p=[l>1?`${l} rows selected`:"",R(t,r,a),a.ref<0?E(t,a.node):""];f(this.detail,p.filter(Boolean).join(" · "))}viewNow(){
let{outline:e}=this,t=e.rows.filter(e.isOpen).map(({node:r})=>r).slice(0,at);return{selected:this.focused,open:t,split:e.splitParents}}applyView(e){
let t=this.saved.read();e&&t.open?this.outline.restore(t.open,t.split??[],t.selected??0):t.selected!==void 0&&t.selected<this.tree.size&&this.
outline.jump(t.selected)}},ve={run:"The run has started.",stop:"The run is being stopped.",undo:"Undone.",redo:"Redone."};function we(n){n.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])n.addEventListener(
e,t=>t.stopPropagation())}var xe=':host{display:block;min-width:0}.shx{--ink: #1c2430;--soft: #5a6675;--paper: #fff;--raised: #f4f6f9;--line: #d5dbe3;--chosen: #dbe9f\
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
sor:help}.rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable}.rows{border-bottom:1px solid var(--line);resize:verti\
cal;min-height:26px}.stage,.body{display:flex}.stage>.rows,.outline{flex:1;min-width:0}.slot:empty{display:none}.edge{width:64px}.tree:has(.\
edge:not(:empty)) .heads{margin-right:64px}.row[data-live]{box-shadow:inset 0 0 0 1px var(--hue),inset 3px 0 var(--lane, transparent)}.row[d\
ata-now]{outline:2px dashed var(--ring);outline-offset:-2px}.pad{position:relative}.row{position:absolute;left:0;right:0;height:24px;line-he\
ight:24px;white-space:nowrap;cursor:default;font-family:var(--mono);font-size:12px;box-shadow:inset 3px 0 var(--lane, transparent)}.row[data\
-hue=shard],.row[data-hue=replicate],.row[data-hue=ignore]{--lane: var(--hue)}.row:hover{background:var(--raised)}.row[aria-selected=true]{b\
ackground:var(--chosen)}.rows:focus .row[data-focus]{outline:2px solid var(--ring);outline-offset:-2px;border-radius:3px}.main{display:flex;\
align-items:center;gap:5px;padding-left:var(--indent, 0);min-width:0;overflow:hidden}.main>*{flex:none}.main>:empty{display:none}[data-cell=\
fold],.main>[data-cell=fold]:empty{display:block;width:14px;text-align:center;color:var(--soft);cursor:pointer}.main>[data-cell=swatch]:empt\
y{display:inline-block}[data-cell=words]{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}[data-cell=name]{font-weight:600}.\
main>[data-cell=type]{color:var(--soft);flex:0 1 auto;overflow:hidden;text-overflow:ellipsis}[data-cell=times]{border:1px solid var(--line);\
border-radius:9px;line-height:16px;padding:0 7px;cursor:pointer;background:var(--raised)}[data-cell=ties]{border:1px dashed var(--soft);bord\
er-radius:3px;line-height:14px;padding:0 4px;font-size:11px}[data-cell=alarm]{font-weight:700;border:1px solid var(--line);border-radius:3px\
;line-height:14px;padding:0 4px}[data-alarm="3"] [data-cell=alarm]{color:var(--bad);border-color:var(--bad);background:repeating-linear-grad\
ient(45deg,transparent 0 3px,var(--bad-paper) 3px 6px)}.num{text-align:right;overflow:hidden;text-overflow:ellipsis;font-variant-numeric:tab\
ular-nums}.row .dfs{color:var(--soft)}.row [data-cell=unit]:not(:empty){border:1px solid var(--hue);color:var(--hue);border-radius:9px;paddi\
ng:1px 6px;font-size:11px}.row[data-status=F] [data-cell=unit]:not(:empty){background:var(--hue);color:var(--hue-ink)}.detail{color:var(--so\
ft);padding:4px 6px;min-height:18px;overflow-wrap:anywhere}.status{padding:4px 8px;min-height:19px;border-left:3px solid var(--line);margin:\
2px 0 6px;white-space:pre-wrap;overflow-wrap:anywhere;font-family:var(--mono);font-size:12px}[data-waiting] .status:after{content:" …"}.stat\
us p,.error pre{margin:2px 0 0;white-space:pre-wrap}.status[data-kind=error],.error,.gone{border-left:3px solid var(--bad);background:var(--\
bad-paper);padding:6px 8px;margin:4px 0}.status[data-kind=error] b:before,.error>b:before{content:"! ";color:var(--bad)}.tabs{display:flex;f\
lex-wrap:wrap;gap:2px;border-bottom:1px solid var(--line);margin-bottom:8px}.tabs button{border:0;border-radius:4px 4px 0 0;background:none;\
padding:4px 12px;color:var(--soft)}.tabs button[aria-selected=true]{color:var(--ink);box-shadow:inset 0 -2px var(--ring);font-weight:600}pre\
{margin:4px 0;max-height:220px;overflow:auto;font:12px/1.4 var(--mono);background:var(--raised);padding:6px 8px;border-radius:4px;white-spac\
e:pre-wrap;overflow-wrap:anywhere}.error pre{background:none;padding:0}code{font-family:var(--mono)}@container (max-width: 720px){.body{disp\
lay:block}.heads,.row{grid-template-columns:minmax(0,1fr) 72px 56px 60px}.own,.handle,.init_c,.init_w{display:none}}@container (max-width: 4\
20px){.heads,.row{grid-template-columns:minmax(0,1fr) 60px}.total,.num.unit{display:none}}@media(forced-colors:active){.row[aria-selected=tr\
ue]{outline:1px solid Highlight}}';function dt({model:n,el:e}){let t=new H(n);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(d("style",{},xe),t.root),we(e);let s=D(
t.root,t.retheme),i=[["change:tree",t.readTree],["change:plan",t.readPlan],["change:run",t.readRun],["change:costs",t.readCosts],["change:vi\
ew",t.readView],["msg:custom",t.hear]];for(let[o,a]of i)n.on(o,a);return t.readTree(),t.readRun(),ye(t,!1),()=>{for(let[o,a]of i)n.off(o,a);
s(),t.destroy()}}function ye(n,e){requestAnimationFrame(()=>{if(!n.root.isConnected||!n.painted)return ye(n,!0);e&&n.repaint(),requestAnimationFrame(
()=>n.ready())})}var vn={render:dt};export{vn as default};
