// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
function Pe(n){let e=n.dataset.jpThemeLight;return e?e==="false"?"dark":"light":/\bvscode-(dark|high-contrast)\b/.test(n.className)?"dark":n.
classList.contains("vscode-light")?"light":null}function Q(n,e){let t=typeof matchMedia=="function"?matchMedia("(prefers-color-scheme: dark)"):
null,r=()=>{n.dataset.theme=Pe(document.body)??(t?.matches?"dark":"light"),e()},s=new MutationObserver(r);return s.observe(document.body,{attributes:!0,
attributeFilter:["data-jp-theme-light","class"]}),t?.addEventListener("change",r),r(),()=>{s.disconnect(),t?.removeEventListener("change",r)}}function h(n,e={},...t){return $e(document.createElement(n),e,t)}function $e(n,e,t){for(let[r,s]of Object.entries(e))typeof s=="function"?n.addEventListener(r,s):n.setAttribute(r,String(s));return n.append(
...t),n}function g(n,e){n.textContent!==e&&(n.textContent=e)}function m(n,e){for(let[t,r]of Object.entries(e))r===null?n.removeAttribute(t):
n.getAttribute(t)!==String(r)&&n.setAttribute(t,String(r))}function w(n,e,t){for(;n.children.length<e;)n.append(t());for(;n.children.length>
e;)n.lastElementChild.remove()}var Le=Symbol.for("sharding-explorer.chunks"),Ne=()=>globalThis[Le]??=new Map,Ce=async n=>{let e=URL.createObjectURL(new Blob([n],{type:"tex\
t/javascript"}));try{return await import(e)}finally{URL.revokeObjectURL(e)}};async function Z(n,e=Ce){let t=Ne(),r=await n.ask("chunk",{name:"\
extras",have:[...t.keys()]});if(!r.ok)throw new Error(r.error?.detail??"The kernel refused and gave no reason.");let{digest:s,text:i}=r.value,
a=t.get(s)??e(i).then(o=>o.default);return t.set(s,a),a.catch(()=>t.delete(s)),a}function I(n,e,t,r){if(r)return ne(n,t).map(i=>re(n,i));let s=e.groups.get(t)??Fe(n,e,t);return e.groups.set(t,s),s}function te(n,{first:e,times:t,
stride:r},s){let i=s-e;return i>=0&&i<t*r&&i%r<n.end[e]-e}function ne(n,e){let t=[];for(let r=e+1;r<n.end[e];r=n.end[r])t.push(r);return t}var re=(n,e)=>({
first:e,times:1,period:1,stride:n.end[e]-e,beside:-1});function Fe(n,e,t){let r=ne(n,t),s=[],i=0;for(let a=0;a<r.length;){if(a>=i)for(i=a+1;i<
r.length&&He(n,r[i-1],r[i]);)i++;let[o,l]=Ie(n,e,r,a,i);for(let d=0;d<Math.min(o,l);d++){let u=Math.ceil((l-d)/o),c=re(n,r[a+d]);s.push(u===
1?c:{...c,times:u,period:o,stride:r[a+d+o]-c.first})}a+=l}return s.forEach((a,o)=>a.beside=_e(n,s,o)),s}var H=/^(0|[1-9]\d*)$/,He=(n,e,t)=>H.
test(n.names[e])&&String(Number(n.names[e])+1)===n.names[t];function Ie(n,e,t,r,s){let i=[1,1];for(let a=1;a<=4&&i[1]<s-r;a++){let o=r+a;for(;o<
s&&x(n,e,t[o-a],t[o])==="";)o++;let l=o-r;o<=s&&l>=2*a&&l>i[1]&&(i=[a,l])}return i}function _e(n,e,t){let r=a=>a&&a.times>1&&H.test(n.names[a.
first])?a.times:0;if(e[t].times>1||!H.test(n.names[e[t].first]))return-1;let[s,i]=[e[t-1],e[t+1]];return r(s)+r(i)===0?-1:r(s)>=r(i)?s.first:
i.first}function x(n,e,t,r){if(n.cls[t]!==n.cls[r])return n.classes[n.cls[t]][0]===n.classes[n.cls[r]][0]?"structure":"type";let{status:s,head:i,
alarm:a}=e,o=n.end[t]-t,l=(d,u)=>d>=u&&d<u+o?d-u:-2-d;for(let d=0;d<o;d++){if(s[t+d]!==s[r+d])return"status";if(l(i[t+d],t)!==l(i[r+d],r))return"\
owner";if(ee(e,t+d)!==ee(e,r+d))return"unit settings";if(a[t+d]!==a[r+d])return"findings";let u=ze(n,t,r,d,l);if(u)return u}return""}function ee(n,e){
let t=n.head[e]===e&&n.unitAt.get(e);return t?`${t.setting} ${t.nparams} ${t.members.length}`:""}function ze({links:n},e,t,r,s){if(n.size===
0)return"";let[i,a]=[n.get(e+r)??[],n.get(t+r)??[]];for(let o=0;o<i.length||o<a.length;o++){let[l,d]=[i[o],a[o]];if(!l||!d||l.label!==d.label||
s(l.target,e)!==s(d.target,t))return l?.kind==="shared modules"?l.kind:(d??l).kind}return""}function se(n){return{open:new Uint8Array(n.size),split:new Set}}function T(n,e,t){let r=[],i=[{groups:[{first:0,times:1,period:1,stride:n.size,
beside:-1}],refs:[],next:0,scope:null,above:-1}];for(;i.length>0;){let a=i[i.length-1],{groups:o,refs:l}=a;if(a.next===o.length+l.length){i.
pop();continue}let d=a.next++,u={above:a.above,level:i.length,position:a.next,siblings:o.length+l.length};if(d>=o.length){let k=l[d-o.length];
r.push({node:n.refs[k][2],ref:k,times:1,period:1,beside:-1,scope:a.scope,...u});continue}let{first:c,times:p,period:f,stride:Ae,beside:Se}=o[d],
Y=p>1?{outer:a.scope,first:c,times:p,period:f,stride:Ae}:a.scope;if(r.push({node:c,ref:-1,times:p,period:f,beside:Se,scope:Y,...u}),t.open[c]){
let k=t.split.has(c);i.push({groups:I(n,e,c,k),refs:n.refsOf.get(c)??[],next:0,scope:Y,above:r.length-1})}}return r}var _=(n,e)=>n.end[e]>e+
1||n.refsOf.has(e);function O(n){let e=1;for(let t=n.scope;t;t=t.outer)e*=t.times;return e}function oe(n){let e=n.node;for(let t=n.scope;t;t=
t.outer)e+=(t.times-1)*t.stride;return e}function ie(n){if(n.members)return n.members;let e=[n.node];for(let t=n.scope;t;t=t.outer){let{times:r,
stride:s}=t;e=Array.from({length:r},(i,a)=>e.map(o=>o+a*s)).flat()}return n.members=e}function z(n){let[e,t]=[0,0];for(let r=n.scope;r;r=r.outer){
if(e===0)e=r.stride;else if(r.stride!==t)return-1;t=r.stride*r.times}return e}function E(n,e){let t=e.ref<0?[]:[n.refs[e.ref][1]],r=e.ref<0?
e.node:n.refs[e.ref][0],s=e.scope;for(;r>0;r=n.parent[r]){let i=s!==null&&s.first===r;t.push(i?j(n,s):n.names[r]),i&&(s=s.outer)}return t.reverse().
join(".")}function j(n,{first:e,times:t,period:r}){let s=n.names[e];if(t===1)return s;let i=`${s}–${Number(s)+(t-1)*r}`;return r===1?i:`(${i}\
)/${r}`}var ae=(n,e,t,r)=>de(n,e,t,r,!0),le=(n,e,t,r)=>de(n,e,t,r,!1);function de(n,e,t,r,s){let i=[];for(let l=r;l>0;l=n.parent[l])i.push(l);
let a=0,o=0;for(let l of i.reverse()){if(s)t.open[o]=1;else if(!t.open[o])return o;let d=l-a,u=I(n,e,o,t.split.has(o)).find(p=>te(n,p,d)),c=Math.
floor((d-u.first)/u.stride)*u.stride;a+=c,o=d-c}return o}function ue(n,e,t,r=40){for(t.open[0]=1;;){let s=t.open.slice(),a=T(n,e,t).filter(o=>o.
ref<0&&!t.open[o.node]&&_(n,o.node));if(a.length===0)return;for(let o of a)t.open[o.node]=1;if(T(n,e,t).length>r){t.open.set(s);return}}}function M(n,e){return n.flatMap(([r,...s])=>{let i=s.splice(0,e),a=[r];for(let o=0;o<s.length;o+=2){let l=a,[d,u]=[s[o],s[o+1]];a=Array.from(
{length:d},(c,p)=>l.map(f=>f+p*u)).flat()}return a.map(o=>[o,...i])}).sort((r,s)=>r[0]-s[0])}function je([n,...e],t){let r=new Array(t).fill(
n);for(let[s,i]of M(e,1))r[s]=i;return r}var ce=([n,e],t)=>je(e,t).map((r,s)=>r===null?null:r+n*s);var R="uFfRrIi",U=2,Ue=["","info","warn","error"],Ve={v:U,rev:0,areas:[],units:{num:0,settings:[]},conflicts:[],findings:[],totals:{}};function V(n,{
size:e}){let t=n?JSON.parse(n):Ve;if(t.v!==U)throw new Error(`The plan has format ${t.v}, this page reads ${U}. Restart the kernel.`);let r={
payload:t,status:new Uint8Array(e),unitOf:new Int32Array(e).fill(-1),head:new Int32Array(e).fill(-1),unitAt:new Map,alarm:new Uint8Array(e),
groups:new Map,texts:new Map};for(let s of M(t.areas,2))Ke(r,...s);Ge([...r.unitAt.values()],t.units);for(let{at:s,severity:i}of[...t.findings,
...t.conflicts]){let a=i===void 0?3:Ue.indexOf(i);for(let[o]of M(s,1))r.alarm[o]=Math.max(r.alarm[o],a)}return r}function Ke({status:n,unitOf:e,
head:t,unitAt:r},s,i,a){let o=/f/i.test(a)?s-Number(a.slice(1)):-1,l=r.get(o);l&&a[0]==="F"?l.members.push(s):a[0]==="F"&&r.set(o,{n:r.size,
index:o,members:[s]}),n.fill(R.indexOf(a[0].toLowerCase()),s,s+i),n[s]=R.indexOf(a[0]),t.fill(o,s,s+i),e.fill(r.get(o)?.n??-1,s,s+i)}function Ge(n,{
num:e,setting:t,settings:r,apart:s,within:i,...a}){let o={...a,setting:[0,t??[0]]};for(let[l,d]of Object.entries(o))ce(d,e).forEach((u,c)=>Object.
assign(n[c],{[l]:u}))}function he(n){let e=JSON.parse(n);if(e.v!==1)throw new Error(`The tree has format ${e.v}; this page reads format 1. Reinstall the package a\
nd restart the kernel.`);return De(e)}function De(n){let{classes:e,root:t}=n,{modules:r,own:s,total:i,frozen:a}=We(e),o=r[t],l={title:n.name,
classes:e,size:o,cls:new Int32Array(o),end:new Int32Array(o),depth:new Int32Array(o),parent:new Int32Array(o),names:new Array(o),own:s,total:i,
frozen:a,refs:n.refs??[],refsOf:new Map,tiesOf:new Map,links:new Map};return Je(l,t,r),l.refs.forEach(([d,u,c,p],f)=>{A(l.refsOf,d,f),A(l.links,
d,{kind:"shared modules",label:`${p} ${u}`,target:c})}),Xe(l,n.ties??[]),l}function We(n){let e=new Float64Array(n.length),t=new Float64Array(
n.length),r=new Float64Array(n.length),s=new Uint8Array(n.length);return n.forEach(([i,a,o],l)=>{t[l]=a.reduce((d,u)=>d+(qe(u)?Be(u):0),0),e[l]=
1,r[l]=t[l];for(let[,,,d]of a)d.includes("b")||(s[l]=Math.max(s[l],d.includes("f")?1:2));for(let d of o){if(!(d[2]<l))throw new Error(`The t\
ree payload is broken: class ${l} (${i}) comes before its child ${d[0]}.`);e[l]+=K(d)*e[d[2]],r[l]+=K(d)*r[d[2]],s[l]=Math.max(s[l],s[d[2]])}}),
{modules:e,own:t,total:r,frozen:s.map(i=>+(i===1))}}var qe=([,,,n])=>!n.includes("b")&&!n.includes("s"),K=([n,e])=>e===null?1:Number(e)-Number(
n)+1,Be=([,n])=>n.reduce((e,t)=>e*t,1),G=(n,e)=>n.frozen[n.cls[e]]===1;function Je(n,e,t){let r=[],s=0,i=(a,o,l)=>{let d=s++;n.cls[d]=a,n.end[d]=
d+t[a],n.depth[d]=r.length,n.parent[d]=l,n.names[d]=o,n.classes[a][2].length>0&&r.push({kids:n.classes[a][2],kid:0,nth:0,index:d})};for(i(e,
"",-1);r.length>0;){let a=r[r.length-1];if(a.kid===a.kids.length){r.pop();continue}let o=a.kids[a.kid],l=o[1]===null?o[0]:String(Number(o[0])+
a.nth);++a.nth===K(o)&&(a.kid++,a.nth=0),i(o[2],l,a.index)}}function Xe(n,e){let t=Ye(n);e.forEach((r,s)=>{let i=s<26?String.fromCharCode(97+
s):String(s),a=r.map(o=>{let l=o.lastIndexOf(".");return[t(o.slice(0,Math.max(0,l))),o.slice(l+1)]});a.forEach(([o,l],d)=>{if(o<0)return;let[
u,c]=a[d?0:a.length-1];A(n.tiesOf,o,i),A(n.links,o,{kind:"ties",label:`${l} ${c}`,target:u})})})}function A(n,e,t){let r=n.get(e);r?r.push(t):
n.set(e,[t])}function S(n,e){let t=[];for(let r=e;r>0;r=n.parent[r])t.push(n.names[r]);return t.reverse().join(".")}function Ye(n){let e=new Map,t=r=>{let s=e.get(r)??new Map;if(s.size===0)for(let i=r+1;i<n.end[r];i=n.end[i])s.set(n.names[i],i);return e.set(
r,s),s};return r=>{let s=0;for(let i of r===""?[]:r.split("."))if(s=t(s).get(i)??-1,s<0)break;return s}}var Qe={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},D=[...R].map(n=>({letter:n,...Qe[n]})),Ze=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function b(n){for(let[e,t]of Ze)if(n>=e&&n>=1e4)return`${(n/e).toFixed(1)} ${t}`;return n.toLocaleString("en")}function pe(n){
if(n.length===0||n.some(t=>t<0))return"";let e=(n[1]??n[0])-n[0];return n.every((t,r)=>t===n[0]+r*e)?W(n[0],e):`${n.reduce((t,r)=>Math.min(t,
r))}…`}function W(n,e){let t=Math.abs(e)===1?"":Math.abs(e);return e===0?String(n):`${n}${e<0?"−":"+"}${t}k`}function q(n,e){let t=n.unitOf[e.
node],r=n.unitOf[oe(e)];return t<0?"":t===r?`u${t}`:`u${t}–${r}`}function et(n,e){return D[n.status[e.node]]}function fe(n,e,t){let r=E(n,
t)||"the root module";if(t.ref>=0)return`${r}: the same module as ${S(n,t.node)||"the root"}, number ${t.node}`;let[s]=n.classes[n.cls[t.node]],
i=n.total[n.cls[t.node]],a=b(i),o=O(t),l=e.unitAt.get(t.node);return[`${r}, ${s}${t.times>1?`, ${t.times} alike`:""}`,et(e,t).word,q(e,t).replace(
"u","unit "),o>1?`${a} parameters each, ${b(i*o)} together`:`${a} parameters`,l&&l.handle!==null?`handle ${l.handle}`:"",t.beside<0?"":`diff\
ers from its neighbours in ${x(n,e,t.beside,t.node)}`,e.alarm[t.node]===3?"has a conflict":e.alarm[t.node]?"has a finding":""].filter(Boolean).
join(", ")}function me(n,e){let[,t]=n.classes[n.cls[e]];return t.map(([r,s,i,a])=>`${r} [${s.join(", ")}] ${i}${tt(a)}`).join("; ")}var tt=n=>(n.
includes("b")?" buffer":"")+(n.includes("f")?" frozen":"")+(/[ts]/.test(n)?" tied":"");function ge(n,{payload:{totals:e,rev:t},unitAt:r}){let i=[
"sharded","replicated","ignored","unmanaged"].filter(l=>e[l]).map(l=>`${b(e[l])} ${l}`).join(", "),a=e.numel===void 0?"":` · ${b(e.numel)} \
parameters`,o=(l,d)=>`${l.toLocaleString("en")} ${d}${l===1?"":"s"}`;return`${o(n,"module")}${a}${i?`: ${i}`:""} · ${o(r.size,"unit")} · re\
vision ${t}`}var v=(n,e,t,r)=>({key:n,label:e,title:t,text:r}),P=[v("total","subtree","Elements of the subtree, each tensor once; of each one of a ×n row",
({tree:n},{node:e})=>nt(n.total[n.cls[e]],b)),v("unit","unit","The unit that owns the parameters",({plan:n},e)=>q(n,e)),v("dfs","#","Place i\
n the pre-order (DFS); k counts the modules of a ×n row",(n,e)=>`#${z(e)<0?`${e.node}…`:W(e.node,z(e))}`),v("handle","H","Place of the un\
it's handle in get_handles(root)",B("handle")),v("init_c","I₁","When its handle is made by fully_shard (composable path)",B("init_c")),v("\
init_w","I₂","When its handle is made by FullyShardedDataParallel (wrapper path)",B("init_w"))],nt=(n,e)=>n>0?e(n):"";function B(n){return({
plan:{unitAt:e,texts:t}},r)=>{if(!e.has(r.node))return"";let s=`${n} ${r.node} ${O(r)}`,i=t.get(s)??pe(ie(r).map(a=>e.get(a)?.[n]??-1));return t.
set(s,i),i}}var $=class{constructor(e){this.send=e}send;#n=new Map;#t=0;#e=Math.random().toString(36).slice(2,8);ask(e,t={}){let r=`${this.#e}-${++this.#t}`;
return new Promise(s=>{this.#n.set(r,s),this.send({id:r,cmd:e,...t})})}receive(e){let t=this.#n.get(e.id);this.#n.delete(e.id),t?.(e)}};var rt={ArrowRight:{do:"open"},ArrowLeft:{do:"close"},Enter:{do:"enter"},Escape:{do:"leave"},"+":{do:"openAll"},"-":{do:"closeAll"},"*":{do:"\
openSiblings"},s:{do:"split"}};function be({key:n,shiftKey:e,ctrlKey:t,metaKey:r,altKey:s},i){if(s||t||r)return null;let a={ArrowDown:1,ArrowUp:-1,
PageDown:i,PageUp:-i};if(n in a)return{do:"move",by:a[n],extend:e};if(n==="Home"||n==="End")return{do:"edge",end:n==="End",extend:e};let o=n.
length===1?n.toLowerCase():n;return rt[o]??(/^\w$/.test(o)?{do:"typeAhead",char:o}:null)}var ve=new Set,L=class{constructor(e,t){this.tree=e;this.plan=t;this.folds=se(e),ue(e,t,this.folds),this.#t()}tree;plan;rows=[];focus=0;anchor=0;like=ve;folds;setPlan(e){
this.plan=e,this.#t()}isOpen=e=>e.ref<0&&this.folds.open[e.node]===1;isParent=e=>e.ref<0&&_(this.tree,e.node);isSplit=e=>e.ref<0&&this.folds.
split.has(this.tree.parent[e.node]);isSelected=e=>e>=Math.min(this.anchor,this.focus)&&e<=Math.max(this.anchor,this.focus)||this.rows[e].ref<
0&&this.like.has(this.rows[e].node);select(e,t=!1){this.focus=Math.max(0,Math.min(this.rows.length-1,e)),t||(this.anchor=this.focus),this.like=
ve}typeAhead(e){let{names:t,refs:r}=this.tree,{length:s}=this.rows;for(let i=1;i<s;i++){let a=(this.focus+i)%s,{node:o,ref:l}=this.rows[a];if((l<
0?t[o]:r[l][1]).toLowerCase().startsWith(e))return this.select(a)}}toggle(e){let t=this.rows[e];this.isParent(t)&&(this.folds.open[t.node]^=
1,this.#t())}openSiblings(){let{above:e}=this.rows[this.focus];for(let t of this.rows)t.above===e&&t.ref<0&&(this.folds.open[t.node]=1);this.#t()}openAll(){
this.folds.open.fill(1),this.#t()}closeAll(){this.folds.open.fill(0,1),this.#t()}toggleSplit(e){let{scope:t,node:r,ref:s}=this.rows[e],i=this.
tree.parent[t?.first??r];i<0||s>=0||(this.folds.split.delete(i)||this.folds.split.add(i),this.#t())}open(){let e=this.rows[this.focus];this.
isParent(e)&&!this.isOpen(e)?this.toggle(this.focus):this.isOpen(e)&&this.select(this.focus+1)}close(){let e=this.rows[this.focus];this.isOpen(
e)&&this.isParent(e)?this.toggle(this.focus):this.select(e.above)}enter(){let e=this.rows[this.focus];e.ref>=0?this.jump(e.node):this.toggle(
this.focus)}jump(e){let t=ae(this.tree,this.plan,this.folds,e);this.#t(),this.select(this.#n(t))}rowOf=e=>this.#n(le(this.tree,this.plan,this.
folds,e));ancestorsOf(e){let t=[];for(let r=this.rows[e].above;r>=0;r=this.rows[r].above)t.push(r);return t.reverse()}#n(e){let{end:t,refs:r}=this.
tree,s=({ref:o,node:l})=>o<0?l:t[r[o][0]]-.5,[i,a]=[0,this.rows.length-1];for(;i<a;){let o=i+a>>1;s(this.rows[o])<e?i=o+1:a=o}return i}restore(e,t){
this.folds.open.fill(0);for(let r of e)this.folds.open[r]=1;this.folds.split=new Set(t),this.#t()}#t(){let[e,t]=[this.rows[this.focus],this.
rows[this.anchor]];this.rows=T(this.tree,this.plan,this.folds),this.focus=this.#e(e),this.anchor=this.#e(t)}#e(e){if(!e)return 0;let t=e.ref<
0?-1:this.rows.findIndex(({ref:r})=>r===e.ref);return t>=0?t:this.rowOf(e.ref<0?e.node:this.tree.refs[e.ref][0])}};var st=14,we=()=>h("span");function J(n,e){let t=["fold","swatch","name","type"].map(r=>h("span",{"data-cell":r}));return h("div",{class:n,...e?
{id:e,role:"treeitem"}:{}},h("span",{class:"words"}),h("span",{class:"main","aria-hidden":"true"},...t))}function xe(n,e,t){let{tree:r,plan:s,
rows:i,focus:a}=n,o=i[t],l=o.ref<0,d=D[s.status[o.node]],u=n.isParent(o);return{attributes:{"data-row":t,"data-status":l?d.letter:"ref","dat\
a-hue":l?d.hue:"none","data-alarm":l?s.alarm[o.node]:0,"data-lane":l&&s.unitOf[o.node]===ot(n,t)?"on":"starts","data-frozen":l&&G(r,o.node)||
null,"data-selected":n.isSelected(t)||null},item:{"data-index":o.node,"data-fqn":E(r,o),"data-count":o.times,"data-focus":t===a||null,"aria-\
level":o.level,"aria-posinset":o.position,"aria-setsize":o.siblings,"aria-selected":n.isSelected(t),"aria-expanded":u?n.isOpen(o):null,title:l&&
me(r,o.node)||null},style:{"--indent":`${Math.min(o.level-1,24)*st}px`},main:l?[u?n.isOpen(o)?"▾":"▸":"",d.glyph,...at(n,o)]:it(n,o),marks:l?
lt(n,o):[],cells:e.map(({key:c,text:p})=>{let f=l?p(n,o):"";return{text:f,attributes:{class:`num ${c}`,"data-cell":c,"aria-hidden":!0,title:f||
null}}}),words:fe(r,s,o)}}var ot=({rows:n,plan:e},t)=>t>0&&n[t-1].ref<0?e.unitOf[n[t-1].node]:-2;function it({tree:n},e){let[,t,,r]=n.refs[e.
ref];return[r==="back"?"↺":"↪","",t,`same as ${e.node===0?n.title:S(n,e.node)} (#${e.node})`]}function at({tree:n},e){let[t]=n.classes[n.
cls[e.node]];if(e.node===0)return[n.title,t===n.title?"":t];let r=j(n,{...e,first:e.node}),s=n.parent[e.node];return[/^\(?\d/.test(r)&&s>0?`${n.
names[s]}.${r}`:r,t]}function lt(n,e){let{tree:t,plan:r}=n;return[["times",e.times>1?`×${e.times}`:n.isSplit(e)?"⊟":""],["differs",e.beside<
0?"":`differs in ${x(t,r,e.beside,e.node)}`],["frozen",G(t,e.node)?"fz":""],["ties",(t.tiesOf.get(e.node)??[]).map(i=>`tie ${i}`).join(" ")],
["alarm",["","i","▲","!"][r.alarm[e.node]]]].filter(([,i])=>i)}function ye(n,{attributes:e,item:t,style:r,main:s,marks:i,cells:a,words:o},l){
let[d,u]=n.children;m(n,e),l||(m(n,t),g(d,o));for(let c in r)n.style.setProperty(c,r[c]);w(u,s.length+i.length,we),s.forEach((c,p)=>g(u.children[p],
c)),i.forEach(([c,p],f)=>{m(u.children[s.length+f],{"data-cell":c}),g(u.children[s.length+f],p)}),w(n,2+a.length,we),a.forEach(({text:c,attributes:p},f)=>{
m(n.children[2+f],p),g(n.children[2+f],c)})}var ke=1,X=16e6,N=class{constructor(e,t,r,s){this.rowHeight=e;this.make=r;this.fill=s;this.view=h("div",{...t,scroll:()=>this.#l()},this.#n),
typeof ResizeObserver<"u"&&(this.#i=new ResizeObserver(()=>this.paint()),this.#i.observe(this.view))}rowHeight;make;fill;view;#n=h("div",{class:"\
pad",role:"presentation"});#t=[];#e=[];#o=0;#r=0;#a=0;#i;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.rowHeight))}get first(){
return this.view.scrollTop*this.#s/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight/this.#s}get#s(){let e=this.#o*this.rowHeight,
{clientHeight:t}=this.view;return e<=X?1:(e-t)/(X-t)}show(e,t=-1,r=0){this.#o=e,this.#n.style.height=`${Math.min(X,e*this.rowHeight)}px`,this.#e.
fill(-1),t>=0&&this.#d(t,r),this.paint()}paint(){let e=this.page+1+2*ke,t=Math.max(0,Math.floor(this.first)-ke),r=this.view.scrollTop*(1-this.#s);
r!==this.#a&&this.#e.fill(-1),this.#a=r;let s=Math.min(this.#o,t+e);this.#u(Math.min(this.#o,e));let i=this.#t.length,a=new Set;for(let o=t;o<
s;o++){let l=o%i;a.add(l),this.#e[l]!==o&&(this.#e[l]=o,this.#t[l].hidden=!1,this.#t[l].style.transform=`translateY(${o*this.rowHeight+r}px)`,
this.fill(this.#t[l],o))}this.#t.forEach((o,l)=>{a.has(l)||(o.hidden=!0,this.#e[l]=-1)})}elementOf(e){let t=this.#e.indexOf(e);return t<0?void 0:
this.#t[t]}destroy(){this.#i?.disconnect(),cancelAnimationFrame(this.#r)}#d(e,t){let r=this.view.clientHeight/this.rowHeight;e<this.first+t?
this.jumpTo(Math.max(0,e-t)):r>0&&e+1>this.first+r&&this.jumpTo(e+1-r)}#u(e){if(!(e<=this.#t.length)){for(;this.#t.length<e;){let t=this.make(
this.#t.length);this.#t.push(t),this.#n.append(t)}this.#e=this.#t.map(()=>-1)}}#l(){cancelAnimationFrame(this.#r),this.#r=requestAnimationFrame(
()=>this.paint())}};var Te=24,dt=20,ut=18,Oe=4,C=class{constructor(e){this.events=e;let t={class:"rows",role:"tree",tabindex:0,"aria-multiselectable":"true","ar\
ia-label":"Modules",click:r=>this.#u(r),keydown:r=>this.#l(r)};this.#e=new N(Te,t,r=>J("row",`row-${r}`),(r,s)=>this.#i(r,s,!1)),this.rows=this.#e.
view,this.rows.addEventListener("scroll",()=>this.#s()),this.rows.prepend(this.#t),this.stage.append(this.rows),this.element=h("div",{class:"\
tree"},this.#n,this.stage),this.show(P)}events;element;stage=h("div",{class:"stage"});rows;#n=h("div",{class:"heads","aria-hidden":"true"});#t=h(
"div",{class:"pins","aria-hidden":"true"});#e;#o="";#r;#a=[];draw(e,t){this.#r=e;let{rows:r,focus:s}=e,i=`${Math.min(r.length,ut)*this.#e.rowHeight+
2}px`;this.#o!==i&&(this.rows.style.height=this.#o=i),this.#e.show(r.length,t?s:-1,t?Math.min(Oe,r[s].level-1):0),this.#d(),m(this.rows,{"ar\
ia-activedescendant":this.#e.elementOf(s)?.id??null})}redraw(){this.#r&&this.draw(this.#r,!1)}get painted(){return this.rows.clientHeight>0}get viewport(){
let{first:e,page:t,rowHeight:r}=this.#e;return{first:e,count:t,rowHeight:r}}scrollTo=e=>this.#e.jumpTo(e);show(e){this.#a=e,this.#n.replaceChildren(
h("span",{class:"main"},"module"),...e.map(({key:t,label:r,title:s})=>h("span",{class:`num ${t}`,title:s},r))),this.redraw()}compact(e){this.#e.
rowHeight=e?dt:Te,this.element.style.setProperty("--row",`${this.#e.rowHeight}px`),this.redraw()}takeFocus=()=>this.rows.focus({preventScroll:!0});destroy=()=>this.#e.
destroy();#i(e,t,r){let s=xe(this.#r,this.#a,t);this.events.dress(s,t),ye(e,s,r)}#s(){this.#d(),this.events.scrolled()}#d(){let e=this.#r,t=Math.
floor(this.#e.first),r=[];for(;r.length<Oe&&t+r.length<e.rows.length;){let s=t+r.length,i=e.ancestorsOf(s)[r.length];if(i===void 0||i>=s)break;
r.push(i)}w(this.#t,r.length,()=>J("pin")),r.forEach((s,i)=>{let a=this.#t.children[i];a.style.transform=`translateY(${i*this.#e.rowHeight}p\
x)`,this.#i(a,s,!0)})}#u(e){let t=e.target,r=t.closest("[data-row]");if(!r)return;let s=Number(r.dataset.row);t.dataset.cell==="fold"&&this.#r.
isParent(this.#r.rows[s])?this.events.toggle(s):t.dataset.cell==="times"?this.events.split(s):this.events.select(s,e.shiftKey),this.takeFocus()}#l(e){
this.events.press(e,this.#e.page-1)&&e.preventDefault()}};var ct=1e3,ht="F fully sharded, f in its unit, R replicated, I ignored. Marks, runs and other panels come from the kernel: a saved page with\
out one can be read, folded and walked with the keys.",y=(n,e="")=>h("div",{class:`slot ${n}`},e),F=class{constructor(e){this.model=e;this.talk=
new $(o=>e.send(o));let{tools:t,top:r,edge:s,side:i,tab:a}=this.slots;this.root.append(h("div",{class:"head"},this.#n," ",this.#t),t,h("div",
{class:"body"},h("div",{class:"outline"},r,this.view.element),i),this.detail,this.status,a),this.view.stage.append(s)}model;root=h("div",{class:"\
shx","data-kernel":"alive"});slots={tools:y("tools"),top:y("top"),edge:y("edge"),side:y("side"),tab:y("tab note",ht)};detail=h("div",{class:"\
detail","data-role":"detail"});status=h("div",{class:"status","data-role":"status",role:"status","aria-live":"polite"});talk;view=new C({dress:(e,t)=>this.#e?.
dress(e,t),press:(e,t)=>this.#d(e,t),select:(e,t)=>this.moved(()=>this.outline.select(e,t)),toggle:e=>this.#l(()=>this.outline.toggle(e)),split:e=>this.#l(
()=>this.outline.toggleSplit(e)),scrolled:()=>this.#s("scroll")});outline;written="";#n=h("b",{"data-role":"title"});#t=h("span",{class:"not\
e","data-role":"totals"});#e;#o=[];#r=!1;readTree=()=>{try{let e=he(String(this.model.get("tree")));this.outline=new L(e,V(this.#i("plan"),e))}catch(e){
return this.status.replaceChildren(h("b",{},"The tree cannot be drawn"),h("p",{},String(e))),m(this.status,{"data-kind":"error"})}return g(this.#n,
this.outline.tree.title),this.#h(this.savedView()),this.#s("tree"),this.#a()};readPlan=()=>{this.outline&&(this.outline.setPlan(V(this.#i("p\
lan"),this.outline.tree)),this.#a())};#a(){let{tree:e,plan:t}=this.outline;g(this.#t,ge(e.size,t)),m(this.root,{"data-rev":t.payload.rev}),this.#s(
"plan","rows"),this.#c()}readView=()=>{let{selected:e=-1}=this.savedView();this.#i("view")!==this.written&&this.outline?.tree.names[e]!==void 0&&
this.moved(()=>this.outline.jump(e))};hear=e=>{e.type==="reply"&&this.talk.receive(e),this.#e?this.#e.hear(e):this.#o.length<ct&&this.#o.push(
e)};get painted(){return!this.outline||this.view.painted}ready(){m(this.root,{"data-ready":1}),this.outline&&Z(this.talk).then(e=>{if(!this.#r){
this.#e=e.start(this),this.view.redraw();for(let t of this.#o.splice(0))this.#e.hear(t)}},e=>g(this.slots.tab,`The panels could not be loade\
d: ${e.message}`))}repaint(){this.outline&&this.#c(!0)}retheme=()=>this.#s("theme","colour");destroy(){this.#r=!0,this.view.destroy(),this.#e?.
destroy()}#i=e=>String(this.model.get(e)??"");#s=(...e)=>this.#e?.changed(...e);savedView=()=>JSON.parse(this.#i("view")||"{}");#d(e,t){if(this.#e?.
press(e))return!0;let r=be(e,t);return r&&this.act(r),r!==null}act(e){let{outline:t}=this;switch(e.do){case"move":return this.moved(()=>t.select(
t.focus+e.by,e.extend));case"edge":return this.moved(()=>t.select(e.end?t.rows.length-1:0,e.extend));case"typeAhead":return this.moved(()=>t.
typeAhead(e.char));case"open":case"close":case"enter":return this.moved(()=>t[e.do]());case"split":return this.#l(()=>t.toggleSplit(t.focus));case"\
openSiblings":case"openAll":case"closeAll":return this.#l(()=>t[e.do]());case"leave":return this.#u()}}#u(){this.view.rows.blur(),this.root.
getRootNode().host.closest("[tabindex]")?.focus()}moved(e){e(),this.#s("focus","rows"),this.#c(!0)}#l(e){e(),this.#s("rows"),this.#c()}#c=(e=!1)=>this.
view.draw(this.outline,e);#h({hidden:e=[],compact:t,open:r,split:s=[],selected:i=-1}){this.view.show(P.filter(({key:a})=>!e.includes(a))),t&&
this.view.compact(!0),r&&this.outline.restore(r,s),i>=0&&i<this.outline.tree.size&&this.outline.jump(i)}};function Ee(n){n.setAttribute("data-lm-suppress-shortcuts","true");for(let e of["keydown","keyup","keypress","paste","copy","cut"])n.addEventListener(
e,t=>t.stopPropagation())}var Me=':host{display:block;min-width:0}.shx{--ink: #1c2430;--soft: #5a6675;--paper: #fff;--raised: #f4f6f9;--line: #d5dbe3;--chosen: #dbe9f\
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
ors:active){.row[aria-selected=true]{outline:1px solid Highlight}}';function ft({model:n,el:e}){let t=new F(n);(e.shadowRoot??e.attachShadow({mode:"open"})).replaceChildren(h("style",{},Me),t.root),Ee(e);let s=Q(
t.root,t.retheme),i=[["change:tree",t.readTree],["change:plan",t.readPlan],["change:view",t.readView],["msg:custom",t.hear]];for(let[a,o]of i)
n.on(a,o);return t.readTree(),Re(t,!1),()=>{for(let[a,o]of i)n.off(a,o);s(),t.destroy()}}function Re(n,e){requestAnimationFrame(()=>{if(!n.root.
isConnected||!n.painted)return Re(n,!0);e&&n.repaint(),requestAnimationFrame(()=>n.ready())})}var mn={render:ft};export{mn as default};
