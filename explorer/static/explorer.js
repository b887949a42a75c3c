// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
function $e(n){let e=n.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(n.className)?"dark":n.
classList.contains("vscode-light")?"light":null}function ee(n,e){let t=typeof matchMedia=="function"?matchMedia("(prefers-color-scheme: dark\
)"):null,r=()=>{n.dataset.theme=$e(document.body)??(t?.matches?"dark":"light"),e()},s=new MutationObserver(r);return s.observe(document.body,
{attributes:!0,attributeFilter:["data-jp-theme-light","class"]}),t?.addEventListener("change",r),r(),()=>{s.disconnect(),t?.removeEventListener(
"change",r)}}function c(n,e={},...t){return Le(document.createElement(n),e,t)}function Le(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,String(s));return n.append(
...t),n}function m(n,e){n.textContent!==e&&(n.textContent=e)}function p(n,e){for(let[t,r]of Object.entries(e))r===null?n.removeAttribute(t):
n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function te(n,e,t,r){return c("button",{type:"button","data-cmd":n,title:t,click:r},
e)}var Ie=Symbol.for("sharding-explorer.chunks"),Ne=()=>globalThis[Ie]??=new Map,Fe=async n=>{let e=URL.createObjectURL(new Blob([n],{type:"tex\
t/javascript"}));try{return await import(e)}finally{URL.revokeObjectURL(e)}};async function ne(n,e=Fe){let t=Ne(),r=await n.ask("chunk",{name:"\
extras",have:[...t.keys()]},!0);if(!r.ok)throw new Error(r.error?.detail??"The kernel refused and gave no reason.");let{digest:s,text:o}=r.value,
i=t.get(s)??e(o).then(a=>a.default);return t.set(s,i),i.catch(()=>t.delete(s)),i}var He={set:(n,e)=>setTimeout(n,e),clear:n=>clearTimeout(n)},T=class{constructor(e,t,r=He){this.send=e;this.onSilence=t;this.clock=r}send;onSilence;clock;#e=new Map;#t=0;#n=!1;#s=Math.
random().toString(36).slice(2,8);ask(e,t={},r=!1){let s=`${this.#s}-${++this.#t}`;return new Promise(o=>{let i=r?void 0:this.clock.set(()=>this.
hear(!1),1e4);this.#e.set(s,{answer:o,timer:i}),this.send({id:s,cmd:e,...t})})}receive(e){let t=this.#e.get(e.id);return e.type!=="reply"||!t?
!1:(this.#e.delete(e.id),this.clock.clear(t.timer),this.hear(!0),t.answer(e),!0)}close(){for(let{timer:e}of this.#e.values())this.clock.clear(
e);this.#e.clear()}hear(e){this.#n===e&&(this.#n=!e,this.onSilence(this.#n))}};var re=new WeakMap;function G(n,e,t,r){if(r)return se(n,t).map(i=>oe(n,i));let s=re.get(e)??new Map;re.set(e,s);let o=s.get(t)??Ce(n,e,t);return s.
set(t,o),o}function S(n,{first:e,times:t,stride:r},s){let o=s-e;return o>=0&&o<t*r&&o%r<n.end[e]-e}function se(n,e){let t=[];for(let r=e+1;r<
n.end[e];r=n.end[r])t.push(r);return t}var oe=(n,e)=>({first:e,times:1,period:1,stride:n.end[e]-e,beside:-1});function Ce(n,e,t){let r=se(n,
t),s=[],o=0;for(let i=0;i<r.length;){if(i>=o)for(o=i+1;o<r.length&&_e(n,r[o-1],r[o]);)o++;let[a,l]=je(n,e,r,i,o);for(let d=0;d<Math.min(a,l);d++){
let h=Math.ceil((l-d)/a),u=oe(n,r[i+d]);s.push(h===1?u:{...u,times:h,period:a,stride:r[i+d+a]-u.first})}i+=l}return s.forEach((i,a)=>i.beside=
Ke(n,s,a)),s}var V=/^(0|[1-9]\d*)$/,_e=(n,e,t)=>V.test(n.names[e])&&String(Number(n.names[e])+1)===n.names[t];function je(n,e,t,r,s){let o=[
1,1];for(let i=1;i<=4&&o[1]<s-r;i++){let a=r+i;for(;a<s&&Ue(n,e,t[a-i],t[a]);)a++;let l=a-r;a<=s&&l>=2*i&&l>o[1]&&(o=[i,l])}return o}function Ke(n,e,t){
let r=i=>i&&i.times>1&&V.test(n.names[i.first])?i.times:0;if(e[t].times>1||!V.test(n.names[e[t].first]))return-1;let[s,o]=[e[t-1],e[t+1]];return r(
s)+r(o)===0?-1:r(s)>=r(o)?s.first:o.first}var Ue=(n,e,t,r)=>x(n,e,t,r)==="";function x(n,e,t,r){if(n.cls[t]!==n.cls[r])return n.classes[n.cls[t]][0]===
n.classes[n.cls[r]][0]?"structure":"type";let s=n.end[t]-t,o=(i,a)=>i>=a&&i<a+s?i-a:-2-i;for(let i=0;i<s;i++){if(e.status[t+i]!==e.status[r+
i])return"status";if(o(e.head[t+i],t)!==o(e.head[r+i],r))return"owner";if(!ze(e,t+i,r+i))return"unit settings";if(e.alarm[t+i]!==e.alarm[r+i])
return"findings";if(!Ve(n,t,r,i,o))return"shared modules";if(!Ge(n,t,r,i,o))return"ties"}return""}function ze(n,e,t){if(n.head[e]!==e&&n.head[t]!==
t)return!0;let r=s=>{let o=n.unitAt.get(s);return o&&JSON.stringify([o.strategy,o.options,o.nparams,o.fqns.length])};return r(e)===r(t)}function Ve(n,e,t,r,s){
if(n.refs.length===0)return!0;let o=n.refsOf.get(e+r)??[],i=n.refsOf.get(t+r)??[];return o.length===i.length&&o.every((a,l)=>{let[,d,h,u]=n.
refs[a],[,f,g,z]=n.refs[i[l]];return d===f&&u===z&&s(h,e)===s(g,t)})}function Ge(n,e,t,r,s){if(n.tieEnds.size===0)return!0;let o=n.tieEnds.get(
e+r)??[],i=n.tieEnds.get(t+r)??[];return o.length===i.length&&o.every(([a,l,d],h)=>{let[u,f,g]=i[h];return a===u&&d===g&&s(l,e)===s(f,t)})}var W="uFfRrIi",We=["","info","warn","error"],ie={v:1,rev:0,status:[],units:[],unit_of:[],orders:{},conflicts:[],findings:[],totals:{},code:"",
last:"",undo:!1,redo:!1};function le(n,e){return qe(n?{...ie,...JSON.parse(n)}:ie,e)}function qe(n,e){let t=new Uint8Array(e),r=new Int32Array(
e).fill(-1),s=new Int32Array(e).fill(-1),o=new Uint8Array(e);ae(n.status,(l,d)=>t[l]=Math.max(0,W.indexOf(d)));let i=new Map(n.units.map(l=>[
l.n,l]));ae(n.unit_of,(l,d)=>{r[l]=d,s[l]=i.get(d)?.index??-1});let a=(l,d)=>{for(let h of l.indices)o[h]=Math.max(o[h],d)};for(let l of n.findings)
a(l,Math.max(1,We.indexOf(l.severity??"warn")));for(let l of n.conflicts)a(l,3);return{state:n,status:t,unitOf:r,head:s,alarm:o,unitAt:new Map(
n.units.map(l=>[l.index,l]))}}function ae(n,e){for(let[t,r,s,o]of n)for(let i=t;i<r;i+=s||1)e(i,o)}function de(n){return{open:new Uint8Array(n.size),split:new Set}}var E=n=>n.ref<0?n.node:~n.ref;function R(n,e,t){let r=[],o=[{groups:[{first:0,
times:1,period:1,stride:n.size,beside:-1}],refs:[],next:0,scope:null}];for(;o.length>0;){let i=o[o.length-1],{groups:a,refs:l}=i;if(i.next===
a.length+l.length){o.pop();continue}let d=i.next++,h={level:o.length,position:i.next,siblings:a.length+l.length};if(d>=a.length){let k=l[d-a.
length];r.push({node:n.refs[k][2],ref:k,times:1,period:1,beside:-1,scope:i.scope,...h});continue}let{first:u,times:f,period:g,stride:z,beside:Pe}=a[d],
Q=f>1?{outer:i.scope,first:u,times:f,period:g,stride:z}:i.scope;if(r.push({node:u,ref:-1,times:f,period:g,beside:Pe,scope:Q,...h}),t.open[u]){
let k=t.split.has(u);o.push({groups:G(n,e,u,k),refs:n.refsOf.get(u)??[],next:0,scope:Q})}}return r}var q=(n,e)=>n.end[e]>e+1||n.refsOf.has(e);
function b(n){if(n.members)return n.members;let e=[n.node];for(let t=n.scope;t;t=t.outer){let{times:r,stride:s}=t;e=Array.from({length:r},(o,i)=>e.
map(a=>a+i*s)).flat()}return n.members=e}function M(n,e){let t=e.ref<0?[]:[n.refs[e.ref][1]],r=e.ref<0?e.node:n.refs[e.ref][0],s=e.scope;for(;r>
0;r=n.parent[r]){let o=s!==null&&s.first===r;t.push(o?D(n,s):n.names[r]),o&&(s=s.outer)}return t.reverse().join(".")}function D(n,{first:e,times:t,
period:r}){let s=n.names[e];if(t===1)return s;let o=`${s}–${Number(s)+(t-1)*r}`;return r===1?o:`(${o})/${r}`}var ce=(n,e,t,r)=>ue(n,e,t,r,
!0),he=(n,e,t,r)=>ue(n,e,t,r,!1);function ue(n,e,t,r,s){let o=[];for(let l=r;l>0;l=n.parent[l])o.push(l);let i=0,a=0;for(let l of o.reverse()){
if(s)t.open[a]=1;else if(!t.open[a])return a;let d=l-i,h=G(n,e,a,t.split.has(a)).find(f=>S(n,f,d)),u=Math.floor((d-h.first)/h.stride)*h.stride;
i+=u,a=d-u}return a}function pe(n,e,t,r=40){for(t.open[0]=1;;){let s=t.open.slice(),i=R(n,e,t).filter(a=>a.ref<0&&!t.open[a.node]&&q(n,a.node));
if(i.length===0)return;for(let a of i)t.open[a.node]=1;if(R(n,e,t).length>r){t.open.set(s);return}}}function fe(n){let e=JSON.parse(n);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return De(e)}function De(n){let{classes:e,root:t}=n,{modules:r,own:s,total:o}=Be(e),i=r[t],a={title:n.name,classes:e,
size:i,cls:new Int32Array(i),end:new Int32Array(i),depth:new Int32Array(i),parent:new Int32Array(i),names:new Array(i),own:s,total:o,refs:n.
refs??[],refsOf:new Map,tiesOf:new Map,tieEnds:new Map};return Xe(a,t,r),a.refs.forEach(([l],d)=>a.refsOf.set(l,[...a.refsOf.get(l)??[],d])),
Ze(a,n.ties??[]),a}function Be(n){let e=new Float64Array(n.length),t=new Float64Array(n.length),r=new Float64Array(n.length);return n.forEach(
([s,o,i],a)=>{t[a]=o.reduce((l,d)=>l+(Je(d)?Ye(d):0),0),e[a]=1,r[a]=t[a];for(let l of i){if(!(l[2]<a))throw new Error(`The tree payload is b\
roken: class ${a} (${s}) comes before its child ${l[0]}.`);e[a]+=B(l)*e[l[2]],r[a]+=B(l)*r[l[2]]}}),{modules:e,own:t,total:r}}var Je=([,,,n])=>!n.
includes("b")&&!n.includes("s"),B=([n,e])=>e===null?1:Number(e)-Number(n)+1,Ye=([,n])=>n.reduce((e,t)=>e*t,1);function Xe(n,e,t){let r=[],s=0,
o=(i,a,l)=>{let d=s++;n.cls[d]=i,n.end[d]=d+t[i],n.depth[d]=r.length,n.parent[d]=l,n.names[d]=a,n.classes[i][2].length>0&&r.push({kids:n.classes[i][2],
kid:0,nth:0,index:d})};for(o(e,"",-1);r.length>0;){let i=r[r.length-1];if(i.kid===i.kids.length){r.pop();continue}let a=i.kids[i.kid],l=a[1]===
null?a[0]:String(Number(a[0])+i.nth);++i.nth===B(a)&&(i.kid++,i.nth=0),o(a[2],l,i.index)}}function Ze(n,e){let t=Qe(n),r=(s,o,i)=>s.set(o,[...s.
get(o)??[],i]);e.forEach((s,o)=>{let i=o<26?String.fromCharCode(97+o):String(o),a=s.map(l=>{let d=l.lastIndexOf(".");return[t(l.slice(0,Math.
max(0,d))),l.slice(d+1)]});a.forEach(([l,d],h)=>{l<0||(r(n.tiesOf,l,i),r(n.tieEnds,l,[d,...a[h?0:a.length-1]]))})})}function O(n,e){let t=[];
for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}function Qe(n){let e=new Map,t=r=>{let s=e.get(r)??new Map;if(s.size===0)for(let o=r+1;o<n.end[r];o=n.end[o])s.set(n.names[o],o);return e.set(
r,s),s};return r=>{let s=0;for(let o of r===""?[]:r.split("."))if(s=t(s).get(o)??-1,s<0)break;return s}}var et={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},y=[...W].map(n=>({letter:n,...et[n]})),tt=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function v(n){for(let[e,t]of tt)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function J(n){
if(n.length===0||n.some(r=>r<0))return"";let e=(n[1]??n[0])-n[0];if(!n.every((r,s)=>r===n[0]+s*e))return`${Math.min(...n.slice(0,4096))}…`;
let t=Math.abs(e)===1?"":Math.abs(e);return e===0?String(n[0]):`${n[0]}${e<0?"−":"+"}${t}k`}function Y(n,e){let t=n.unitOf[e[0]],r=n.unitOf[e[e.
length-1]];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}function A(n,e){return y[n.status[e.node]]}function P(n,e,t){let r=M(n,t)||"the root m\
odule";if(t.ref>=0)return`${r}: the same module as ${O(n,t.node)||"the root"}, number ${t.node}`;let[s]=n.classes[n.cls[t.node]],o=v(n.total[n.
cls[t.node]]),i=e.unitAt.get(t.node);return[`${r}, ${s}${t.times>1?`, ${t.times} alike`:""}`,A(e,t).word,Y(e,b(t)).replace("u","unit "),`${o}\
 parameters${t.times>1?" each":""}`,i&&i.handle!==null?`handle ${i.handle}`:"",t.beside<0?"":`differs from its neighbours in ${x(n,e,t.beside,
t.node)}`,e.alarm[t.node]===3?"has a conflict":e.alarm[t.node]?"has a finding":""].filter(Boolean).join(", ")}function $(n,e){let[,t]=n.classes[n.
cls[e]];return t.map(([r,s,o,i])=>`${r} [${s.join(", ")}] ${o}${nt(i)}`).join("; ")}var nt=n=>(n.includes("b")?" buffer":"")+(n.includes("f")?
" frozen":"")+(/[ts]/.test(n)?" tied":"");function me(n,{totals:e,units:t,rev:r}){let o=["sharded","replicated","ignored","unmanaged"].filter(
l=>e[l]).map(l=>`${v(e[l])} ${l}`).join(", "),i=e.numel===void 0?"":` · ${v(e.numel)} parameters`,a=(l,d)=>`${l.toLocaleString("en")} ${d}${l===
1?"":"s"}`;return`${a(n,"module")}${i}${o?`: ${o}`:""} · ${a(t.length,"unit")} · revision ${r}`}var rt=[["u7","unit"],["H I₁ I₂","handles: listed, made by fully_shard, by the wrapper"],["5+10k","k-th of a ×n row"],["↪","same modu\
le again"],["tie a","tied parameters"],["▲","finding"],["!","conflict"]];function ge(){let n=y.map(({letter:t,glyph:r,hue:s,word:o})=>c("s\
pan",{class:"key","data-status":t,"data-hue":s},c("span",{"data-cell":"swatch"},r),o)),e=rt.map(([t,r])=>c("span",{class:"key"},c("b",{},t),
r));return c("div",{class:"legend",role:"group","aria-label":"Legend"},...n,...e)}var L=class{constructor(e,t){this.tree=e;this.plan=t;this.#e=de(e),pe(e,this.plan,this.#e),this.#n()}tree;plan;rows=[];focus=0;anchor=0;#e;#t;setPlan(e){
this.plan=e,this.#n()}isOpen=e=>e.ref<0&&this.#e.open[e.node]===1;isParent=e=>e.ref<0&&q(this.tree,e.node);isSelected=e=>e>=Math.min(this.anchor,
this.focus)&&e<=Math.max(this.anchor,this.focus);select(e,t=!1){this.focus=Math.max(0,Math.min(this.rows.length-1,e)),t||(this.anchor=this.focus)}selectedIndices(){
let e=this.rows.filter((t,r)=>t.ref<0&&this.isSelected(r));return[...new Set(e.flatMap(b))].sort((t,r)=>t-r)}toggle(e){let t=this.rows[e];this.
isParent(t)&&(this.#e.open[t.node]^=1,this.#n())}openAll(){this.#e.open.fill(1),this.#n()}closeAll(){this.#e.open.fill(0,1),this.#n()}toggleSplit(e){
let t=this.rows[e],r=this.tree.parent[t.scope?.first??t.node];r<0||t.ref>=0||(this.#e.split.delete(r)||this.#e.split.add(r),this.#n())}isSplit=e=>e.
ref<0&&this.#e.split.has(this.tree.parent[e.node]);open(){let e=this.rows[this.focus];this.isParent(e)&&!this.isOpen(e)?this.toggle(this.focus):
this.isOpen(e)&&this.select(this.focus+1)}close(){let{level:e}=this.rows[this.focus];if(this.isOpen(this.rows[this.focus])&&this.isParent(this.
rows[this.focus]))return this.toggle(this.focus);let t=this.focus;for(;t>0&&this.rows[t].level>=e;)t--;this.select(t)}enter(){let e=this.rows[this.
focus];e.ref>=0?this.jump(e.node):this.toggle(this.focus)}jump(e){let t=ce(this.tree,this.plan,this.#e,e);this.#n(),this.select(this.rows.findIndex(
r=>r.ref<0&&r.node===t))}rowOf(e){return this.#t??=new Map(this.rows.map((t,r)=>[E(t),r])),this.#t.get(he(this.tree,this.plan,this.#e,e))??-1}restore(e,t,r){
this.#e.open.fill(0);for(let s of e)this.#e.open[s]=1;this.#e.split=new Set(t),this.#n(),r>=0&&r<this.tree.size&&this.jump(r)}get splitParents(){
return[...this.#e.split]}#n(){let e=this.rows[this.focus],t=this.rows[this.anchor];this.rows=R(this.tree,this.plan,this.#e),this.#t=void 0,this.
focus=e?this.#s(e):0,this.anchor=t?this.#s(t):0}#s(e){let t=this.rows.findIndex(s=>E(s)===E(e));if(t>=0)return t;let r=e.ref<0?e.node:this.tree.
refs[e.ref][0];return this.rows.findLastIndex(s=>{let o=s.times>1?s.scope.stride:this.tree.end[s.node]-s.node;return s.ref<0&&S(this.tree,{first:s.
node,times:s.times,stride:o},r)})}};var I=class{constructor(e){this.opened=e;this.element.append(this.#e)}opened;element=c("div",{class:"panels"});#e=c("div",{class:"tabs",role:"\
tablist","aria-label":"Panels",keydown:e=>this.#n(e)});#t=[];get current(){return this.#t.find(({place:e})=>!e.hidden)?.name??""}place(e,t){
let r=this.#t.find(i=>i.name===e);if(r)return r.place;let s=c("button",{type:"button",role:"tab",id:`tab-${e}`,"data-tab":e,"aria-selected":"\
false",tabindex:-1,click:()=>this.open(e)},t),o=c("div",{role:"tabpanel","aria-labelledby":s.id});return o.hidden=!0,this.#t.push({name:e,tab:s,
place:o}),this.#e.append(s),this.element.append(o),o}label(e,t){let r=this.#t.find(s=>s.name===e)?.tab;r&&m(r,t)}open(e){for(let{name:t,tab:r,
place:s}of this.#t)s.hidden=t!==e,p(r,{"aria-selected":t===e,tabindex:t===e?0:-1});this.opened(e)}#n(e){let t={ArrowRight:1,ArrowLeft:-1}[e.
key];if(!t)return;let r=this.#t.findIndex(({name:o})=>o===this.current),s=this.#t[(r+t+this.#t.length)%this.#t.length];this.open(s.name),s.tab.
focus()}};var X=[["run","Run"],["orders","Orders"],["findings","Findings"],["code","Code"],["costs","Costs"]],st=["tree","plan","run","costs","focus",
"rows","scroll","hits","colour","theme","size"],ot="This panel comes from the kernel when a page first needs it. Without one (a saved or exp\
orted page) it cannot be shown.",N=class{constructor(e,t){this.page=e;this.load=t;let r=s=>c("div",{class:`slot ${s}`});this.places={side:r(
"side"),top:r("top"),edge:r("edge"),tools:r("tools")};for(let[s,o]of X)this.tabs.place(s,o).append(c("p",{class:"note"},ot));this.tabs.open(
X[0][0])}page;load;tabs=new I(()=>this.#d());places;#e=new Map;#t=new Set;#n=new Set;#s=0;#a;fetch(){return this.#a??=this.load().then(e=>this.#i(
e),e=>{this.#a=void 0;for(let[t,r]of X)this.tabs.place(t,r).replaceChildren(c("p",{class:"note"},`The panels could not be loaded: ${e.message}`))})}changed(...e){
if(this.#e.size+this.#t.size!==0){for(let t of e)this.#n.add(t);this.#s||(this.#s=requestAnimationFrame(()=>this.#l()))}}subscribe(e){return this.#t.
add(e),()=>this.#t.delete(e)}destroy(){cancelAnimationFrame(this.#s);for(let{panel:e}of this.#e.values())e?.destroy();this.#e.clear(),this.#t.
clear()}#d(){!this.#e.size&&this.page.root.dataset.ready&&this.fetch(),this.#r()}#i(e){this.page.root.after(c("style",{},e.style));for(let[t,
r]of Object.entries(e.panels)){let s=r.slot==="tab"?this.tabs.place(t,r.label):this.places[r.slot].appendChild(c("div",{"data-panel":t}));s.
replaceChildren(),this.#e.set(t,{kind:r,place:s,owed:new Set(st)})}this.#r()}#l(){this.#s=0;let e=new Set(this.#n);this.#n.clear();for(let{owed:t}of this.#e.
values())for(let r of e)t.add(r);this.#r();for(let t of this.#t)t(e)}#r(){for(let[e,t]of this.#e){if(t.place.hidden||t.owed.size===0)continue;
let r=t.owed;t.owed=new Set;try{t.panel??=this.#c(t),t.panel.update(r)}catch(s){this.#e.delete(e),t.place.replaceChildren(c("p",{class:"note"},
`The panel ${e} failed: ${s}`)),console.error(s)}}}#c({kind:e,place:t}){let r=e.make(this.page);return t.append(r.element),r}};var w={id:"",seq:0,phase:"idle",nprocs:0,backend:"",devices:"",step:0,steps:0,losses:[],reference:null,error:null,log:[],seconds:0},it=500,ve=n=>n?
{...w,...JSON.parse(n)}:w;function we(n,e){let t=e.id!==void 0&&e.id!==n.id?w:n;return e.seq!==void 0&&t!==w&&e.seq<=t.seq?n:{...t,...e,losses:[
...t.losses,...e.losses??[]],log:[...t.log,...e.log??[]].slice(-it)}}var F=n=>n.phase==="starting"||n.phase==="running",be={idle:"Not run ye\
t.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",stopped:"Stopped"};function xe(n){let e=[n.backend,n.devices].filter(Boolean).
join(", "),t=n.nprocs?` on ${n.nprocs} ${n.nprocs===1?"worker":"workers"}${e?` (${e})`:""}`:"",r=n.steps?`, step ${n.step} of ${n.steps}`:"",
s=n.seconds?`, ${n.seconds.toFixed(1)} s`:"";return n.phase==="idle"?be.idle:`${be[n.phase]}${t}${r}${s}`}var at="Select modules (click, Shift+click, arrows), then mark them: F fully shard, R replicate, I ignore, U clear.",H=class{element=c("div",
{class:"status","data-role":"status",role:"status","aria-live":"polite"},at);get failing(){return this.element.dataset.kind==="error"}tell(e){
this.element.replaceChildren(e),p(this.element,{"data-kind":"told"})}refuse({title:e,detail:t}){this.element.replaceChildren(c("b",{},e),c("\
p",{},t)),p(this.element,{"data-kind":"error"})}};var lt=[["fully_shard","Fully shard","Make each selected module a unit (F)",{do:"mark",verb:"fully_shard"}],["replicate","Replicate","Replic\
ate each selected module (R)",{do:"mark",verb:"replicate"}],["ignore","Ignore","Take the selected modules out of sharding (I)",{do:"mark",verb:"\
ignore"}],["clear","Clear","Remove the marks of the selected modules (U)",{do:"mark",verb:"clear"}],["group","One unit","Make one unit of al\
l selected modules (G)",{do:"group"}],null,["undo","↶ Undo","Undo the last edit (Ctrl+Z)",{do:"undo"}],["redo","↷ Redo","Redo (Ctrl+Shif\
t+Z)",{do:"redo"}],null,["open_all","Expand all","Open every module (+)",{do:"openAll"}],["close_all","Collapse all","Close every module (-)",
{do:"closeAll"}],["split","Split ×n","Show the siblings of a repeated row one by one, or gather them again (S)",{do:"split"}]],ye={fully_shard:[
"shard","F"],replicate:["replicate","R"],ignore:["ignore","I"]},C=class{element=c("div",{class:"bar",role:"toolbar","aria-label":"Plan"});#e=new Map;constructor(e){
for(let t of lt){if(t===null){this.element.append(c("span",{class:"gap"}));continue}let[r,s,o,i]=t,a=te(r,s,o,()=>e(i));if(ye[r]){let[l,d]=ye[r];
a.dataset.hue=l,a.prepend(c("span",{"data-cell":"swatch","aria-hidden":"true"},d))}this.#e.set(r,a),this.element.append(a)}}enable(e,t){this.#e.
get(e).disabled=!t}};var ke={f:"fully_shard",r:"replicate",i:"ignore",u:"clear"},dt={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},Escape:{do:"\
leave"},"+":{do:"openAll"},"-":{do:"closeAll"},s:{do:"split"},g:{do:"group"}};function Te(n,e){let t=n.key.length===1?n.key.toLowerCase():n.
key;if(n.altKey)return null;if(n.ctrlKey||n.metaKey)return ct(t,n.shiftKey);let r={ArrowDown:1,ArrowUp:-1,PageDown:e,PageUp:-e};return t in r?
{do:"move",by:r[t],extend:n.shiftKey}:t==="Home"||t==="End"?{do:"edge",end:t==="End",extend:n.shiftKey}:t in ke?{do:"mark",verb:ke[t]}:dt[t]??
null}function ct(n,e){return n==="z"?{do:e?"redo":"undo"}:n==="y"?{do:"redo"}:null}var Se=2,_=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=c("div",{...t,scroll:()=>this.#r()},this.#e),typeof ResizeObserver<
"u"&&(this.#d=new ResizeObserver(()=>this.paint()),this.#d.observe(this.view))}rowHeight;make;fill;view;#e=c("div",{class:"pad",role:"presen\
tation"});#t=[];#n=[];#s=0;#a=0;#d;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.rowHeight))}get first(){return this.view.
scrollTop/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight}show(e,t=-1){this.#s=e,this.#e.style.height=`${e*this.rowHeight}px`,
this.#n.fill(-1),t>=0&&this.#i(t*this.rowHeight),this.paint()}paint(){let e=this.page+1+2*Se,t=Math.max(0,Math.floor(this.view.scrollTop/this.
rowHeight)-Se),r=Math.min(this.#s,t+e);this.#l(Math.min(this.#s,e));let s=this.#t.length,o=new Set;for(let i=t;i<r;i++){let a=i%s;o.add(a),this.#n[a]!==
i&&(this.#n[a]=i,this.#t[a].hidden=!1,this.#t[a].style.transform=`translateY(${i*this.rowHeight}px)`,this.fill(this.#t[a],i))}this.#t.forEach(
(i,a)=>{o.has(a)||(i.hidden=!0,this.#n[a]=-1)})}elementOf(e){let t=this.#n.indexOf(e);return t<0?void 0:this.#t[t]}destroy(){this.#d?.disconnect(),
cancelAnimationFrame(this.#a)}#i(e){let{scrollTop:t,clientHeight:r}=this.view,s=e+this.rowHeight-r;e<t?this.view.scrollTop=e:r>0&&s>t&&(this.
view.scrollTop=s)}#l(e){if(!(e<=this.#t.length)){for(;this.#t.length<e;){let t=this.make(this.#t.length);this.#t.push(t),this.#e.append(t)}this.#n=
this.#t.map(()=>-1)}}#r(){cancelAnimationFrame(this.#a),this.#a=requestAnimationFrame(()=>this.paint())}};var Z=24,ht=14,ut=18,pt=["fold","swatch","name","type","times","differs","ties","alarm"],Re=[["own","own","Elements of the module's direct p\
arameters"],["total","subtree","Elements of the whole subtree, each tensor once"],["unit","unit","The unit that owns the parameters"],["dfs",
"#","Place in the pre-order (DFS) of the modules; k counts the siblings of a ×n row"],["handle","H","Place of the unit's handle in get_hand\
les(root)"],["init_c","I₁","When its handle is made by fully_shard (composable path)"],["init_w","I₂","When its handle is made by FullyS\
hardedDataParallel (wrapper path)"]],ft=["now","live"],mt={shard:"shard",replicate:"replicate",ignore:"ignore",none:"line"},j=class{constructor(e){
this.events=e;let t={class:"rows",role:"tree",tabindex:0,"aria-multiselectable":"true","aria-label":"Modules"};this.#e=new _(Z,t,gt,(s,o)=>this.#l(
s,o)),this.#e.view.addEventListener("click",s=>this.#d(s)),this.#e.view.addEventListener("scroll",()=>e.scrolled()),this.#e.view.addEventListener(
"keydown",s=>this.#i(s));let r=Re.map(([s,o,i])=>c("span",{class:`num ${s}`,title:i},o));this.element=c("div",{class:"tree"},c("div",{class:"\
heads","aria-hidden":"true"},c("span",{},"module"),...r),this.stage),this.stage.append(this.#e.view)}events;element;stage=c("div",{class:"st\
age"});#e;#t;#n={now:[],live:[]};#s={now:new Set,live:new Set};#a="";show(e,t){this.#t=e;let r=`${Math.min(e.rows.length,ut)*Z+2}px`;this.#a!==
r&&(this.#e.view.style.height=this.#a=r);for(let s of ft)this.#s[s]=new Set(this.#n[s].map(o=>e.rowOf(o)));this.#e.show(e.rows.length,t?e.focus:
-1),p(this.#e.view,{"aria-activedescendant":this.#e.elementOf(e.focus)?.id??null})}get painted(){return this.#e.view.clientHeight>0}get viewport(){
return{first:this.#e.first,count:this.#e.page,rowHeight:Z}}scrollTo=e=>this.#e.jumpTo(e);colourOf=e=>`var(--${mt[y[this.#t.plan.status[e]].hue]}\
)`;point(e,t){this.#n[e]=t,this.#t&&this.show(this.#t,!1)}takeFocus=()=>this.#e.view.focus({preventScroll:!0});destroy=()=>this.#e.destroy();#d(e){
let t=e.target,r=t.closest("[data-row]");if(!r)return;let s=Number(r.dataset.row);t.dataset.cell==="fold"&&this.#t.isParent(this.#t.rows[s])?
this.events.toggle(s):t.dataset.cell==="times"?this.events.split(s):this.events.select(s,e.shiftKey),this.takeFocus()}#i(e){let t=Te(e,this.#e.
page-1);t&&(e.preventDefault(),t.do==="leave"?this.#e.view.blur():this.events.act(t))}#l(e,t){let r=this.#t.rows[t],{tree:s,plan:o}=this.#t,
i=A(o,r),a=this.#t.isParent(r);p(e,{"data-row":t,"data-index":r.node,"data-fqn":M(s,r),"data-count":r.times,"data-status":r.ref<0?i.letter:"\
ref","data-hue":r.ref<0?i.hue:"none","data-alarm":r.ref<0?o.alarm[r.node]:0,"aria-level":r.level,"aria-posinset":r.position,"aria-setsize":r.
siblings,"aria-selected":this.#t.isSelected(t),"aria-expanded":a?this.#t.isOpen(r):null,"data-now":this.#s.now.has(t)||null,"data-live":this.#s.
live.has(t)||null,"data-focus":t===this.#t.focus?"1":null}),e.style.setProperty("--indent",`${Math.min(r.level-1,24)*ht}px`);let l=r.ref<0?this.#r(
r,a):this.#c(r);l.words=P(s,o,r);for(let d of e.querySelectorAll("[data-cell]"))m(d,l[d.dataset.cell]??"");e.title=r.ref<0?$(s,r.node):""}#r(e,t){
let{tree:r,plan:s}=this.#t,o=r.cls[e.node],i=b(e),a=D(r,{...e,first:e.node}),l=r.parent[e.node],d=h=>J(i.map(u=>s.unitAt.get(u)?.[h]??-1));return{
fold:t?this.#t.isOpen(e)?"▾":"▸":"",swatch:A(s,e).glyph,name:e.node===0?r.title:/^\d/.test(a)&&l>0?`${r.names[l]}.${a}`:a,type:e.node===
0&&r.classes[o][0]===r.title?"":r.classes[o][0],times:e.times>1?`×${e.times}`:this.#t.isSplit(e)?"⊟":"",differs:e.beside<0?"":`differs in\
 ${x(r,s,e.beside,e.node)}`,ties:(r.tiesOf.get(e.node)??[]).map(h=>`tie ${h}`).join(" "),alarm:["","i","▲","!"][s.alarm[e.node]],own:r.own[o]?
v(r.own[o]):"",total:r.total[o]?v(r.total[o]):"",unit:Y(s,i),dfs:`#${J(i)}`,handle:d("handle"),init_c:d("init_c"),init_w:d("init_w")}}#c(e){
let{tree:t}=this.#t,[,r,,s]=t.refs[e.ref],o=e.node===0?t.title:O(t,e.node);return{fold:s==="back"?"↺":"↪",name:r,type:`same as ${o} (#${e.
node})`}}};function gt(n){let e=(s,o={})=>c("span",{"data-cell":s,"aria-hidden":"true",...o}),t=Re.map(([s])=>s==="unit"?c("span",{class:"nu\
m unit"},e(s)):e(s,{class:`num ${s}`})),r=c("span",{class:"main"},c("span",{"data-cell":"words"}),...pt.map(s=>e(s)));return c("div",{class:"\
row",role:"treeitem",id:`row-${n}`},r,...t)}var K=class{constructor(e,t){this.model=e;this.now=t}model;now;#e="";#t;saveSoon(){clearTimeout(this.#t),this.#t=setTimeout(()=>this.#n(),250)}get isNews(){
return this.model.get("view")!==this.#e}read(){let e=String(this.model.get("view")??"");return e?JSON.parse(e):{}}destroy=()=>clearTimeout(this.#t);#n(){
this.#e=JSON.stringify({...this.read(),...this.now()}),this.model.set("view",this.#e),this.model.save_changes()}};var bt=2e3,U=class{constructor(e){this.model=e;this.#l=new T(i=>e.send(i),i=>this.#x(i)),this.#r=new N(this,()=>ne(this.#l)),this.#c=new K(e,
()=>this.#k()),this.#a.hidden=!0;let{top:t,edge:r,side:s,tools:o}=this.#r.places;this.root.append(c("div",{class:"head"},this.#e," ",this.#t),
this.#d.element,o,ge(),this.#a,c("div",{class:"body"},c("div",{class:"outline"},t,this.#i.element),s),this.#n,this.#s.element,this.#r.tabs.element),
this.#i.stage.append(r)}model;root=c("div",{class:"shx","data-kernel":"alive"});run=w;hits=[];#e=c("b",{"data-role":"title"});#t=c("span",{class:"\
note","data-role":"totals"});#n=c("div",{class:"detail","data-role":"detail"});#s=new H;#a=c("div",{class:"gone","data-role":"gone",role:"al\
ert"},"No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a restart.");#d=new C(
e=>this.#b(e));#i=new j({act:e=>this.#b(e),select:(e,t)=>this.#h(()=>this.#o.select(e,t)),toggle:e=>this.#p(()=>this.#o.toggle(e)),split:e=>this.#p(
()=>this.#o.toggleSplit(e)),scrolled:()=>this.#r.changed("scroll")});#l;#r;#c;#o;get tree(){return this.#o.tree}get plan(){return this.#o.plan}get rows(){
return this.#o.rows}get focus(){return this.#o.focus}get focused(){return this.rows[this.focus].node}get selected(){return this.#o.selectedIndices()}get viewport(){
return this.#i.viewport}trait=e=>JSON.parse(String(this.model.get(e)||"null"));rowOf=e=>this.#o.rowOf(e);colourOf=e=>this.#i.colourOf(e);reveal=e=>this.#y(
e);scrollTo=e=>this.#i.scrollTo(e);point=(e,t)=>this.#i.point(e,t);ask=(e,t={})=>this.#l.ask(e,t);tell=e=>this.#s.tell(e);refuse=e=>this.#s.
refuse(e);subscribe=e=>this.#r.subscribe(e);label=(e,t)=>this.#r.tabs.label(e,t);open=e=>this.#r.tabs.open(e);command=async(e,t={})=>{p(this.
root,{"data-waiting":e});let r=await this.#l.ask(e,t);return p(this.root,{"data-waiting":null}),r.ok?(e!=="stop"||F(this.run))&&this.tell(Ee[e]??
`${this.plan.state.last||e}`):this.refuse(r.error??{title:"The kernel refused",detail:"It gave no reason."}),r.ok};readTree=()=>{try{let e=fe(
String(this.model.get("tree")));this.#o=new L(e,this.#g(e.size))}catch(e){return this.refuse({title:"The tree cannot be drawn",detail:String(
e)})}return m(this.#e,this.tree.title),this.#w(!0),this.#r.changed("tree"),this.#f()};readPlan=()=>{this.#o&&(this.#o.setPlan(this.#g(this.tree.
size)),this.#f(),this.#s.failing&&this.tell("The plan has changed."))};#f(){let{state:e}=this.plan,t=e.conflicts.length+e.findings.length;this.
label("findings",t?`Findings (${t})`:"Findings"),this.#d.enable("undo",e.undo),this.#d.enable("redo",e.redo),m(this.#t,me(this.tree.size,e)),
p(this.root,{"data-rev":e.rev}),this.#r.changed("plan","rows"),this.#u()}readRun=()=>this.#m(ve(String(this.model.get("run")??"")));readCosts=()=>this.#r.
changed("costs");#m(e){let[t,r]=[F(this.run),F(e)];this.run=e,this.#r.changed("run"),r&&!t?this.tell(Ee.run):t&&!r&&!this.#s.failing&&this.tell(
xe(e))}readView=()=>{!this.#c.isNews||!this.#o||(this.#w(!1),this.#u(!0))};hear=e=>{this.#l.hear(!0),e.type==="run"?this.#m(we(this.run,e)):
e.type==="notice"?this.refuse(e.error):this.#l.receive(e)};get painted(){return!this.#o||this.#i.painted}ready(){p(this.root,{"data-ready":1}),
this.#o&&this.#r.fetch()}repaint(){this.#o&&this.#u(!0)}retheme=()=>this.#r.changed("theme","colour");destroy(){this.#c.destroy(),this.#l.close(),
this.#i.destroy(),this.#r.destroy()}#g=e=>le(String(this.model.get("plan")??""),e);#b(e){let t=this.#o;if(t)switch(e.do){case"move":return this.#h(
()=>t.select(t.focus+e.by,e.extend));case"edge":return this.#h(()=>t.select(e.end?t.rows.length-1:0,e.extend));case"mark":return this.#v("ma\
rk",{verb:e.verb});case"group":return this.#v("group");case"undo":case"redo":return void this.command(e.do);case"split":return this.#p(()=>t.
toggleSplit(t.focus));case"leave":return;case"openAll":case"closeAll":return this.#p(()=>t[e.do]());default:return this.#h(()=>t[e.do]())}}#v(e,t={}){
let r=this.selected;r.length?this.command(e,{...t,indices:r}):this.refuse({title:"This row is a reference",detail:"Its module is listed else\
where: Enter goes there, then mark it."})}#x(e){this.#a.hidden=!e,p(this.root,{"data-kernel":e?"gone":"alive"})}#y(e){e>=0&&this.#h(()=>this.#o.
jump(e)),this.#i.takeFocus()}#h(e){e(),this.#r.changed("focus","rows"),this.#u(!0),this.#c.saveSoon()}#p(e){e(),this.#r.changed("rows"),this.#u(),
this.#c.saveSoon()}#u(e=!1){this.#i.show(this.#o,e);let{tree:t,plan:r,rows:s,focus:o,anchor:i}=this.#o,a=s[o],l=Math.abs(o-i)+1,d=[l>1?`${l}\
 rows selected`:"",P(t,r,a),a.ref<0?$(t,a.node):""];m(this.#n,d.filter(Boolean).join(" · "))}#k(){let e=this.#o,t=e.rows.filter(e.isOpen).map(
({node:r})=>r).slice(0,bt);return{selected:this.focused,open:t,split:e.splitParents}}#w(e){let t=this.#c.read();e&&t.open?this.#o.restore(t.
open,t.split??[],t.selected??0):t.selected!==void 0&&t.selected<this.tree.size&&this.#o.jump(t.selected)}},Ee={run:"The run has started.",stop:"\
The run is being stopped.",undo:"Undone.",redo:"Redone."};function Me(n){n.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])n.addEventListener(
e,t=>t.stopPropagation())}var Oe=':host{display:block;min-width:0}.shx{--ink: #1c2430;--soft: #5a6675;--paper: #fff;--raised: #f4f6f9;--line: #d5dbe3;--chosen: #dbe9f\
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
border-radius:9px;line-height:16px;padding:0 7px;cursor:pointer;background:var(--raised)}[data-cell=ties],[data-cell=differs]{border:1px das\
hed var(--soft);border-radius:3px;line-height:14px;padding:0 4px;font-size:11px}[data-cell=alarm]{font-weight:700;border:1px solid var(--lin\
e);border-radius:3px;line-height:14px;padding:0 4px}[data-alarm="3"] [data-cell=alarm]{color:var(--bad);border-color:var(--bad);background:r\
epeating-linear-gradient(45deg,transparent 0 3px,var(--bad-paper) 3px 6px)}.num{text-align:right;overflow:hidden;text-overflow:ellipsis;font\
-variant-numeric:tabular-nums}.row .dfs{color:var(--soft)}.row [data-cell=unit]:not(:empty){border:1px solid var(--hue);color:var(--hue);bor\
der-radius:9px;padding:1px 6px;font-size:11px}.row[data-status=F] [data-cell=unit]:not(:empty){background:var(--hue);color:var(--hue-ink)}.d\
etail{color:var(--soft);padding:4px 6px;min-height:18px;overflow-wrap:anywhere}.status{padding:4px 8px;min-height:19px;border-left:3px solid\
 var(--line);margin:2px 0 6px;white-space:pre-wrap;overflow-wrap:anywhere;font-family:var(--mono);font-size:12px}[data-waiting] .status:afte\
r{content:" …"}.status p,.error pre{margin:2px 0 0;white-space:pre-wrap}.status[data-kind=error],.error,.gone{border-left:3px solid var(--ba\
d);background:var(--bad-paper);padding:6px 8px;margin:4px 0}.status[data-kind=error] b:before,.error>b:before{content:"! ";color:var(--bad)}\
.tabs{display:flex;flex-wrap:wrap;gap:2px;border-bottom:1px solid var(--line);margin-bottom:8px}.tabs button{border:0;border-radius:4px 4px \
0 0;background:none;padding:4px 12px;color:var(--soft)}.tabs button[aria-selected=true]{color:var(--ink);box-shadow:inset 0 -2px var(--ring)\
;font-weight:600}pre{margin:4px 0;max-height:220px;overflow:auto;font:12px/1.4 var(--mono);background:var(--raised);padding:6px 8px;border-r\
adius:4px;white-space:pre-wrap;overflow-wrap:anywhere}.error pre{background:none;padding:0}code{font-family:var(--mono)}@container (max-widt\
h: 720px){.body{display:block}.heads,.row{grid-template-columns:minmax(0,1fr) 72px 56px 60px}.own,.handle,.init_c,.init_w{display:none}}@con\
tainer (max-width: 420px){.heads,.row{grid-template-columns:minmax(0,1fr) 60px}.total,.num.unit{display:none}}@media(forced-colors:active){.\
row[aria-selected=true]{outline:1px solid Highlight}}';function wt({model:n,el:e}){let t=new U(n);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(c("style",{},Oe),t.root),Me(e);let s=ee(
t.root,t.retheme),o=[["change:tree",t.readTree],["change:plan",t.readPlan],["change:run",t.readRun],["change:costs",t.readCosts],["change:vi\
ew",t.readView],["msg:custom",t.hear]];for(let[i,a]of o)n.on(i,a);return t.readTree(),t.readRun(),Ae(t,!1),()=>{for(let[i,a]of o)n.off(i,a);
s(),t.destroy()}}function Ae(n,e){requestAnimationFrame(()=>{if(!n.root.isConnected||!n.painted)return Ae(n,!0);e&&n.repaint(),requestAnimationFrame(
()=>n.ready())})}var $n={render:wt};export{$n as default};
