// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
function Ve(n){let e=n.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(n.className)?"dark":n.
classList.contains("vscode-light")?"light":null}function ce(n,e){let t=typeof matchMedia=="function"?matchMedia("(prefers-color-scheme: dark\
)"):null,r=()=>{n.dataset.theme=Ve(document.body)??(t?.matches?"dark":"light"),e()},s=new MutationObserver(r);return s.observe(document.body,
{attributes:!0,attributeFilter:["data-jp-theme-light","class"]}),t?.addEventListener("change",r),r(),()=>{s.disconnect(),t?.removeEventListener(
"change",r)}}function h(n,e={},...t){return We(document.createElement(n),e,t)}function We(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,String(s));return n.append(
...t),n}function g(n,e){n.textContent!==e&&(n.textContent=e)}function m(n,e){for(let[t,r]of Object.entries(e))r===null?n.removeAttribute(t):
n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}var Ge=Symbol.for("sharding-explorer.chunks"),De=()=>globalThis[Ge]??=new Map,Be=async n=>{let e=URL.createObjectURL(new Blob([n],{type:"tex\
t/javascript"}));try{return await import(e)}finally{URL.revokeObjectURL(e)}};async function ue(n,e=Be){let t=De(),r=await n.ask("chunk",{name:"\
extras",have:[...t.keys()]},!0);if(!r.ok)throw new Error(r.error?.detail??"The kernel refused and gave no reason.");let{digest:s,text:i}=r.value,
o=t.get(s)??e(i).then(a=>a.default);return t.set(s,o),o.catch(()=>t.delete(s)),o}var qe={set:(n,e)=>setTimeout(n,e),clear:n=>clearTimeout(n)},$=class{constructor(e,t=()=>{},r=qe){this.send=e;this.onSilence=t;this.clock=r}send;onSilence;clock;#t=new Map;#n=0;#e=!1;#s=Math.
random().toString(36).slice(2,8);ask(e,t={},r=!1){let s=`${this.#s}-${++this.#n}`;return new Promise(i=>{let o=r?void 0:this.clock.set(()=>this.
hear(!1),1e4);this.#t.set(s,{answer:i,timer:o}),this.send({id:s,cmd:e,...t})})}receive(e){let t=this.#t.get(e.id);return e.type!=="reply"||!t?
!1:(this.#t.delete(e.id),this.clock.clear(t.timer),this.hear(!0),t.answer(e),!0)}close(){for(let{timer:e}of this.#t.values())this.clock.clear(
e);this.#t.clear()}hear(e){this.#e===e&&(this.#e=!e,this.onSilence(this.#e))}};var he=new WeakMap;function q(n,e,t,r){if(r)return fe(n,t).map(o=>me(n,o));let s=he.get(e)??new Map;he.set(e,s);let i=s.get(t)??Je(n,e,t);return s.
set(t,i),i}function pe(n,{first:e,times:t,stride:r},s){let i=s-e;return i>=0&&i<t*r&&i%r<n.end[e]-e}function fe(n,e){let t=[];for(let r=e+1;r<
n.end[e];r=n.end[r])t.push(r);return t}var me=(n,e)=>({first:e,times:1,period:1,stride:n.end[e]-e,beside:-1});function Je(n,e,t){let r=fe(n,
t),s=[],i=0;for(let o=0;o<r.length;){if(o>=i)for(i=o+1;i<r.length&&Ye(n,r[i-1],r[i]);)i++;let[a,l]=Xe(n,e,r,o,i);for(let d=0;d<Math.min(a,l);d++){
let c=Math.ceil((l-d)/a),u=me(n,r[o+d]);s.push(c===1?u:{...u,times:c,period:a,stride:r[o+d+a]-u.first})}o+=l}return s.forEach((o,a)=>o.beside=
Qe(n,s,a)),s}var B=/^(0|[1-9]\d*)$/,Ye=(n,e,t)=>B.test(n.names[e])&&String(Number(n.names[e])+1)===n.names[t];function Xe(n,e,t,r,s){let i=[
1,1];for(let o=1;o<=4&&i[1]<s-r;o++){let a=r+o;for(;a<s&&Ze(n,e,t[a-o],t[a]);)a++;let l=a-r;a<=s&&l>=2*o&&l>i[1]&&(i=[o,l])}return i}function Qe(n,e,t){
let r=o=>o&&o.times>1&&B.test(n.names[o.first])?o.times:0;if(e[t].times>1||!B.test(n.names[e[t].first]))return-1;let[s,i]=[e[t-1],e[t+1]];return r(
s)+r(i)===0?-1:r(s)>=r(i)?s.first:i.first}var Ze=(n,e,t,r)=>M(n,e,t,r)==="";function M(n,e,t,r){if(n.cls[t]!==n.cls[r])return n.classes[n.cls[t]][0]===
n.classes[n.cls[r]][0]?"structure":"type";let s=n.end[t]-t,i=(o,a)=>o>=a&&o<a+s?o-a:-2-o;for(let o=0;o<s;o++){if(e.status[t+o]!==e.status[r+
o])return"status";if(i(e.head[t+o],t)!==i(e.head[r+o],r))return"owner";if(!et(e,t+o,r+o))return"unit settings";if(e.alarm[t+o]!==e.alarm[r+o])
return"findings";if(!tt(n,t,r,o,i))return"shared modules";if(!nt(n,t,r,o,i))return"ties"}return""}function et(n,e,t){if(n.head[e]!==e&&n.head[t]!==
t)return!0;let r=s=>{let i=n.unitAt.get(s);return i&&JSON.stringify([i.strategy,i.options,i.nparams,i.fqns.length])};return r(e)===r(t)}function tt(n,e,t,r,s){
if(n.refs.length===0)return!0;let i=n.refsOf.get(e+r)??[],o=n.refsOf.get(t+r)??[];return i.length===o.length&&i.every((a,l)=>{let[,d,c,u]=n.
refs[a],[,f,p,k]=n.refs[o[l]];return d===f&&u===k&&s(c,e)===s(p,t)})}function nt(n,e,t,r,s){if(n.tieEnds.size===0)return!0;let i=n.tieEnds.get(
e+r)??[],o=n.tieEnds.get(t+r)??[];return i.length===o.length&&i.every(([a,l,d],c)=>{let[u,f,p]=o[c];return a===u&&d===p&&s(l,e)===s(f,t)})}function ge(n){return{open:new Uint8Array(n.size),split:new Set}}function L(n,e,t){let r=[],i=[{groups:[{first:0,times:1,period:1,stride:n.size,
beside:-1}],refs:[],next:0,scope:null,above:-1}];for(;i.length>0;){let o=i[i.length-1],{groups:a,refs:l}=o;if(o.next===a.length+l.length){i.
pop();continue}let d=o.next++,c={above:o.above,level:i.length,position:o.next,siblings:a.length+l.length};if(d>=a.length){let T=l[d-a.length];
r.push({node:n.refs[T][2],ref:T,times:1,period:1,beside:-1,scope:o.scope,...c});continue}let{first:u,times:f,period:p,stride:k,beside:G}=a[d],
P=f>1?{outer:o.scope,first:u,times:f,period:p,stride:k}:o.scope;if(r.push({node:u,ref:-1,times:f,period:p,beside:G,scope:P,...c}),t.open[u]){
let T=t.split.has(u);i.push({groups:q(n,e,u,T),refs:n.refsOf.get(u)??[],next:0,scope:P,above:r.length-1})}}return r}var J=(n,e)=>n.end[e]>e+
1||n.refsOf.has(e);function _(n){let e=1;for(let t=n.scope;t;t=t.outer)e*=t.times;return e}function w(n){let e=n.node;for(let t=n.scope;t;t=
t.outer)e+=(t.times-1)*t.stride;return e}function v(n){if(n.members)return n.members;let e=[n.node];for(let t=n.scope;t;t=t.outer){let{times:r,
stride:s}=t;e=Array.from({length:r},(i,o)=>e.map(a=>a+o*s)).flat()}return n.members=e}function Y(n){let[e,t]=[0,0];for(let r=n.scope;r;r=r.outer){
if(e===0)e=r.stride;else if(r.stride!==t)return-1;t=r.stride*r.times}return e}function N(n,e){let t=e.ref<0?[]:[n.refs[e.ref][1]],r=e.ref<0?
e.node:n.refs[e.ref][0],s=e.scope;for(;r>0;r=n.parent[r]){let i=s!==null&&s.first===r;t.push(i?X(n,s):n.names[r]),i&&(s=s.outer)}return t.reverse().
join(".")}function X(n,{first:e,times:t,period:r}){let s=n.names[e];if(t===1)return s;let i=`${s}–${Number(s)+(t-1)*r}`;return r===1?i:`(${i}\
)/${r}`}var be=(n,e,t,r)=>ve(n,e,t,r,!0),we=(n,e,t,r)=>ve(n,e,t,r,!1);function ve(n,e,t,r,s){let i=[];for(let l=r;l>0;l=n.parent[l])i.push(l);
let o=0,a=0;for(let l of i.reverse()){if(s)t.open[a]=1;else if(!t.open[a])return a;let d=l-o,c=q(n,e,a,t.split.has(a)).find(f=>pe(n,f,d)),u=Math.
floor((d-c.first)/c.stride)*c.stride;o+=u,a=d-u}return a}function ye(n,e,t,r=40){for(t.open[0]=1;;){let s=t.open.slice(),o=L(n,e,t).filter(a=>a.
ref<0&&!t.open[a.node]&&J(n,a.node));if(o.length===0)return;for(let a of o)t.open[a.node]=1;if(L(n,e,t).length>r){t.open.set(s);return}}}var I=class{constructor(e,t){this.tree=e;this.plan=t;this.#t=ge(e),ye(e,this.plan,this.#t),this.#i()}tree;plan;rows=[];focus=0;anchor=0;#t;#n;#e=new Set;setPlan(e){
this.plan=e,this.#i()}isOpen=e=>e.ref<0&&this.#t.open[e.node]===1;isParent=e=>e.ref<0&&J(this.tree,e.node);isSelected=e=>e>=Math.min(this.anchor,
this.focus)&&e<=Math.max(this.anchor,this.focus)||this.rows[e].ref<0&&this.#e.has(this.rows[e].node);select(e,t=!1){this.focus=Math.max(0,Math.
min(this.rows.length-1,e)),t||(this.anchor=this.focus),this.#e=new Set}get numLike(){return this.#e.size}selectLike(){let{cls:e}=this.tree,t=e[this.
rows[this.focus].node];this.#e=new Set(Array.from(e.keys()).filter(r=>e[r]===t)),this.anchor=this.focus}typeAhead(e){let{length:t}=this.rows,
r=({node:s,ref:i})=>(i<0?this.tree.names[s]:this.tree.refs[i][1]).toLowerCase().startsWith(e);for(let s=1;s<t;s++){let i=(this.focus+s)%t;if(r(
this.rows[i]))return this.select(i)}}selectedIndices(){let e=this.rows.filter((t,r)=>t.ref<0&&this.isSelected(r));return[...new Set([...e.flatMap(
v),...this.#e])].sort((t,r)=>t-r)}toggle(e){let t=this.rows[e];this.isParent(t)&&(this.#t.open[t.node]^=1,this.#i())}openSiblings(){let{rows:e}=this,
{level:t}=e[this.focus],r=this.focus;for(;r>0&&e[r-1].level>=t;)r--;for(;r<e.length&&e[r].level>=t;r++)e[r].level===t&&e[r].ref<0&&(this.#t.
open[e[r].node]=1);this.#i()}openAll(){this.#t.open.fill(1),this.#i()}closeAll(){this.#t.open.fill(0,1),this.#i()}toggleSplit(e){let t=this.
rows[e],r=this.tree.parent[t.scope?.first??t.node];r<0||t.ref>=0||(this.#t.split.delete(r)||this.#t.split.add(r),this.#i())}isSplit=e=>e.ref<
0&&this.#t.split.has(this.tree.parent[e.node]);open(){let e=this.rows[this.focus];this.isParent(e)&&!this.isOpen(e)?this.toggle(this.focus):
this.isOpen(e)&&this.select(this.focus+1)}close(){let{level:e}=this.rows[this.focus];if(this.isOpen(this.rows[this.focus])&&this.isParent(this.
rows[this.focus]))return this.toggle(this.focus);let t=this.focus;for(;t>0&&this.rows[t].level>=e;)t--;this.select(t)}enter(){let e=this.rows[this.
focus];e.ref>=0?this.jump(e.node):this.toggle(this.focus)}jump(e){let t=be(this.tree,this.plan,this.#t,e);this.#i(),this.select(this.#s(t))}rowOf=e=>this.#s(
we(this.tree,this.plan,this.#t,e));ancestorsOf(e){let t=[];for(let r=this.rows[e].above;r>=0;r=this.rows[r].above)t.push(r);return t.reverse()}#s(e){
let{end:t,refs:r}=this.tree,s=({ref:a,node:l})=>a<0?l:t[r[a][0]]-.5,[i,o]=[0,this.rows.length-1];for(;i<o;){let a=i+o>>1;s(this.rows[a])<e?i=
a+1:o=a}return i}tiesBelow(e){let{tiesOf:t,size:r,end:s}=this.tree;if(t.size===0)return 0;if(!this.#n){this.#n=new Int32Array(r+1);for(let i of t.
keys())this.#n[i+1]=1;for(let i=0;i<r;i++)this.#n[i+1]+=this.#n[i]}return this.#n[s[e]]-this.#n[e+1]}restore(e,t,r){this.#t.open.fill(0);for(let s of e)
this.#t.open[s]=1;this.#t.split=new Set(t),this.#i(),r>=0&&r<this.tree.size&&this.jump(r)}get splitParents(){return[...this.#t.split]}#i(){let e=this.
rows[this.focus],t=this.rows[this.anchor];this.rows=L(this.tree,this.plan,this.#t),this.focus=e?this.#r(e):0,this.anchor=t?this.#r(t):0}#r(e){
if(e.ref<0)return this.rowOf(e.node);let t=this.rows.findIndex(({ref:r})=>r===e.ref);return t>=0?t:this.rowOf(this.tree.refs[e.ref][0])}};function xe(n){let e=JSON.parse(n);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return rt(e)}function rt(n){let{classes:e,root:t}=n,{modules:r,own:s,total:i,frozen:o}=st(e),a=r[t],l={title:n.name,
classes:e,size:a,cls:new Int32Array(a),end:new Int32Array(a),depth:new Int32Array(a),parent:new Int32Array(a),names:new Array(a),own:s,total:i,
frozen:o,refs:n.refs??[],refsOf:new Map,tiesOf:new Map,tieEnds:new Map};return at(l,t,r),l.refs.forEach(([d],c)=>l.refsOf.set(d,[...l.refsOf.
get(d)??[],c])),lt(l,n.ties??[]),l}function st(n){let e=new Float64Array(n.length),t=new Float64Array(n.length),r=new Float64Array(n.length),
s=new Uint8Array(n.length);return n.forEach(([i,o,a],l)=>{t[l]=o.reduce((d,c)=>d+(it(c)?ot(c):0),0),e[l]=1,r[l]=t[l];for(let[,,,d]of o)d.includes(
"b")||(s[l]=Math.max(s[l],d.includes("f")?1:2));for(let d of a){if(!(d[2]<l))throw new Error(`The tree payload is broken: class ${l} (${i}) \
comes before its child ${d[0]}.`);e[l]+=Q(d)*e[d[2]],r[l]+=Q(d)*r[d[2]],s[l]=Math.max(s[l],s[d[2]])}}),{modules:e,own:t,total:r,frozen:s.map(
i=>+(i===1))}}var it=([,,,n])=>!n.includes("b")&&!n.includes("s"),Q=([n,e])=>e===null?1:Number(e)-Number(n)+1,ot=([,n])=>n.reduce((e,t)=>e*t,
1),Z=(n,e)=>n.frozen[n.cls[e]]===1;function at(n,e,t){let r=[],s=0,i=(o,a,l)=>{let d=s++;n.cls[d]=o,n.end[d]=d+t[o],n.depth[d]=r.length,n.parent[d]=
l,n.names[d]=a,n.classes[o][2].length>0&&r.push({kids:n.classes[o][2],kid:0,nth:0,index:d})};for(i(e,"",-1);r.length>0;){let o=r[r.length-1];
if(o.kid===o.kids.length){r.pop();continue}let a=o.kids[o.kid],l=a[1]===null?a[0]:String(Number(a[0])+o.nth);++o.nth===Q(a)&&(o.kid++,o.nth=
0),i(a[2],l,o.index)}}function lt(n,e){let t=dt(n),r=(s,i,o)=>s.set(i,[...s.get(i)??[],o]);e.forEach((s,i)=>{let o=i<26?String.fromCharCode(
97+i):String(i),a=s.map(l=>{let d=l.lastIndexOf(".");return[t(l.slice(0,Math.max(0,d))),l.slice(d+1)]});a.forEach(([l,d],c)=>{l<0||(r(n.tiesOf,
l,o),r(n.tieEnds,l,[d,...a[c?0:a.length-1]]))})})}function y(n,e){let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().
join(".")}function dt(n){let e=new Map,t=r=>{let s=e.get(r)??new Map;if(s.size===0)for(let i=r+1;i<n.end[r];i=n.end[i])s.set(n.names[i],i);return e.set(
r,s),s};return r=>{let s=0;for(let i of r===""?[]:r.split("."))if(s=t(s).get(i)??-1,s<0)break;return s}}function C(n,e){return n.flatMap(([r,...s])=>{let i=s.splice(0,e),o=[r];for(let a=0;a<s.length;a+=2){let l=o,[d,c]=[s[a],s[a+1]];o=Array.from(
{length:d},(u,f)=>l.map(p=>p+f*c)).flat()}return o.map(a=>[a,...i])}).sort((r,s)=>r[0]-s[0])}function S([n,...e],t){let r=new Array(t).fill(
n);for(let[s,i]of C(e,1))r[s]=i;return r}var ke=([n,e],t)=>S(e,t).map((r,s)=>r===null?null:r+n*s);var H="uFfRrIi",ee=2,ct=["","info","warn","error"],R=[0,[null]],ut={v:ee,rev:0,areas:[],conflicts:[],findings:[],totals:{},code:"",last:"",undo:!1,
redo:!1,units:{num:0,nparams:R,numel:R,handle:R,init_c:R,init_w:R,local_root:R,settings:[]}};function Re(n,e){let t=n?JSON.parse(n):ut;if(t.
v!==ee)throw new Error(`The plan has format ${t.v}, this page reads ${ee}. Restart the kernel.`);let r=C(t.areas,2),s=ht(r),i=ft(t.units,s,e),
o=t.conflicts.map(l=>Te(l,e)),a=t.findings.map(l=>Te(l,e));return{...pt(r,new Map(i.map(({index:l,n:d})=>[l,d])),e.size),state:{...t,units:i,
orders:mt(i),conflicts:o,findings:a},unitAt:new Map(i.map(l=>[l.index,l])),alarm:gt(o,a,e.size)}}var Me=(n,e)=>/f/i.test(e)?n-Number(e.slice(
1)):-1;function ht(n){let e=new Map;for(let[t,,r]of n){if(r[0]!=="F")continue;let s=Me(t,r);e.set(s,[...e.get(s)??[],t])}return e}function pt(n,e,t){
let r=new Uint8Array(t),s=new Int32Array(t).fill(-1),i=s.slice();for(let[o,a,l]of n){let d=Me(o,l);r.fill(H.indexOf(l[0].toLowerCase()),o,o+
a),r[o]=H.indexOf(l[0]),i.fill(d,o,o+a),s.fill(e.get(d)??-1,o,o+a)}return{status:r,unitOf:s,head:i}}function ft({num:n,settings:e,apart:t,within:r,
setting:s,...i},o,a){let l=Object.entries(i).map(([f,p])=>[f,ke(p,n)]),[d,c,u]=[S(t??[0],n),S(r??[null],n),S(s??[0],n)];return[...o.keys()].
sort((f,p)=>f-p).map((f,p)=>{let k=Object.fromEntries(l.map(([D,Ke])=>[D,Ke[p]])),[G,P]=e[u[p]],T=o.get(f).map(D=>y(a,D));return{...k,n:p,index:f,
fqns:T,is_root:k.local_root===p,apart:d[p],within:c[p],strategy:G,options:P}})}function mt(n){let e={handles:[],init_composable:[],init_wrapper:[]};
for(let{fqns:t,init_c:r,init_w:s,apart:i,local_root:o}of n){if(r===null)continue;let a=i?`:${n[o].fqns[0]}`:"";(e[`init_composable${a}`]??=[])[r]=
t[0],(e[`init_wrapper${a}`]??=[])[s]=t[0],e[`handles${a}`]=e[`init_composable${a}`]}for(let t in e)t.startsWith("handles")&&(e[t]=e[t].slice().
reverse());return e}function Te(n,e){let t=C(n.at,1),r=([s,i])=>[y(e,s),i].filter(Boolean).join(".");return{...n,indices:t.map(([s])=>s),fqns:t.
map(r)}}function gt(n,e,t){let r=new Uint8Array(t),s=(i,o)=>{for(let a of i.indices)r[a]=Math.max(r[a],o)};for(let i of e)s(i,Math.max(1,ct.
indexOf(i.severity??"warn")));for(let i of n)s(i,3);return r}var z=class{element=h("div",{class:"status","data-role":"status",role:"status","aria-live":"polite"});get failing(){return this.element.dataset.
kind==="error"}tell(e){this.element.replaceChildren(e),m(this.element,{"data-kind":"told"})}refuse({title:e,detail:t}){this.element.replaceChildren(
h("b",{},e),h("p",{},t)),m(this.element,{"data-kind":"error"})}};var bt={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},E=[...H].map(n=>({letter:n,...bt[n]})),wt=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function x(n){for(let[e,t]of wt)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function Se(n){
let e=Math.min(4,Math.floor(Math.log2(Math.max(1,n))/10)),t=n/1024**e;return`${e===0?Math.round(t):t.toFixed(t<10?2:1)} ${["B","KiB","MiB","\
GiB","TiB"][e]}`}function te(n){if(n.length===0||n.some(t=>t<0))return"";let e=(n[1]??n[0])-n[0];return n.every((t,r)=>t===n[0]+r*e)?ne(n[0],
e):`${n.reduce((t,r)=>Math.min(t,r))}…`}function ne(n,e){let t=Math.abs(e)===1?"":Math.abs(e);return e===0?String(n):`${n}${e<0?"−":"+"}${t}\
k`}function re(n,e){let t=n.unitOf[e.node],r=n.unitOf[w(e)];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}function se(n,e){return E[n.status[e.
node]]}function F(n,e,t){let r=N(n,t)||"the root module";if(t.ref>=0)return`${r}: the same module as ${y(n,t.node)||"the root"}, number ${t.
node}`;let[s]=n.classes[n.cls[t.node]],i=n.total[n.cls[t.node]],o=x(i),a=_(t),l=e.unitAt.get(t.node);return[`${r}, ${s}${t.times>1?`, ${t.times}\
 alike`:""}`,se(e,t).word,re(e,t).replace("u","unit "),a>1?`${o} parameters each, ${x(i*a)} together`:`${o} parameters`,l&&l.handle!==null?`\
handle ${l.handle}`:"",t.beside<0?"":`differs from its neighbours in ${M(n,e,t.beside,t.node)}`,e.alarm[t.node]===3?"has a conflict":e.alarm[t.
node]?"has a finding":""].filter(Boolean).join(", ")}function j(n,e){let[,t]=n.classes[n.cls[e]];return t.map(([r,s,i,o])=>`${r} [${s.join("\
, ")}] ${i}${vt(o)}`).join("; ")}var vt=n=>(n.includes("b")?" buffer":"")+(n.includes("f")?" frozen":"")+(/[ts]/.test(n)?" tied":"");function Ee(n,{
totals:e,units:t,rev:r}){let i=["sharded","replicated","ignored","unmanaged"].filter(l=>e[l]).map(l=>`${x(e[l])} ${l}`).join(", "),o=e.numel===
void 0?"":` · ${x(e.numel)} parameters`,a=(l,d)=>`${l.toLocaleString("en")} ${d}${l===1?"":"s"}`;return`${a(n,"module")}${o}${i?`: ${i}`:""}\
 · ${a(t.length,"unit")} · revision ${r}`}var b=(n,e,t)=>({key:n,label:e,title:t}),Ae=[b("own","own","Elements of the module's direct parameters"),b("total","subtree","Elements of th\
e subtree, each tensor once; of each one of a ×n row"),b("bytes","B/rank","Parameter bytes of the subtree on rank 0 between steps, as Costs\
 is set"),b("unit","unit","The unit that owns the parameters"),b("dfs","#","Place in the pre-order (DFS); k counts the modules of a ×n row"),
b("handle","H","Place of the unit's handle in get_handles(root)"),b("init_c","I₁","When its handle is made by fully_shard (composable path\
)"),b("init_w","I₂","When its handle is made by FullyShardedDataParallel (wrapper path)"),b("exec","X","When the last run unsharded it: → \
forward, ← backward, counted through the step")],Pe=["own","bytes","exec"],yt={own:(n,e,{node:t})=>ie(n.own[n.cls[t]],x),total:(n,e,{node:t})=>ie(
n.total[n.cls[t]],x),bytes:(n,e,{node:t},{bytes:r})=>r?ie(r[n.end[t]]-r[t],Se):"",unit:(n,e,t)=>re(e,t),dfs:(n,e,t)=>`#${Y(t)<0?`${t.node}…`:
ne(t.node,Y(t))}`,handle:(n,e,t)=>oe(e,t,"handle"),init_c:(n,e,t)=>oe(e,t,"init_c"),init_w:(n,e,t)=>oe(e,t,"init_w"),exec:(n,e,t,{execution:r})=>xt(
e,t,r)},$e=(n,e,t,r,s)=>yt[n](e,t,r,s),ie=(n,e)=>n>0?e(n):"",Oe=new WeakMap;function oe(n,e,t){if(!n.unitAt.has(e.node))return"";let r=Oe.get(
n)??new Map;Oe.set(n,r);let s=`${t} ${e.node} ${_(e)}`,i=r.get(s)??te(v(e).map(o=>n.unitAt.get(o)?.[t]??-1));return r.set(s,i),i}function xt(n,e,t){
if(t.size===0||!n.unitAt.has(e.node))return"";let r=v(e).map(i=>t.get(n.unitAt.get(i)?.fqns[0]??"\0")),s=(i,o)=>{let a=r.length===1?r[0]?.[o].
join(",")??"":te(r.map(l=>l?.[o][0]??-1));return a&&i+a};return[s("→","forward"),s("←","backward")].filter(Boolean).join(" ")}var O=class{constructor(e=[],t){this.nodes=e;this.tree=t;if(e.length===0||!t)return;let r=new Int32Array(t.size+1);for(let s of e)r[s+1]=1;for(let s=0;s<
t.size;s++)r[s+1]+=r[s];this.#t=r}nodes;tree;#t=null;at(e,t){let r=this.#t;if(!r||e.ref>=0)return null;let{end:s}=this.tree;if(r[s[w(e)]]===
r[e.node])return null;let i=v(e);return i.some(o=>r[o+1]>r[o])?"on":!t&&i.some(o=>r[s[o]]>r[o+1])?"in":null}};var Le={f:"fully_shard",r:"replicate",i:"ignore",u:"clear"},_e={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},Escape:{do:"\
leave"},"+":{do:"openAll"},"-":{do:"closeAll"},"*":{do:"openSiblings"},"/":{do:"find"},l:{do:"selectLike"},s:{do:"split"},g:{do:"group"}};function Ne(n,e){
let t=n.key.length===1?n.key.toLowerCase():n.key;if(n.altKey)return null;if(n.ctrlKey||n.metaKey)return kt(t,n.shiftKey);let r={ArrowDown:1,
ArrowUp:-1,PageDown:e,PageUp:-e};return t in r?{do:"move",by:r[t],extend:n.shiftKey}:t==="Home"||t==="End"?{do:"edge",end:t==="End",extend:n.
shiftKey}:t in Le?{do:"mark",verb:Le[t]}:t in _e?_e[t]:/^[\w]$/.test(t)?{do:"typeAhead",char:t}:null}function kt(n,e){return n==="z"?{do:e?"\
redo":"undo"}:n==="y"?{do:"redo"}:null}var Tt=14;function ae(n,e){let t=s=>h("span",{"data-cell":s}),r=h("span",{class:"main","aria-hidden":"true"},t("fold"),t("swatch"),t("name"),
t("type"));return h("div",{class:n,...e?{id:e,role:"treeitem"}:{}},h("span",{class:"words"}),r)}function le(n,e,t,r){let{outline:s}=t,{tree:i,
plan:o}=s,a=s.rows[e],l=a.ref<0?t.pending.get(a.node):void 0,d=l===void 0?se(o,a):E.find(({letter:p})=>p===l),c=s.isParent(a),u=a.ref<0;m(n,
{"data-row":e,"data-status":u?d.letter:"ref","data-hue":u?d.hue:"none","data-alarm":u?o.alarm[a.node]:0,"data-lane":u&&o.unitOf[a.node]===St(
s,e)?"on":"starts","data-frozen":u&&Z(i,a.node)||null,"data-hit":t.hits.at(a,s.isOpen(a)),"data-pending":l!==void 0||null,"data-refused":t.refused.
has(a.node)||null,"data-dim":t.tie!==""&&!(i.tiesOf.get(a.node)??[]).includes(t.tie)?!0:null,"data-selected":r&&s.isSelected(e)?!0:null}),r||
(m(n,Mt(t,e,a,c)),g(n.children[0],F(i,o,a))),n.style.setProperty("--indent",`${Math.min(a.level-1,24)*Tt}px`),Rt(n,t,a);let f=u?d.glyph:"";At(
n.children[1],{...Et(s,a,c),swatch:f},u?Ot(s,a):[]),Pt(n,t,a)}function Rt(n,{paint:e},t){let[r,s]=t.ref<0&&e?[e(t.node),e(w(t))]:[null,null];
m(n,{"data-painted":r&&!0}),n.style.setProperty("--hue",r?.colour??null),n.style.setProperty("--hue-ink",r?.ink??null),n.style.setProperty("\
--lane",r&&w(t)>t.node?`linear-gradient(${r.colour}, ${s.colour})`:null)}function Mt(n,e,t,r){let{outline:s,pointed:i}=n,{tree:o}=s;return{"\
data-index":t.node,"data-fqn":N(o,t),"data-count":t.times,"aria-level":t.level,"aria-posinset":t.position,"aria-setsize":t.siblings,"aria-se\
lected":s.isSelected(e),"aria-expanded":r?s.isOpen(t):null,"data-now":i.now.has(e)||null,"data-live":i.live.has(e)||null,"data-focus":e===s.
focus?"1":null,title:t.ref<0&&j(o,t.node)||null}}var St=({rows:n,plan:e},t)=>t>0&&n[t-1].ref<0?e.unitOf[n[t-1].node]:-2;function Et(n,e,t){let{
tree:r}=n;if(e.ref>=0){let[,a,,l]=r.refs[e.ref],d=e.node===0?r.title:y(r,e.node);return{fold:l==="back"?"↺":"↪",name:a,type:`same as ${d}\
 (#${e.node})`}}let[s]=r.classes[r.cls[e.node]],i=X(r,{...e,first:e.node}),o=r.parent[e.node];return{fold:t?n.isOpen(e)?"▾":"▸":"",name:e.
node===0?r.title:/^\(?\d/.test(i)&&o>0?`${r.names[o]}.${i}`:i,type:e.node===0&&s===r.title?"":s}}function Ot(n,e){let{tree:t,plan:r}=n,s=t.tiesOf.
get(e.node)??[],i=n.isOpen(e)&&e.times===1?0:n.tiesBelow(e.node);return[["times",e.times>1?`×${e.times}`:n.isSplit(e)?"⊟":""],["differs",
e.beside<0?"":`differs in ${M(t,r,e.beside,e.node)}`],["frozen",Z(t,e.node)?"fz":""],["ties",s.map(a=>`tie ${a}`).join(" ")],["inside",i?`${i}\
 tied inside`:""],["alarm",["","i","▲","!"][r.alarm[e.node]]]].filter(([,a])=>a)}function At(n,e,t){let[r,s,i,o]=n.children;g(r,e.fold),g(
s,e.swatch),g(i,e.name),g(o,e.type);let a=n.children.length-4;for(let l=a;l<t.length;l++)n.append(h("span"));for(let l=t.length;l<a;l++)n.lastElementChild.
remove();t.forEach(([l,d],c)=>{m(n.children[4+c],{"data-cell":l}),g(n.children[4+c],d)})}function Pt(n,e,t){let{columns:r,outline:s,measured:i}=e;
for(;n.children.length>r.length+2;)n.lastElementChild.remove();for(;n.children.length<r.length+2;)n.append(h("span",{"aria-hidden":"true"}));
let o=r.map(({key:l})=>t.ref<0?$e(l,s.tree,s.plan,t,i):""),a=r.flatMap(({key:l},d)=>l.startsWith("init_")?[o[d]]:[]);r.forEach(({key:l},d)=>{
let c=n.children[d+2],u=a.length===2&&a[0]&&l.startsWith("init_")?a[0]===a[1]?"same":"differ":null;m(c,{class:`num ${l}`,"data-cell":l,"data\
-pair":u,title:o[d].endsWith("…")?"irregular; the least":o[d]||null}),g(c,o[d])})}var Ie=1,de=16e6,U=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=h("div",{...t,scroll:()=>this.#d()},this.#t),
typeof ResizeObserver<"u"&&(this.#o=new ResizeObserver(()=>this.paint()),this.#o.observe(this.view))}rowHeight;make;fill;view;#t=h("div",{class:"\
pad",role:"presentation"});#n=[];#e=[];#s=0;#i=0;#r=0;#o;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.rowHeight))}get first(){
return this.view.scrollTop*this.#l/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight/this.#l}get#l(){let e=this.#s*this.rowHeight,
{clientHeight:t}=this.view;return e<=de?1:(e-t)/(de-t)}show(e,t=-1,r=0){this.#s=e,this.#t.style.height=`${Math.min(de,e*this.rowHeight)}px`,
this.#e.fill(-1),t>=0&&this.#a(t,r),this.paint()}paint(){let e=this.page+1+2*Ie,t=Math.max(0,Math.floor(this.first)-Ie),r=this.view.scrollTop*
(1-this.#l);r!==this.#r&&this.#e.fill(-1),this.#r=r;let s=Math.min(this.#s,t+e);this.#c(Math.min(this.#s,e));let i=this.#n.length,o=new Set;
for(let a=t;a<s;a++){let l=a%i;o.add(l),this.#e[l]!==a&&(this.#e[l]=a,this.#n[l].hidden=!1,this.#n[l].style.transform=`translateY(${a*this.rowHeight+
r}px)`,this.fill(this.#n[l],a))}this.#n.forEach((a,l)=>{o.has(l)||(a.hidden=!0,this.#e[l]=-1)})}elementOf(e){let t=this.#e.indexOf(e);return t<
0?void 0:this.#n[t]}destroy(){this.#o?.disconnect(),cancelAnimationFrame(this.#i)}#a(e,t){let r=this.view.clientHeight/this.rowHeight;e<this.
first+t?this.jumpTo(Math.max(0,e-t)):r>0&&e+1>this.first+r&&this.jumpTo(e+1-r)}#c(e){if(!(e<=this.#n.length)){for(;this.#n.length<e;){let t=this.
make(this.#n.length);this.#n.push(t),this.#t.append(t)}this.#e=this.#n.map(()=>-1)}}#d(){cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(
()=>this.paint())}};var Ce=24,$t=20,Lt=18,He=4,_t={shard:"shard",replicate:"replicate",ignore:"ignore",none:"line"},K=class{constructor(e){this.events=e;let t={
class:"rows",role:"tree",tabindex:0,"aria-multiselectable":"true","aria-label":"Modules"},r=i=>ae("row",`row-${i}`);this.#e=new U(Ce,t,r,(i,o)=>le(
i,o,this.#r,!1));let{view:s}=this.#e;s.prepend(this.#n),s.addEventListener("click",i=>this.#c(i)),s.addEventListener("mouseover",({target:i})=>this.#a(
i)),s.addEventListener("mouseleave",()=>this.#a(null)),s.addEventListener("scroll",()=>{this.#l(),e.scrolled()}),s.addEventListener("keydown",
i=>this.#d(i)),this.stage.append(s),this.element=h("div",{class:"tree"},this.#t,this.stage),this.hide(this.hidden)}events;element;stage=h("d\
iv",{class:"stage"});#t=h("div",{class:"heads","aria-hidden":"true"});#n=h("div",{class:"pins","aria-hidden":"true"});#e;#s={now:[],live:[]};#i="";#r={
outline:void 0,columns:[],measured:{execution:new Map,bytes:null},hits:new O,paint:null,pending:new Map,refused:new Set,tie:"",pointed:{now:new Set,
live:new Set}};hidden=new Set(Pe);show(e,t){let r=this.#r;r.outline=e;let s=`${Math.min(e.rows.length,Lt)*this.#e.rowHeight+2}px`;this.#i!==
s&&(this.#e.view.style.height=this.#i=s);for(let o of["now","live"])r.pointed[o]=new Set(this.#s[o].map(a=>e.rowOf(a)));let i=t?Math.min(He,
e.rows[e.focus].level-1):0;this.#e.show(e.rows.length,t?e.focus:-1,i),this.#l(),m(this.#e.view,{"aria-activedescendant":this.#e.elementOf(e.
focus)?.id??null})}get painted(){return this.#e.view.clientHeight>0}get viewport(){return{first:this.#e.first,count:this.#e.page,rowHeight:this.#e.
rowHeight}}scrollTo=e=>this.#e.jumpTo(e);colourOf(e){let{paint:t,outline:r}=this.#r;return t?.(e)?.colour??`var(--${_t[E[r.plan.status[e]].hue]}\
)`}point(e,t){this.#s[e]=t,this.#o()}paint(e){this.#r.paint=e,this.#o()}find(e){this.#r.hits=new O(e,this.#r.outline.tree),this.#o()}execute(e){
this.#r.measured.execution=e,this.#o()}measure(e){let{size:t}=this.#r.outline.tree,r=e&&new Float64Array(t+1);if(r)for(let s=0;s<t;s++)r[s+1]=
r[s]+e(s);this.#r.measured.bytes=r,this.#o()}pend(e,t){this.#r.pending=new Map(t?e.map(r=>[r,t]):[]),this.#r.refused=new Set(t?[]:e),this.#o()}hide(e){
this.hidden=new Set(e),this.#r.columns=Ae.filter(({key:t})=>!this.hidden.has(t)),this.#t.replaceChildren(h("span",{class:"main"},"module"),...this.#r.
columns.map(({key:t,label:r,title:s})=>h("span",{class:`num ${t}`,title:s},r))),this.#o()}compact(e){this.#e.rowHeight=e?$t:Ce,this.element.
style.setProperty("--row",`${this.#e.rowHeight}px`),this.#o()}takeFocus=()=>this.#e.view.focus({preventScroll:!0});destroy=()=>this.#e.destroy();#o(){
this.#r.outline&&this.show(this.#r.outline,!1)}#l(){let{outline:e}=this.#r,t=Math.floor(this.#e.first),r=[];for(;r.length<He&&t+r.length<e.rows.
length;){let s=t+r.length,i=e.ancestorsOf(s)[r.length];if(i===void 0||i>=s)break;r.push(i)}for(;this.#n.children.length>r.length;)this.#n.lastElementChild.
remove();for(;this.#n.children.length<r.length;)this.#n.append(ae("pin"));r.forEach((s,i)=>{let o=this.#n.children[i];o.style.transform=`tra\
nslateY(${i*this.#e.rowHeight}px)`,le(o,s,this.#r,!0)})}#a(e){let t=e?.dataset.cell==="ties"?e.textContent.split(" ")[1]:"";t!==this.#r.tie&&
(this.#r.tie=t,this.#o())}#c(e){let t=e.target,r=t.closest("[data-row]");if(!r)return;let s=Number(r.dataset.row),{outline:i}=this.#r;t.dataset.
cell==="fold"&&i.isParent(i.rows[s])?this.events.toggle(s):t.dataset.cell==="times"?this.events.split(s):this.events.select(s,e.shiftKey),this.
takeFocus()}#d(e){let t=Ne(e,this.#e.page-1);if(!t)return;if(e.preventDefault(),t.do!=="leave")return this.events.act(t);let{view:r}=this.#e;
r.blur(),r.getRootNode().host.closest("[tabindex]")?.focus()}};var V=class{constructor(e,t){this.model=e;this.now=t}model;now;#t="";#n={};#e;saveSoon(){clearTimeout(this.#e),this.#e=setTimeout(()=>this.#s(),
250)}get isNews(){return this.model.get("view")!==this.#t}read(){let e=String(this.model.get("view")??"");return{...e?JSON.parse(e):{},...this.#n}}keep(e,t){
this.#n[e]=t,this.saveSoon()}destroy=()=>clearTimeout(this.#e);#s(){this.#t=JSON.stringify({...this.read(),...this.now()}),this.model.set("v\
iew",this.#t),this.model.save_changes()}};var Nt=2e3,It=1e3,ze="F fully sharded, f in its unit, R replicated, I ignored. Marks, runs and other panels come from the kernel: a saved pa\
ge without one can be read, folded and walked with the keys.",A=(n,e="")=>h("div",{class:`slot ${n}`},e),W=class{constructor(e){this.model=e;
this.talk=new $(a=>e.send(a)),this.saved=new V(e,()=>this.#h());let{tools:t,top:r,edge:s,side:i,tab:o}=this.slots;this.root.append(h("div",{
class:"head"},this.#t," ",this.#n),t,h("div",{class:"body"},h("div",{class:"outline"},r,this.view.element),i),this.#e,this.status.element,o),
this.view.stage.append(s)}model;root=h("div",{class:"shx","data-kernel":"alive"});slots={tools:A("tools"),top:A("top"),edge:A("edge"),side:A(
"side"),tab:A("tab note",ze)};status=new z;talk;saved;view=new K({act:e=>this.act(e),select:(e,t)=>this.moved(()=>this.outline.select(e,t)),
toggle:e=>this.#c(()=>this.outline.toggle(e)),split:e=>this.#c(()=>this.outline.toggleSplit(e)),scrolled:()=>this.#a("scroll")});outline;#t=h(
"b",{"data-role":"title"});#n=h("span",{class:"note","data-role":"totals"});#e=h("div",{class:"detail","data-role":"detail"});#s;#i=[];#r=!1;readTree=()=>{
try{let e=xe(String(this.model.get("tree")));this.outline=new I(e,this.#l(e))}catch(e){return this.status.refuse({title:"The tree cannot be \
drawn",detail:String(e)})}return g(this.#t,this.outline.tree.title),this.#u(!0),this.#a("tree"),this.#o()};readPlan=()=>{this.outline&&(this.
outline.setPlan(this.#l(this.outline.tree)),this.#o(),this.status.failing&&this.status.tell("The plan has changed."))};#o(){let{tree:e,plan:t}=this.
outline;g(this.#n,Ee(e.size,t.state)),m(this.root,{"data-rev":t.state.rev}),this.#a("plan","rows"),this.#d()}readView=()=>{!this.saved.isNews||
!this.outline||(this.#u(!1),this.#a("focus","rows"),this.#d(!0))};hear=e=>{this.talk.hear(!0),e.type==="reply"?this.talk.receive(e):this.#s?
this.#s.hear(e):this.#i.length<It&&this.#i.push(e)};get painted(){return!this.outline||this.view.painted}ready(){m(this.root,{"data-ready":1}),
this.outline&&ue(this.talk).then(e=>{if(!this.#r){this.#s=e.start(this);for(let t of this.#i.splice(0))this.#s.hear(t)}},e=>g(this.slots.tab,
`The panels could not be loaded: ${e.message}`))}repaint(){this.outline&&this.#d(!0)}retheme=()=>this.#a("theme","colour");destroy(){this.#r=
!0,this.saved.destroy(),this.talk.close(),this.view.destroy(),this.#s?.destroy()}#l=e=>Re(String(this.model.get("plan")??""),e);#a=(...e)=>this.#s?.
changed(...e);act(e){let{outline:t}=this;switch(e.do){case"move":return this.moved(()=>t.select(t.focus+e.by,e.extend));case"edge":return this.
moved(()=>t.select(e.end?t.rows.length-1:0,e.extend));case"typeAhead":return this.moved(()=>t.typeAhead(e.char));case"open":case"close":case"\
enter":case"selectLike":return this.moved(()=>t[e.do]());case"split":return this.#c(()=>t.toggleSplit(t.focus));case"openSiblings":case"open\
All":case"closeAll":return this.#c(()=>t[e.do]());default:return this.#s?this.#s.act(e):this.status.tell(ze)}}moved(e){e(),this.#a("focus","\
rows"),this.#d(!0),this.saved.saveSoon()}#c(e){e(),this.#a("rows"),this.#d(),this.saved.saveSoon()}#d(e=!1){let{outline:t}=this;this.view.show(
t,e);let{tree:r,plan:s,rows:i,focus:o,anchor:a,numLike:l}=t,d=i[o],c=Math.abs(o-a)+1,u=[c>1?`${c} rows selected`:"",l>1?`${l} alike selected`:
"",F(r,s,d),d.ref<0?j(r,d.node):""];g(this.#e,u.filter(Boolean).join(" · "))}#h(){let{rows:e,focus:t,isOpen:r,splitParents:s}=this.outline,
i=e.filter(r).map(({node:o})=>o).slice(0,Nt);return{selected:e[t].node,open:i,split:s}}#u(e){let t=this.saved.read();e&&t.hidden&&this.view.
hide(t.hidden),e&&t.compact&&this.view.compact(!0),e&&t.open?this.outline.restore(t.open,t.split??[],t.selected??0):t.selected!==void 0&&t.selected<
this.outline.tree.size&&this.outline.jump(t.selected)}};function Fe(n){n.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])n.addEventListener(
e,t=>t.stopPropagation())}var je=':host{display:block;min-width:0}.shx{--ink: #1c2430;--soft: #5a6675;--paper: #fff;--raised: #f4f6f9;--line: #d5dbe3;--chosen: #dbe9f\
b;--ring: #0b5cad;--find: #ffe08a;--shard: #0072b2;--shard-ink: #fff;--replicate: #b85c00;--replicate-ink: #fff;--ignore: #6b7280;--ignore-i\
nk: #fff;--bad: #b3261e;--bad-paper: #fdecea;--mono: var(--jp-code-font-family, ui-monospace, "DejaVu Sans Mono", monospace);color:var(--ink\
);background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:8px 10px;overflow:hidden;font:13px/1.4 var(--jp-ui-font-fam\
ily, system-ui, sans-serif);container-type:inline-size;color-scheme:light}.shx[data-theme=dark]{--ink: #e4e9f0;--soft: #a3afbd;--paper: #141\
81e;--raised: #1e242c;--line: #38424f;--chosen: #1d3a5c;--ring: #6cb6ff;--find: #6b5600;--shard: #56b4e9;--shard-ink: #06121c;--replicate: #\
f0a04b;--replicate-ink: #1c0f00;--ignore: #9aa5b1;--ignore-ink: #10151b;--bad: #ff8a80;--bad-paper: #3a1b1b;color-scheme:dark}[hidden]{displ\
ay:none!important}:focus-visible{outline:2px solid var(--ring);outline-offset:-2px}.note{color:var(--soft)}.head{padding-bottom:6px}.head b{\
font-size:15px;margin-right:6px}[data-cell=swatch]{display:inline-block;box-sizing:border-box;width:15px;height:15px;border-radius:3px;borde\
r:2px solid var(--hue);color:var(--hue);font:700 10px/11px ui-monospace,monospace;text-align:center;flex:none}[data-hue=shard]{--hue: var(--\
shard);--hue-ink: var(--shard-ink)}[data-hue=replicate]{--hue: var(--replicate);--hue-ink: var(--replicate-ink)}[data-hue=ignore]{--hue: var\
(--ignore);--hue-ink: var(--ignore-ink)}[data-hue=none]{--hue: var(--soft)}[data-status=u] [data-cell=swatch]{border:1.5px dotted var(--soft\
)}[data-status=F] [data-cell=swatch],[data-status=R] [data-cell=swatch],[data-status=I] [data-cell=swatch],button [data-cell=swatch]{backgro\
und:var(--hue);color:var(--hue-ink)}[data-status=ref] [data-cell=swatch]{visibility:hidden}[data-painted] [data-cell=swatch]{box-shadow:0 0 \
0 1px var(--soft)}[data-painted]:not([data-status=F],[data-status=R],[data-status=I]) [data-cell=swatch],[data-painted]:not([data-status=F])\
>.unit{color:var(--ink)!important}.heads,.row,.pin{display:flex;gap:6px;padding:0 6px}.heads{color:var(--soft);font-size:11px;border-bottom:\
1px solid var(--line);scrollbar-gutter:stable;overflow:hidden;padding:2px 6px;cursor:help}.rows{position:relative;overflow:auto;contain:stri\
ct;scrollbar-gutter:stable}.rows{border-bottom:1px solid var(--line);resize:vertical;min-height:26px}.stage,.body{display:flex}.stage>.rows,\
.outline{flex:1;min-width:0}.slot:empty{display:none}.edge{width:64px}.tree:has(.edge:not(:empty)) .heads{margin-right:64px}.pad{position:re\
lative}.pins{position:sticky;top:0;height:0;z-index:1}.row,.pin{position:absolute;left:0;right:0;height:var(--row, 24px);line-height:var(--r\
ow, 24px);white-space:nowrap;cursor:default;font-family:var(--mono);font-size:12px}.pin{background:var(--raised)}.pin:last-child{box-shadow:\
0 1px var(--line)}.row:before,.pin:before{content:"";position:absolute;inset:0 auto 0 0;width:4px;background:var(--lane, none)}[data-lane=st\
arts]:before{top:2px}:is(.row,.pin):is([data-hue=shard],[data-hue=replicate],[data-hue=ignore]){--lane: var(--hue)}.row:hover{background:var\
(--raised)}.row[aria-selected=true],.pin[data-selected]{background:var(--chosen)}.rows:focus .row[data-focus]{outline:2px solid var(--ring);\
outline-offset:-2px;border-radius:3px}.main{display:flex;flex:1;align-items:center;gap:5px;padding-left:var(--indent, 0);min-width:0;overflo\
w:hidden}.words{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}.main>*{flex:none}.main>:empty{display:none}[data-cell=fold\
],.main>[data-cell=fold]:empty{display:block;width:14px;text-align:center;color:var(--soft);cursor:pointer}.main>[data-cell=swatch]:empty{di\
splay:inline-block}.main>:nth-child(3){font-weight:600}.main>:nth-child(3),.main>:nth-child(4){flex:0 1 auto;overflow:hidden;text-overflow:e\
llipsis}.main>:nth-child(4){color:var(--soft);flex-shrink:99}.main>:nth-child(n+5){border:1px dashed var(--soft);border-radius:3px;line-heig\
ht:14px;padding:0 4px;font-size:11px}.main>[data-cell=times]{border:1px solid var(--line);border-radius:9px;line-height:16px;padding:0 7px;c\
ursor:pointer;background:var(--raised)}.main>[data-cell=alarm]{font-weight:700;border:1px solid var(--line)}[data-alarm="3"]>*>[data-cell=al\
arm]{color:var(--bad);border-color:var(--bad);background:repeating-linear-gradient(45deg,transparent 0 3px,var(--bad-paper) 3px 6px)}[data-f\
rozen]>*>:nth-child(3){font-weight:400;color:var(--soft)}.init_c,.init_w{box-sizing:border-box;padding-right:4px}[data-pair=differ]{outline:\
1px solid var(--soft);outline-offset:-2px}[data-pair=same]{box-shadow:inset 0 -1px var(--soft)}.init_c[data-pair=same]{box-sizing:content-bo\
x;width:48px;margin-right:-6px;padding-right:10px}.num{flex:none;width:52px;text-align:right;overflow:hidden;text-overflow:ellipsis;font-var\
iant-numeric:tabular-nums}.own,.unit{width:62px}.total,.bytes,.exec{width:74px}.dfs{width:84px}.row .dfs{color:var(--soft)}.num.unit:not(:em\
pty){box-sizing:border-box;border:1px solid var(--hue);color:var(--hue);border-radius:9px;padding:0 4px;font-size:11px;line-height:16px;alig\
n-self:center;text-align:center}[data-status=F]>.num.unit:not(:empty){background:var(--hue);color:var(--hue-ink)}.detail,.status{max-height:\
96px;overflow:auto;overflow-wrap:anywhere}.detail{color:var(--soft);padding:4px 6px}.status{padding:4px 8px;min-height:19px;border-left:3px \
solid var(--line);margin:2px 0 6px;white-space:pre-wrap;font-family:var(--mono);font-size:12px}.status p,.error pre{margin:2px 0 0;white-spa\
ce:pre-wrap}.status[data-kind=error],.error,.gone{border-left:3px solid var(--bad);background:var(--bad-paper);padding:6px 8px;margin:4px 0}\
.status[data-kind=error] b:before,.error>b:before{content:"! ";color:var(--bad)}@container (max-width: 720px){.body{display:block}.own,.byte\
s,.handle,.init_c,.init_w,.exec{display:none}}@container (max-width: 420px){.total,.num.unit{display:none}.dfs{width:62px}}@media(forced-col\
ors:active){.row[aria-selected=true]{outline:1px solid Highlight}}';function Ht({model:n,el:e}){let t=new W(n);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(h("style",{},je),t.root),Fe(e);let s=ce(
t.root,t.retheme),i=[["change:tree",t.readTree],["change:plan",t.readPlan],["change:view",t.readView],["msg:custom",t.hear]];for(let[o,a]of i)
n.on(o,a);return t.readTree(),Ue(t,!1),()=>{for(let[o,a]of i)n.off(o,a);s(),t.destroy()}}function Ue(n,e){requestAnimationFrame(()=>{if(!n.root.
isConnected||!n.painted)return Ue(n,!0);e&&n.repaint(),requestAnimationFrame(()=>n.ready())})}var qn={render:Ht};export{qn as default};
