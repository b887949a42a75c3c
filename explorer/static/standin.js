// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.
var u="[data-lm-suppress-shortcuts]",d=/model not found|Error displaying widget/;var p=t=>[...t.querySelectorAll(u)].some(e=>e.shadowRoot?.querySelector(".shx"));function m(t){let e=t.closest(".jp-OutputArea"),s=t.closest(
".jp-OutputArea-child");if(!e||!s||s.dataset.standin)return;s.dataset.standin="1";let c=(r,a)=>{r.style.display=a?"":"none"},n=(r=!1)=>{let a=p(
e),i=[...e.querySelectorAll(".jp-OutputArea-child")].filter(o=>o!==s&&d.test(o.textContent??""));c(s,!a&&(!r||i.length>0));for(let o of i)c(
o,!1)},l=!0;setTimeout(()=>n(l=!1),1500),new MutationObserver(()=>n(l)).observe(e,{childList:!0,subtree:!0,attributeFilter:["data-lm-suppres\
s-shortcuts"]}),n(l)}for(let t of document.querySelectorAll("[data-shx-static]"))m(t);export{m as standIn};
