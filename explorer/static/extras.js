// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var qe="http://www.w3.org/2000/svg";function l(r,e={},...t){return le(document.createElement(r),e,t)}function R(r,e={},...t){return le(document.
createElementNS(qe,r),e,t)}function le(r,e,t){for(let[n,i]of Object.entries(e))typeof i=="function"?r.addEventListener(n,i):r.setAttribute(n,
String(i));return r.append(...t),r}function u(r,e){r.textContent!==e&&(r.textContent=e)}function m(r,e){for(let[t,n]of Object.entries(e))n===
null?r.removeAttribute(t):r.getAttribute(t)!==String(n)&&r.setAttribute(t,String(n))}function v(r,e,t,n){return l("button",{type:"button","d\
ata-cmd":r,title:t,click:n},e)}var P=class{constructor(e){this.page=e;let t=(n,i)=>v(n,"Copy","Copy to the clipboard",()=>{je(i.textContent??"").then(s=>e.tell(s))});this.
element=l("div",{class:"code"},l("p",{},"Last edit: ",this.last," ",t("copy_last",this.last)),l("p",{},"The whole plan: ",t("copy_code",this.
whole)),this.whole)}page;element;last=l("code",{"data-role":"last-code"});whole=l("pre",{"data-role":"code",tabindex:0});update(e){if(!e.has(
"plan"))return;let{state:t}=this.page.plan;u(this.last,t.last||"none yet"),u(this.whole,t.code||"plan = Plan()")}destroy=()=>{}};async function je(r){
try{return await navigator.clipboard.writeText(r),"Copied."}catch{return"The page may not write to the clipboard: select the text and copy i\
t by hand."}}function w(r,e){let t=[];for(let n=e;n>0;n=r.parent[n])t.push(r.names[n]);return t.reverse().join(".")}var O=(r,e)=>Ve(r)(e);function Ve(r){
let e=new Map,t=n=>{let i=e.get(n)??new Map;if(i.size===0)for(let s=n+1;s<r.end[n];s=r.end[s])i.set(r.names[s],s);return e.set(n,i),i};return n=>{
let i=0;for(let s of n===""?[]:n.split("."))if(i=t(i).get(s)??-1,i<0)break;return i}}var de=2,x=class{constructor(e,t,n,i){this.rowHeight=e;this.make=n;this.fill=i;this.view=l("div",{...t,scroll:()=>this.#l()},this.#r),typeof ResizeObserver<
"u"&&(this.#i=new ResizeObserver(()=>this.paint()),this.#i.observe(this.view))}rowHeight;make;fill;view;#r=l("div",{class:"pad",role:"presen\
tation"});#e=[];#t=[];#n=0;#s=0;#i;get page(){return Math.max(1,Math.floor(this.view.clientHeight/this.rowHeight))}get first(){return this.view.
scrollTop/this.rowHeight}jumpTo(e){this.view.scrollTop=e*this.rowHeight}show(e,t=-1){this.#n=e,this.#r.style.height=`${e*this.rowHeight}px`,
this.#t.fill(-1),t>=0&&this.#o(t*this.rowHeight),this.paint()}paint(){let e=this.page+1+2*de,t=Math.max(0,Math.floor(this.view.scrollTop/this.
rowHeight)-de),n=Math.min(this.#n,t+e);this.#a(Math.min(this.#n,e));let i=this.#e.length,s=new Set;for(let o=t;o<n;o++){let a=o%i;s.add(a),this.#t[a]!==
o&&(this.#t[a]=o,this.#e[a].hidden=!1,this.#e[a].style.transform=`translateY(${o*this.rowHeight}px)`,this.fill(this.#e[a],o))}this.#e.forEach(
(o,a)=>{s.has(a)||(o.hidden=!0,this.#t[a]=-1)})}elementOf(e){let t=this.#t.indexOf(e);return t<0?void 0:this.#e[t]}destroy(){this.#i?.disconnect(),
cancelAnimationFrame(this.#s)}#o(e){let{scrollTop:t,clientHeight:n}=this.view,i=e+this.rowHeight-n;e<t?this.view.scrollTop=e:n>0&&i>t&&(this.
view.scrollTop=i)}#a(e){if(!(e<=this.#e.length)){for(;this.#e.length<e;){let t=this.make(this.#e.length);this.#e.push(t),this.#r.append(t)}this.#t=
this.#e.map(()=>-1)}}#l(){cancelAnimationFrame(this.#s),this.#s=requestAnimationFrame(()=>this.paint())}};var V=["visit","again","barred","leave","take"],X=[];function*J(r,e){let t=[],n=new Uint8Array(r.tree.size);for(let i of r.starts){let s=[i];
for(;s.length>0;){let o=Xe(r,e,n,s.pop());for(let a of o.pushed)s.push(a);o.finds&&t.push(o.node),yield o}}for(;t.length>0;)yield{node:t.pop(),
act:"take",produces:!0,finds:!1,pushed:X}}function Xe(r,e,t,n){let i={produces:!1,finds:!1,pushed:X};if(n<0)return{...i,node:~n,act:"leave",
produces:r.handles.has(~n)};if(t[n])return{...i,node:n,act:"again"};let s=e==="modules"||e==="rightToLeft";if(!s&&r.barred.has(n))return{...i,
node:n,act:"barred"};t[n]=1;let o=Y(r.tree,n);if(e!=="rightToLeft"&&o.reverse(),e==="wrapper")return{...i,node:n,act:"visit",pushed:[~n,...o]};
let a=r.handles.has(n);return{node:n,act:"visit",produces:s||e==="handles"&&a,finds:e==="composable"&&a,pushed:o}}function Y(r,e){let t=[];for(let i=e+
1;i<r.end[e];i=r.end[i])t.push(i);let n=(r.refsOf.get(e)??X).filter(i=>r.refs[i][3]==="shared");for(let i of n)t.splice(Je(r,i,t.length),0,r.
refs[i][2]);return t}function Je(r,e,t){return Math.min(t,r.refs[e][4]??t)}function ce(r,e){let t=new q(e),n=[...r.starts].reverse();t.begin(
n.pop());for(let i of J(r,e))t.take(i),t.idle&&t.begin(n.pop());return t.end()}function he(r,e,t){let n=[];for(let i=r.top[e];i>=0&&n.length<
t;i=r.below[i])n.push(r.entry[i]);return n}var q=class{constructor(e){this.kind=e}kind;node=new g;act=new g;top=new g;depth=new g;done=new g;listed=new g;produced=new g;found=new g;stack=new j;reversing=-1;get idle(){
return this.stack.depth===0}begin(e){e!==void 0&&this.stack.push(e)}take(e){e.act==="take"&&this.reversing<0&&this.reverse(),this.mark(),this.
node.push(e.node),this.act.push(V.indexOf(e.act)),this.stack.pop();for(let t of e.pushed)this.stack.push(t);e.finds&&this.found.push(e.node),
e.produces&&this.produced.push(e.node)}end(){this.mark();let e=this.node.size;return{kind:this.kind,steps:e,reversing:this.reversing<0?e:this.
reversing,node:this.node.array(),act:Uint8Array.from(this.act.array()),top:this.top.array(),depth:this.depth.array(),done:this.done.array(),
listed:this.listed.array(),entry:this.stack.entry.array(),below:this.stack.below.array(),produced:this.produced.array(),found:this.found.array()}}reverse(){
this.reversing=this.node.size;for(let e=0;e<this.found.size;e++)this.stack.push(this.found.at(e))}mark(){this.top.push(this.stack.top),this.
depth.push(this.stack.depth),this.done.push(this.produced.size),this.listed.push(this.found.size)}},j=class{entry=new g;below=new g;top=-1;depth=0;push(e){
this.entry.push(e),this.below.push(this.top),this.top=this.entry.size-1,this.depth++}pop(){this.top=this.below.at(this.top),this.depth--}},g=class{size=0;values=new Int32Array(
256);push(e){if(this.size===this.values.length){let t=new Int32Array(2*this.size);t.set(this.values),this.values=t}this.values[this.size++]=
e}at=e=>this.values[e];array=()=>this.values.slice(0,this.size)};var Q=[{key:"init_composable",sign:"I₁",label:"I₁ composable init"},{key:"init_wrapper",sign:"I₂",label:"I₂ wrapper init"},{key:"han\
dles",sign:"H",label:"H get_handles"},{key:"forward",sign:"X→",label:"X→ gathered in the forward pass"},{key:"backward",sign:"X←",label:"\
X← gathered in the backward pass"},{key:"modules",sign:"#",label:"# modules(), left to right"},{key:"rightToLeft",sign:"#R",label:"#R righ\
t to left"}],Z=r=>Q.find(e=>e.key===r),pe=r=>Object.keys(r.state.orders).filter(e=>e.startsWith("handles:")).map(e=>e.slice(8));function ue(r,e,t,n,i=""){
if(r==="modules"||r==="rightToLeft")return Ye(e,r);let s=new Map(t.state.units.map(a=>[a.fqns[0],a.index])),o=a=>s.get(a)??O(e,a);return r===
"forward"||r==="backward"?Qe(n,r==="forward"?"F":"B").map(o).filter(a=>a>=0):(t.state.orders[i?`${r}:${i}`:r]??[]).map(o)}function Ye(r,e){return[
...J({tree:r,handles:new Set,barred:new Set,starts:[0]},e)].filter(n=>n.produces).map(n=>n.node)}function Qe(r,e){let{events:t=[]}=r,n=t.filter(
([i,s])=>i===e&&s==="U").map(([,,i])=>i);return[...new Set(n)]}var k=class{constructor(e,t){this.content=e;this.turned=t;this.element=l("div",{},e),this.observer=new ResizeObserver(()=>this.look()),this.
observer.observe(this.element)}content;turned;element;observer;shown=!1;destroy=()=>this.observer.disconnect();look(){let e=this.element.clientWidth>
0;e!==this.shown&&(this.shown=e,e?this.element.append(this.content):this.content.remove(),this.turned(e))}};var y=class{constructor(e){this.root=e;this.probe.hidden=!0}root;known=new Map;probe=document.createElement("i");of(e){let t=this.known.get(
e);if(t)return t;this.root.append(this.probe),this.probe.style.color=e;let n=getComputedStyle(this.probe).color;return this.probe.remove(),this.
known.set(e,n),n}forget=()=>this.known.clear()};function T(r,e,t){let n=devicePixelRatio||1,[i,s]=[Math.max(1,Math.round(e*n)),Math.max(1,Math.
round(t*n))];(r.width!==i||r.height!==s)&&([r.width,r.height]=[i,s]),Object.assign(r.style,{width:`${e}px`,height:`${t}px`});let o=r.getContext(
"2d");return o.setTransform(n,0,0,n,0,0),o.clearRect(0,0,e,t),o}function ee(r,e){let t=me(r,e),n=Math.max(r.length,e.length),i=0;for(let s=0;s<n;s++)r[s]!==e[s]&&i++;return{left:r,right:e,rightOf:t,leftOf:me(
e,r),places:n,differ:i,crossings:Ze(t,e.length)}}function me(r,e){let t=new Map(e.map((n,i)=>[n,i]));return Int32Array.from(r,n=>t.get(n)??-1)}
function Ze(r,e){let t=new Int32Array(e+1),n=0,i=0;for(let s of r){if(s<0)continue;let o=0;for(let a=s+1;a>0;a-=a&-a)o+=t[a];n+=i++-o;for(let a=s+
1;a<=e;a+=a&-a)t[a]++}return n}function fe({rightOf:r,leftOf:e},t,n){let i=new Map;for(let s=Math.max(0,t);s<n;s++)s<r.length&&r[s]>=0&&i.set(
s,{from:s,to:r[s]}),s<e.length&&e[s]>=0&&i.set(e[s],{from:e[s],to:s});return[...i.values()].sort((s,o)=>s.from-o.from)}function ge(r,e,{places:t,
differ:n,crossings:i}){let s=`${r} vs ${e}: ${n.toLocaleString("en")} of ${t.toLocaleString("en")} differ`;return i?`${s}, ${i.toLocaleString(
"en")} crossing${i===1?"":"s"}`:s}var A=22,et=12,tt=ee([],[]),L=class{constructor(e){this.page=e;this.palette=new y(e.root);let t={class:"compare-rows",role:"grid",tabindex:0,
"aria-label":"Two orders side by side"};this.list=new x(A,t,nt,(s,o)=>this.fill(s,o));let{view:n}=this.list;n.append(this.canvas),n.addEventListener(
"scroll",()=>this.drawSoon()),n.addEventListener("click",s=>this.click(s)),n.addEventListener("keydown",s=>this.press(s));let i=l("div",{class:"\
compare","data-role":"compare"},l("div",{class:"bar"},this.left,l("span",{},"vs"),this.right,this.root,this.title),l("p",{class:"note"},"Box\
ed places differ; lines join the two places of one module. Arrows move, Enter shows the module in the tree."),n);this.curtain=new k(i,s=>s&&
this.repaint()),this.element=this.curtain.element}page;element;curtain;left=this.chooser("left","init_composable");right=this.chooser("right",
"init_wrapper");root=l("select",{"data-role":"compare-root","aria-label":"Local root",change:()=>this.pair()});title=l("b",{"data-role":"com\
pare-note"});list;canvas=l("canvas",{class:"connectors","aria-hidden":"true"});pairing=tt;at={place:0,side:0};frame=0;palette;update(e){e.has(
"theme")&&this.palette.forget(),["tree","plan","run"].some(t=>e.has(t))?this.pair():(e.has("theme")||e.has("size"))&&this.repaint()}destroy(){
cancelAnimationFrame(this.frame),this.curtain.destroy(),this.list.destroy()}chooser(e,t){let n=Q.map(({key:i,label:s})=>l("option",{value:i,
...i===t?{selected:""}:{}},s));return l("select",{"data-role":`compare-${e}`,"aria-label":`Order on the ${e}`,change:()=>this.pair()},...n)}pair(){
let{tree:e,plan:t,run:n}=this.page;this.offerRoots();let i=a=>ue(a.value,e,t,n,this.root.value);this.pairing=ee(i(this.left),i(this.right));
let[s,o]=[Z(this.left.value).sign,Z(this.right.value).sign];u(this.title,this.pairing.places?ge(s,o,this.pairing):"Neither order exists yet:\
 mark a module, or run the plan."),this.at={place:Math.min(this.at.place,Math.max(0,this.pairing.places-1)),side:this.at.side},this.repaint()}offerRoots(){
let e=pe(this.page.plan),t=this.root.value;this.root.replaceChildren(l("option",{value:""},"from the root"),...e.slice(0,50).map(n=>l("optio\
n",{value:n},`from ${n}`))),this.root.value=e.includes(t)?t:"",this.root.hidden=e.length===0}repaint(){let{places:e}=this.pairing;this.list.
view.style.height=`${Math.min(Math.max(e,1),et)*A}px`,m(this.list.view,{"aria-rowcount":e}),this.list.show(e),this.point(),this.drawSoon()}fill(e,t){
let[n,i,s]=e.children;u(n,String(t)),m(e,{"aria-rowindex":t+1,"data-place":t});let o=this.pairing.left[t]!==this.pairing.right[t];this.fillCell(
i,t,0,o),this.fillCell(s,t,1,o)}fillCell(e,t,n,i){let s=(n?this.pairing.right:this.pairing.left)[t],o=s===void 0?-1:(n?this.pairing.leftOf:this.
pairing.rightOf)[t],a=s===void 0?"":w(this.page.tree,s)||"(root)";u(e,a),m(e,{"data-node":s??null,"data-differs":i&&s!==void 0?"1":null,"dat\
a-now":this.at.place===t&&this.at.side===n?"1":null,title:a||null,"aria-label":s===void 0?"nothing":`${a}, place ${t}${i?`, on the other sid\
e ${o<0?"missing":`place ${o}`}`:", the same on both sides"}`})}click(e){let t=e.target.closest("[data-side]"),n=t?.closest("[data-place]");
!t||!n||(this.move(Number(n.dataset.place),Number(t.dataset.side)),t.dataset.node!==void 0&&this.page.reveal(Number(t.dataset.node)))}press(e){
let{place:t,side:n}=this.at,i=this.list.page-1,s={ArrowDown:1,ArrowUp:-1,PageDown:i,PageUp:-i,Home:-t,End:this.pairing.places};if(e.key in s)
this.move(t+s[e.key],n);else if(e.key==="ArrowLeft"||e.key==="ArrowRight")this.move(t,e.key==="ArrowLeft"?0:1);else if(e.key==="Enter")this.
enter();else return;e.preventDefault()}enter(){let e=(this.at.side?this.pairing.right:this.pairing.left)[this.at.place];e!==void 0&&this.page.
reveal(e)}move(e,t){this.at={place:Math.max(0,Math.min(this.pairing.places-1,e)),side:t},this.list.show(this.pairing.places,this.at.place),this.
point(),this.drawSoon()}point(){let e=this.list.elementOf(this.at.place);m(this.list.view,{"aria-activedescendant":e?.children[1+this.at.side].
id??null})}drawSoon(){cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(()=>this.draw())}draw(){let{view:e}=this.list,t=e.querySelector(
"[data-place]:not([hidden])");if(!t||e.clientHeight===0)return;let[n,i]=[t.children[1],t.children[2]],s=n.offsetLeft+n.offsetWidth,o=i.offsetLeft-
s,a=e.clientHeight;Object.assign(this.canvas.style,{left:`${s}px`,top:`${e.scrollTop}px`}),this.drawLines(T(this.canvas,o,a),o,e.scrollTop,a)}drawLines(e,t,n,i){
let[s,o,a]=["--soft","--replicate","--ring"].map(d=>this.palette.of(`var(${d})`)),c=d=>(d+.5)*A-n,h=Math.floor(n/A);for(let{from:d,to:p}of fe(
this.pairing,h,Math.ceil((n+i)/A))){let f=(this.at.side?p:d)===this.at.place;e.strokeStyle=f?a:d===p?s:o,e.lineWidth=f?2.5:d===p?1:1.5,e.beginPath(),
e.moveTo(0,c(d)),e.lineTo(t,c(p)),e.stroke()}}},rt=0;function nt(){let r=e=>l("span",{role:"gridcell","data-side":e,id:`compare-cell-${rt++}`});
return l("div",{class:"compare-row",role:"row"},l("span",{role:"rowheader"}),r(0),r(1))}var be='.compare select{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:4px;padding:2px 4px;m\
ax-width:100%}.compare p{margin:4px 0}.compare-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable;border:1px solid \
var(--line);border-radius:4px}.compare-row{position:absolute;left:0;right:0;height:22px;line-height:20px;display:grid;column-gap:8px;padding\
-right:8px;grid-template-columns:36px minmax(0,1fr) clamp(32px,16cqw,160px) minmax(0,1fr);font-family:var(--mono);font-size:12px}.compare-ro\
w>:first-child{color:var(--soft);text-align:right}.compare-row [data-side]{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding\
:0 4px;margin:1px 0;cursor:pointer;border-radius:3px}.compare-row [data-side="1"]{grid-column:4}.compare-row [data-now]{background:var(--cho\
sen)}.compare-rows:focus .compare-row [data-now]{outline:2px solid var(--ring);outline-offset:-2px}.connectors{position:absolute;pointer-eve\
nts:none}';var ve=".order-rows{position:relative;overflow:auto;contain:strict;scrollbar-gutter:stable}.code p{margin:4px 0}.order{display:grid;grid-tem\
plate-columns:44px repeat(4,minmax(0,1fr));gap:8px;line-height:22px;font-family:var(--mono);font-size:12px}.order-rows .order{position:absol\
ute;left:0;right:0;height:22px}.order-heads{color:var(--soft);border-bottom:1px solid var(--line);overflow:hidden;scrollbar-gutter:stable}.o\
rder span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}.order>span:first-child{color:var(--soft);text-align:righ\
t;cursor:default}[data-differs]{box-shadow:inset 0 0 0 1px var(--replicate);border-radius:3px;padding:0 3px}.remarks{margin:0;padding:0;list\
-style:none;max-height:260px;overflow:auto}.remarks li{border-left:3px solid var(--line);padding:2px 8px;margin-bottom:6px}.remarks li[data-\
severity=conflict],.remarks li[data-severity=error]{border-color:var(--bad)}.remarks p{margin:1px 0}progress{width:140px;accent-color:var(--\
shard)}[data-role=losses]{margin:6px 0;font-variant-numeric:tabular-nums}.chart{display:grid;grid-template:45px 45px auto / auto 1fr;column-\
gap:6px;max-width:640px;color:var(--soft);font-size:11px}.chart span:nth-child(2){align-self:end;grid-area:2 / 1}.chart svg{grid-area:1 / 2 \
/ 3 / 3;width:100%;height:90px;border-left:1px solid var(--line);border-bottom:1px solid var(--line)}.chart small{grid-area:3 / 2}path{fill:\
none;vector-effect:non-scaling-stroke;stroke-width:2;stroke:var(--shard)}path.reference{stroke:var(--replicate);stroke-width:4;stroke-dashar\
ray:.1 7;stroke-linecap:round}";var S="uFfRrIi";var ot={u:{glyph:"",hue:"none",word:"unmanaged"},F:{glyph:"F",hue:"shard",word:"fully sharded"},f:{glyph:"f",hue:"shard",word:"in a sharded \
unit"},R:{glyph:"R",hue:"replicate",word:"replicated"},r:{glyph:"r",hue:"replicate",word:"inside a replicated module"},I:{glyph:"I",hue:"ign\
ore",word:"ignored"},i:{glyph:"i",hue:"ignore",word:"inside an ignored module"}},ye=[...S].map(r=>({letter:r,...ot[r]})),at=[[1e12,"T"],[1e9,
"B"],[1e6,"M"],[1e3,"K"]];function we(r){for(let[e,t]of at)if(r>=e&&r>=1e4)return`${(r/e).toFixed(1)} ${t}`;return r.toLocaleString("en")}function xe(r,e,t){let n=r.total[r.cls[0]];if(!(n>0))return[];let i=e/n,s=[],o=[{node:0,many:1,stride:r.size,level:0,left:0,width:e}];for(;o.
length>0;){let a=o.pop();s.push(a),a.many===1&&a.level+1<t&&o.push(...lt(r,a,i).reverse())}return s}function lt(r,e,t){let n=[],i=e.left+r.own[r.
cls[e.node]]*t,s=e.node+1;for(let[o,a,c]of r.classes[r.cls[e.node]][2]){let h=a===null?1:Number(a)-Number(o)+1,d=r.total[c]*t,p=r.end[s]-s,f=e.
level+1;if(d>=1)for(let b=0;b<h;b++)n.push({node:s+b*p,many:1,stride:p,level:f,left:i+b*d,width:d});else d*h>=1&&n.push({node:s,many:h,stride:p,
level:f,left:i,width:d*h});i+=d*h,s+=p*h}return n}function ke(r,e,t){let n;for(let i of r)i.level<=t&&e>=i.left&&e<i.left+i.width&&(n=i);return n?
n.node+n.stride*Math.min(n.many-1,Math.floor((e-n.left)/n.width*n.many)):-1}var Te=28,re=3,te=Te/re,dt=11,H=class{constructor(e){this.page=e;this.palette=new y(e.root),this.element.addEventListener("click",t=>this.show(
this.under(t))),this.element.addEventListener("mousemove",t=>m(this.element,{title:this.words(this.under(t))})),this.element.addEventListener(
"keydown",t=>this.press(t))}page;canvas=l("canvas",{"aria-hidden":"true"});element=l("div",{class:"icicle","data-role":"icicle",tabindex:0,role:"\
slider","aria-label":"Parameters by module"},this.canvas);palette;blocks=[];top=0;chosen=0;update(e){e.has("theme")&&this.palette.forget(),(e.
has("tree")||e.has("size"))&&this.measure(),["tree","plan","theme","size","colour","focus"].some(t=>e.has(t))&&this.draw()}destroy=()=>{};measure(){
let e=xe(this.page.tree,this.element.clientWidth,re+8),t=n=>e.filter(i=>i.level===n).length<=1;for(this.top=0;t(this.top)&&e.some(({level:n})=>n>
this.top);)this.top++;this.blocks=e.filter(({level:n})=>n>=this.top&&n<this.top+re),this.chosen=Math.min(this.chosen,Math.max(0,this.blocks.
length-1)),this.element.hidden=this.blocks.length===0}draw(){let e=T(this.canvas,this.element.clientWidth,Te);e.font="700 8px ui-monospace, \
monospace",e.textBaseline="middle",e.textAlign="center";for(let t of this.blocks)this.drawBlock(e,t);this.outline(e),this.announce()}drawBlock(e,t){
let{glyph:n,letter:i}=this.status(t.node),s=this.palette.of(this.page.colourOf(t.node)),o=i===i.toUpperCase(),[a,c,h,d]=this.place(t);i!=="u"&&
(e.globalAlpha=o?1:.3,e.fillStyle=s,e.fillRect(a,c,h,d),e.globalAlpha=1),e.strokeStyle=t.many>1?"transparent":s,e.setLineDash(i==="u"?[1,2]:
[]),h>2&&e.strokeRect(a+.5,c+.5,h-1,d-1),!(h<dt||!n)&&(e.fillStyle=this.palette.of(o?"var(--paper)":"var(--ink)"),e.fillText(n,a+h/2,c+d/2+.5))}outline(e){
let{tree:t,focused:n}=this.page,i=this.blocks.filter(({node:d,many:p,stride:f})=>d<=n&&n<(p>1?d+p*f:t.end[d])),s=i[i.length-1];if(!s)return;
this.chosen=this.blocks.indexOf(s);let[o,a,c,h]=this.place(s);e.setLineDash([]),e.strokeStyle=this.palette.of("var(--ring)"),e.lineWidth=2,e.
strokeRect(o+1,a+1,Math.max(1,c-2),h-2),e.lineWidth=1}place=({left:e,width:t,level:n})=>[e,(n-this.top)*te,Math.max(t-(t>4?1:0),1),te-.5];status=e=>ye[this.
page.plan.status[e]];under(e){let t=this.element.getBoundingClientRect();return ke(this.blocks,e.clientX-t.left,this.top+Math.floor((e.clientY-
t.top)/te))}show(e){e>=0&&this.page.reveal(e)}words(e){if(e<0)return"";let{tree:t}=this.page,n=t.total[t.cls[e]],i=(100*n/t.total[t.cls[0]]).
toFixed(1);return`${w(t,e)||"(root)"}, ${t.classes[t.cls[e]][0]}: ${we(n)} parameters, ${i} %, ${this.status(e).word}`}announce(){let e=this.
blocks[this.chosen];m(this.element,{"aria-valuemin":0,"aria-valuemax":Math.max(0,this.blocks.length-1),"aria-valuenow":this.chosen,"aria-val\
uetext":e?this.words(e.node):"no parameters"})}press(e){let{node:t,level:n,left:i}=this.blocks[this.chosen]??{node:-1,level:0,left:0},s=this.
blocks.filter(d=>d.level===n),o=s.findIndex(d=>d.node===t),a=d=>this.blocks.filter(p=>p.level===d&&p.left<=i+.5).at(-1)??this.blocks.find(p=>p.
level===d),c={ArrowLeft:()=>s[o-1],ArrowRight:()=>s[o+1],ArrowUp:()=>a(n-1),ArrowDown:()=>a(n+1),Home:()=>s[0],End:()=>s.at(-1),Enter:()=>this.
blocks[this.chosen]}[e.key];if(!c)return;e.preventDefault();let h=c();h&&this.page.reveal(h.node),this.element.focus()}};var Se=".icicle{height:28px;margin-bottom:3px;cursor:pointer;overflow:hidden;border-radius:3px}.icicle canvas,.minimap canvas{display:block}\
.edge{position:relative}.minimap{position:absolute;inset:0;width:64px;overflow:hidden;cursor:pointer;touch-action:none;border-left:1px solid\
 var(--line);box-sizing:border-box}.glass{position:absolute;left:0;right:0;border:1px solid var(--ring);background:color-mix(in srgb,var(--r\
ing) 12%,transparent);box-sizing:border-box;border-radius:2px;pointer-events:none}";function ne(r,e,t,n){let i=Math.max(1,Math.min(4,Math.floor(n/Math.max(1,r.length)))),s=Math.min(r.length,Math.floor(n/i)),o=new Uint8Array(
s),a=new Uint8Array(s),c=new Uint8Array(s);for(let h=0;h<s;h++){let d=Me(h+1,s,r.length);for(let p=Me(h,s,r.length);p<d;p++){let{ref:f,node:b}=r[p];
f>=0||(o[h]|=1<<e.status[b],a[h]=Math.max(a[h],e.alarm[b]))}}for(let h of t)h>=0&&h<r.length&&(c[ht(h,s,r.length)]=1);return{count:s,thick:i,
rows:r.length,statuses:o,alarm:a,hit:c}}var Me=(r,e,t)=>Math.ceil(r*t/e),ht=(r,e,t)=>Math.floor(r*e/t);function Ae({count:r,thick:e,rows:t},n,i){
if(t===0)return{top:0,height:0};let s=r*e/t,o=Math.max(6,Math.min(i,t)*s);return{top:Math.max(0,Math.min(n*s,r*e-o)),height:o}}function Ee({
count:r,thick:e,rows:t},n){return Math.max(0,Math.min(t-1,Math.floor(n*t/Math.max(1,r*e))))}function $e(r,e){return r.length<=e?r:Array.from(
{length:e},(t,n)=>r[Math.floor(n*r.length/e)])}var pt=64,ut=[["Ff","var(--shard)",3],["Rr","var(--replicate)",18],["Ii","var(--ignore)",33]],mt=13,ft=6,Re={left:48,width:5},Pe={left:56,width:6},
gt=1e3,C=class{constructor(e){this.page=e;this.palette=new y(e.root),this.element.addEventListener("pointerdown",t=>this.grab(t)),this.element.
addEventListener("pointermove",t=>this.dragging&&this.go(t));for(let t of["pointerup","pointercancel"])this.element.addEventListener(t,()=>this.
dragging=!1);this.element.addEventListener("keydown",t=>this.press(t))}page;canvas=l("canvas",{"aria-hidden":"true"});glass=l("div",{class:"\
glass"});element=l("div",{class:"minimap","data-role":"minimap",tabindex:0,role:"slider","aria-orientation":"vertical","aria-label":"Rows of\
 the tree on the screen",title:"All rows: sharded, replicated, ignored (short: managed from above), search hits, findings. Click to go there\
."},this.canvas,this.glass);palette;buckets=ne([],{status:new Uint8Array(0),alarm:new Uint8Array(0)},[],1);dragging=!1;update(e){e.has("them\
e")&&this.palette.forget(),["tree","plan","rows","hits","theme","size"].some(t=>e.has(t))&&this.draw(),this.frame()}destroy=()=>{};draw(){let{
rows:e,plan:t,hits:n}=this.page,i=this.element.clientHeight,s=$e(n,gt).map(a=>this.page.rowOf(a));this.buckets=ne(e,t,s,i);let o=T(this.canvas,
pt,i);for(let a=0;a<this.buckets.count;a++)this.drawLine(o,a)}drawLine(e,t){let{statuses:n,alarm:i,hit:s,thick:o}=this.buckets,a=Math.max(1,
o-(o>2?1:0)),c=(h,d,p)=>{e.fillStyle=this.palette.of(p),e.fillRect(h,t*o,d,a)};for(let[h,d,p]of ut){let[f,b]=[...h].map(D=>n[t]&1<<S.indexOf(
D));(f||b)&&c(p,f?mt:ft,d)}s[t]&&c(Re.left,Re.width,"var(--ink)"),i[t]>1&&c(Pe.left,Pe.width,i[t]===3?"var(--bad)":"var(--soft)")}frame(){let{
first:e,count:t}=this.page.viewport,n=this.page.rows.length,{top:i,height:s}=Ae(this.buckets,e,t);Object.assign(this.glass.style,{top:`${i}p\
x`,height:`${s}px`});let o=Math.min(n,Math.floor(e)+1);m(this.element,{"aria-valuemin":1,"aria-valuemax":Math.max(1,n),"aria-valuenow":o,"ar\
ia-valuetext":`rows ${o} to ${Math.min(n,Math.floor(e+t))} of ${n}`})}grab(e){e.button===0&&(this.dragging=!0,this.element.setPointerCapture(
e.pointerId),this.go(e))}go(e){let t=e.clientY-this.element.getBoundingClientRect().top;this.page.scrollTo(Ee(this.buckets,t)-this.page.viewport.
count/2)}press(e){let{first:t,count:n}=this.page.viewport,i=this.page.rows.length,s={ArrowDown:t+1,ArrowUp:t-1,PageDown:t+n-1,PageUp:t-n+1,Home:0,
End:i};e.key in s&&(e.preventDefault(),this.page.scrollTo(Math.max(0,Math.min(s[e.key],i-n))))}};var I=[["dfs","DFS of the modules"],["handles","handles of the root"],["init_composable","I₁ composable init"],["init_wrapper","I₂ wrapper\
 init"]],Oe=22,N=class{constructor(e){this.page=e;let t={class:"order-rows",tabindex:0,role:"region","aria-label":"Orders"};this.list=new x(
Oe,t,bt,(i,s)=>this.fill(i,s)),this.list.view.addEventListener("click",i=>{let s=i.target.dataset.target;s!==void 0&&e.reveal(O(this.tree,s))});
let n=I.map(([,i])=>l("span",{},i));this.element=l("div",{"data-role":"orders"},this.title,l("div",{class:"order order-heads"},l("span",{},"\
k"),...n),this.list.view)}page;element;list;title=l("p",{class:"note","data-role":"orders-note"});tree;plan;update(e){if(!e.has("plan"))return;
let{tree:t,plan:n}=this.page;this.tree=t,this.plan=n;let i=Math.max(t.size,...I.map(([c])=>n.state.orders[c]?.length??0)),[s,o]=[this.of("in\
it_composable"),this.of("init_wrapper")],a=s.filter((c,h)=>c!==o[h]).length;u(this.title,s.length?`I₁ and I₂ differ in ${a} of ${s.length}\
 places.`:"No unit yet: mark a module to see handles and initialisation."),this.list.view.style.height=`${Math.min(i,8)*Oe}px`,this.list.show(
i)}destroy=()=>this.list.destroy();of=e=>this.plan.state.orders[e]??[];fill(e,t){let[n,...i]=e.children;u(n,String(t));let s=I.map(([o])=>o===
"dfs"&&t<this.tree.size?w(this.tree,t):this.of(o)[t]);i.forEach((o,a)=>{let c=s[a];u(o,c===void 0?"":c||"(root)");let h=a>1&&s[2]!==s[3];m(o,
{"data-target":c??null,title:c||null,"data-differs":h?"1":null})})}};function bt(){return l("div",{class:"order"},l("span"),...I.map(([r])=>l(
"span",{"data-order":r})))}var se=[{kind:"composable",label:"I₁ composable init",about:"fully_shard(policy): lists the handles left to right, then makes them from th\
e end of that list.",made:"Handles made"},{kind:"wrapper",label:"I₂ wrapper init",about:"FullyShardedDataParallel(policy): a handle is mad\
e once all children are done (post-order).",made:"Handles made"},{kind:"handles",label:"H get_handles",about:"Lists the handles left to righ\
t, parents first; a replicated module is not entered.",made:"Handles listed"},{kind:"modules",label:"# modules()",about:"Every module once, \
left to right, parents first.",made:"Modules met"},{kind:"rightToLeft",label:"right to left",about:"Children from the right, for contrast: n\
othing runs in this order.",made:"Modules met"}],F=r=>se.find(e=>e.kind===r);function Le(r,e,t){let n=new Set(e.state.units.filter(o=>o.handle!==
null).map(o=>o.index)),i=S.indexOf("R"),s=new Set;return e.status.forEach((o,a)=>o===i&&s.add(a)),{tree:r,handles:n,barred:s,starts:t}}var vt=5;
function M(r,e){if(e===0)return"(root)";let t=[],n=e;for(;n>0&&t.length<vt;n=r.parent[n])t.push(r.names[n]);return(n>0?"…":"")+t.reverse().
join(".")}function He(r,e,t){let{tree:n,handles:i}=r,s=e.produced.length.toLocaleString("en");if(t>=e.steps)return`Done: ${F(e.kind).made.toLowerCase()}\
, ${s} in all.`;let o=e.node[t],a=M(n,o),c=i.has(o);switch(V[e.act[t]]){case"again":return`${a} was met before, by another path: nothing to \
do.`;case"barred":return`${a} is replicated: not entered, nothing below it is listed.`;case"leave":return c?`All children of ${a} are done: \
its handle is made.`:`All children of ${a} are done; it has no handle.`;case"take":return`${a} is the last of the list: its handle is made.`;default:
return`Visit ${a} (${n.classes[n.cls[o]][0]})${yt(e.kind,c)}; ${wt(Y(n,o).length)}.`}}function yt(r,e){return r==="modules"||r==="rightToLef\
t"?", and list it":r==="wrapper"?e?": it has a handle, to be made when its children are done":", without a handle":e?", and list its handle":
", without a handle"}function wt(r){return r===0?"it has no children":r===1?"its child goes on the stack":`its ${r.toLocaleString("en")} chi\
ldren go on the stack`}var Ce=[1,2,5,10,30,60,200,1e3,1e4],xt=.25,ie=(r,e=2)=>({steps:r,at:0,rate:e,playing:!1,owed:0});function Ie(r,e){if(!r.playing)return r;let t=r.
owed+r.rate*Math.min(e,xt),n=Math.min(r.steps,r.at+Math.floor(t));return{...r,at:n,owed:t%1,playing:n<r.steps}}var Ne=r=>({...r,at:r.at===r.
steps?0:r.at,owed:0,playing:r.steps>0}),E=r=>({...r,playing:!1,owed:0}),W=(r,e)=>({...r,at:Math.max(0,Math.min(r.steps,Math.round(e))),owed:0}),
z=(r,e)=>E(W(r,r.at+e)),Fe=(r,e)=>({...r,rate:e,owed:0});var B=4,_=8,kt=250,Tt=8,U=class{constructor(e){this.page=e;this.rate.value="2";let t=v("step_back","◀","One step back (,)",()=>this.move(z(
this.now,-1))),n=v("step","▶|","One step on (.)",()=>this.move(z(this.now,1)));m(t,{"aria-label":"One step back"}),m(n,{"aria-label":"One \
step on"});let i=l("div",{class:"player","data-role":"player"},l("div",{class:"bar"},this.walk,this.start,t,this.playing,n,this.rate,this.scrub,
this.count),this.about,this.said,l("div",{class:"columns"},this.around.element,this.stack.element,this.made.element));this.curtain=new k(i,s=>this.
turn(s)),this.element=this.curtain.element,e.root.addEventListener("keydown",this.press)}page;element;curtain;shown=!0;walk=l("select",{"dat\
a-role":"walk","aria-label":"Walk",change:()=>this.rewalk()},...se.map(({kind:e,label:t})=>l("option",{value:e},t)));start=l("select",{"data\
-role":"walk-start","aria-label":"Where the walk begins",change:()=>this.rewalk()});playing=v("play","▶ Play","Play or pause",()=>this.toggle());rate=l(
"select",{"data-role":"rate","aria-label":"Rows a second",change:()=>this.move(Fe(this.now,Number(this.rate.value)))},...Ce.map(e=>l("option",
{value:e},`${e.toLocaleString("en")} rows/s`)));scrub=l("input",{type:"range",min:0,value:0,"data-role":"scrub","aria-label":"Step",input:()=>this.
move(E(W(this.now,Number(this.scrub.value))))});count=l("span",{class:"note","data-role":"step"});about=l("p",{class:"note"});said=l("p",{class:"\
said","data-role":"said","aria-live":"polite"});around=new $("around",2*B+1,"Modules around the next one");stack=new $("stack",_,"Stack");made=new $(
"made",_,"Produced");ground;recording;metAt;now=ie(0);frame=0;drawnAt=0;calm=matchMedia("(prefers-reduced-motion: reduce)");press=e=>this.key(
e);update(e){!e.has("tree")&&!e.has("plan")||(this.offerStarts(),this.rewalk())}destroy(){cancelAnimationFrame(this.frame),this.curtain.destroy(),
this.page.root.removeEventListener("keydown",this.press),this.page.point("now",[])}offerStarts(){let{tree:e,plan:t}=this.page,n=t.state.units.
filter(s=>s.is_root&&s.index!==0).slice(0,50),i=this.start.value;this.start.replaceChildren(l("option",{value:0},"from the root"),...n.map(({
index:s})=>l("option",{value:s},`from ${M(e,s)}`))),this.start.value=n.some(({index:s})=>String(s)===i)?i:"0",this.start.hidden=n.length===0}rewalk(){
let{tree:e,plan:t}=this.page,n=this.walk.value,i=this.recording?.kind!==n;this.ground=Le(e,t,[Number(this.start.value)]),this.recording=ce(this.
ground,n),this.metAt=new Int32Array(e.size).fill(this.recording.steps);for(let o=this.recording.steps-1;o>=0;o--)this.recording.act[o]===0&&
(this.metAt[this.recording.node[o]]=o);u(this.about,F(n).about),m(this.scrub,{max:this.recording.steps});let s=ie(this.recording.steps,this.
now.rate);this.move(i?s:W(s,this.now.at))}toggle(){this.move(this.now.playing?E(this.now):Ne(this.now))}move(e){this.now=e,this.draw(),cancelAnimationFrame(
this.frame),e.playing&&this.follow(performance.now())}turn(e){this.shown=e,e?this.draw():this.move(E(this.now))}follow(e){this.frame=requestAnimationFrame(
t=>{this.now=Ie(this.now,Math.max(0,t-e)/1e3),(!this.calm.matches||t-this.drawnAt>=kt||!this.now.playing)&&this.draw(t),this.now.playing&&this.
follow(Math.max(t,e))})}key(e){e.ctrlKey||e.altKey||e.metaKey||!this.shown||e.key!=="."&&e.key!==","||e.composedPath()[0].matches("input:not\
([type=range]), textarea")||(e.preventDefault(),this.move(z(this.now,e.key==="."?1:-1)))}draw(e=performance.now()){this.drawnAt=e;let{now:t,
recording:n,ground:i}=this,{at:s,steps:o}=t;this.scrub.value=String(s),m(this.scrub,{"aria-valuetext":`step ${s} of ${o}`}),u(this.count,`st\
ep ${s.toLocaleString("en")} of ${o.toLocaleString("en")}`),u(this.playing,t.playing?"❚❚ Pause":"▶ Play"),m(this.said,{"aria-live":t.playing?
"off":"polite"}),u(this.said,(s<o?"Next: ":"")+He(i,n,s));let a=s<o?n.node[s]:-1;this.drawAround(a),this.drawStack(),this.drawMade(),this.page.
point("now",a<0||!this.shown?[]:[a])}drawAround(e){let{tree:t}=this.page,n=Math.max(0,e),i=Math.max(0,Math.min(n-B,t.size-2*B-1)),s=Math.min(
t.size,i+2*B+1),o=1/0;for(let a=i;a<s;a++)o=Math.min(o,t.depth[a]);this.around.show("Modules",s-i,a=>{let c=i+a,h=c===e?"▶":this.metAt[c]<
this.now.at?"✓":"·",d="  ".repeat(Math.min(Tt,t.depth[c]-o)),p=this.ground.handles.has(c)?" [H]":this.ground.barred.has(c)?" [R]":"";return`${h}\
 ${d}${c===0?"(root)":t.names[c]}${p}`},e-i)}drawStack(){let{recording:e,now:t}=this,n=he(e,t.at,_),i=t.at>=e.reversing&&e.reversing<e.steps?
"Handles listed, taken from the end":"Stack";this.stack.show(`${i}: ${e.depth[t.at].toLocaleString("en")}`,n.length,s=>n[s]<0?`${M(this.page.
tree,~n[s])}, once its children are done`:M(this.page.tree,n[s]),0)}drawMade(){let{recording:e,now:t}=this,n=e.kind==="composable"&&t.at<e.reversing,
[i,s]=n?[e.found,e.listed[t.at]]:[e.produced,e.done[t.at]],o=Math.max(0,s-_),a=n?"Handles listed":F(e.kind).made;this.made.show(`${a}: ${s.toLocaleString(
"en")} of ${i.length.toLocaleString("en")}`,s-o,c=>`${o+c}  ${M(this.page.tree,i[o+c])}`,s-o-1)}},$=class{element;heading=l("h4");lines;constructor(e,t,n){
this.lines=Array.from({length:t},()=>l("li")),this.element=l("div",{"data-role":e},this.heading,l("ol",{"aria-label":n},...this.lines))}show(e,t,n,i){
u(this.heading,e),this.lines.forEach((s,o)=>{s.style.visibility=o<t?"visible":"hidden",o<t&&u(s,n(o)),m(s,{"data-now":o===i&&o<t?"1":null})})}};var We=".player .bar [data-role=scrub]{flex:1 1 120px;min-width:80px;padding:0}.player select{font:inherit;color:inherit;background:var(--ra\
ised);border:1px solid var(--line);border-radius:4px;padding:2px 4px;max-width:100%}.player p{margin:4px 0}.said{font-family:var(--mono);fon\
t-size:12px;min-height:2.8em;overflow-wrap:anywhere}.columns{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:4px 16px}.column\
s h4{margin:0 0 2px;font-size:12px;font-weight:600}.columns ol{list-style:none;margin:0;padding:0;font-family:var(--mono);font-size:12px}.co\
lumns li{line-height:18px;height:18px;white-space:pre;overflow:hidden;text-overflow:ellipsis;padding:0 4px;border-left:3px solid transparent\
}.columns [data-role=around] li{line-height:16px;height:16px}.columns li[data-now]{background:var(--chosen);border-left-color:var(--ring);fo\
nt-weight:600}@container (max-width: 560px){.columns{grid-template-columns:minmax(0,1fr)}}";var oe=40,G=class{constructor(e){this.page=e}page;list=l("ul",{class:"remarks","data-role":"findings"});element=l("div",{},this.list);update(e){
if(!e.has("plan"))return;let{state:t}=this.page.plan,n=[...t.conflicts.map(s=>({...s,severity:"conflict"})),...t.findings],i=n.slice(0,oe).map(
s=>this.item(s));n.length>oe&&i.push(l("li",{},`and ${n.length-oe} more`)),n.length===0&&i.push(l("li",{class:"note"},"Nothing to report: th\
is plan can run.")),this.list.replaceChildren(...i)}destroy=()=>{};item(e){let t=e.severity??"warn",n=e.fqns.slice(0,4).map((s,o)=>{let a=e.
indices[o]??0;return l("button",{type:"button",class:"link","data-jump":a,click:()=>this.page.reveal(a)},s||"(root)")}),i=e.fqns.length>4?` \
and ${e.fqns.length-4} more`:"";return l("li",{"data-severity":t,"data-kind":e.kind},l("b",{},t)," ",...n,i,l("p",{},e.message),l("p",{class:"\
note"},e.fix??e.advice??""))}};var ae=r=>r.phase==="starting"||r.phase==="running",ze={idle:"Not run yet.",starting:"Starting",running:"Running",done:"Done",failed:"Failed",
stopped:"Stopped"};function Be(r){let e=[r.backend,r.devices].filter(Boolean).join(", "),t=r.nprocs?` on ${r.nprocs} ${r.nprocs===1?"worker":
"workers"}${e?` (${e})`:""}`:"",n=r.steps?`, step ${r.step} of ${r.steps}`:"",i=r.seconds?`, ${r.seconds.toFixed(1)} s`:"";return r.phase===
"idle"?ze.idle:`${ze[r.phase]}${t}${n}${i}`}var _e=r=>typeof r=="number"?r.toFixed(4):"not finite";function Ue(r){let e=r.losses.at(-1);if(!e)return"";let[t,...n]=e,i=n.map((a,c)=>`ran\
k ${c} ${_e(a)}`).join(", "),s=r.losses.length-1,o=r.reference&&s<r.reference.length?`; unsharded ${_e(r.reference[s])}`:"";return`step ${t}\
: ${i}${o}`}function Ge(r,e,t){let n=Array.from({length:(r.losses[0]?.length??1)-1},(d,p)=>r.losses.map(f=>f[p+1])),i=r.reference??[],s=[...n.
flat(),...i].filter(d=>typeof d=="number");if(s.length===0)return null;let o=s.reduce((d,p)=>Math.min(d,p)),a=s.reduce((d,p)=>Math.max(d,p)),
c=Math.max(r.steps,r.losses.length,i.length,2)-1,h=d=>d.map((p,f)=>{if(typeof p!="number")return"";let b=typeof d[f-1]=="number"?"L":"M",D=a===
o?t/2:(a-p)/(a-o)*t;return`${b}${(f/c*e).toFixed(1)} ${D.toFixed(1)}`}).join("");return{lines:n.map(h),reference:h(i),low:o,high:a}}var Ke=480,De=90,K=class{constructor(e){this.page=e;this.run=v("run","▶ Run","Spawn the workers and train with this plan",()=>{this.start()}),
this.stop=v("stop","■ Stop","End the workers",()=>{e.command("stop")});let t=l("div",{class:"bar"},l("label",{},"workers ",this.nprocs),l(
"label",{},"steps ",this.steps),this.run,this.stop,this.progress,this.phase);this.element=l("div",{class:"run"},t,this.error,this.losses,this.
chart,this.details)}page;element;nprocs=l("input",{type:"number",min:1,max:64,value:2,"data-role":"nprocs"});steps=l("input",{type:"number",
min:1,max:1e5,value:10,"data-role":"steps"});run;stop;progress=l("progress",{max:1,value:0,"data-role":"progress","aria-label":"Progress of \
the run"});phase=l("span",{"data-role":"phase"});losses=l("p",{"data-role":"losses"});chart=l("div",{class:"chart","data-role":"chart"});error=l(
"div",{class:"error","data-role":"run-error",role:"alert"});log=l("pre",{"data-role":"log",tabindex:0});details=l("details",{},l("summary",{},
"Worker log"),this.log);async start(){this.run.disabled=!0,await this.page.command("run",{nprocs:Number(this.nprocs.value),steps:Number(this.
steps.value)}),this.show(this.page.run)}update(e){e.has("run")&&this.show(this.page.run)}destroy=()=>{};show(e){this.run.disabled=ae(e),this.
stop.disabled=!ae(e),m(this.element,{"data-phase":e.phase}),m(this.progress,{max:e.steps||1,value:e.phase==="done"?e.steps||1:e.step}),u(this.
phase,Be(e)),u(this.losses,Ue(e)),this.error.hidden=e.error===null,e.error&&this.error.replaceChildren(l("b",{},e.error.title),l("pre",{},e.
error.detail)),this.draw(e),this.details.hidden=e.log.length===0,u(this.log,e.log.map(([t,n])=>`[rank ${t}] ${n.trimEnd()}`).join(`
`))}draw(e){let t=Ge(e,Ke,De);if(this.chart.hidden=t===null,!t)return;let n=t.lines.map((o,a)=>R("path",{d:o,class:"loss","data-rank":a,"str\
oke-dasharray":a?`${2+2*a} 3`:"none"})),i=R("svg",{viewBox:`-2 -4 ${Ke+4} ${De+8}`,preserveAspectRatio:"none",role:"img","aria-label":`Loss \
of every step, from ${t.high.toFixed(4)} down to ${t.low.toFixed(4)}`},...t.reference?[R("path",{d:t.reference,class:"reference"})]:[],...n),
s=t.reference?"line: ranks · dots: unsharded":"";this.chart.replaceChildren(l("span",{},t.high.toFixed(3)),l("span",{},t.low.toFixed(3)),i,
l("small",{},s))}};var Mt={style:[ve,We,be,Se].join(`
`),panels:{run:{slot:"tab",label:"Run",make:r=>new K(r)},orders:{slot:"tab",label:"Orders",make:r=>new N(r)},compare:{slot:"tab",label:"Comp\
are",make:r=>new L(r)},player:{slot:"tab",label:"Player",make:r=>new U(r)},findings:{slot:"tab",label:"Findings",make:r=>new G(r)},code:{slot:"\
tab",label:"Code",make:r=>new P(r)},icicle:{slot:"top",label:"Parameters",make:r=>new H(r)},minimap:{slot:"edge",label:"Minimap",make:r=>new C(
r)}}},on=Mt;export{on as default};
