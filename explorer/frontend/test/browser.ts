// What jsdom lacks and every browser has: nothing is ever resized here, and no media query matches.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.matchMedia ??= (media) => Object.assign(new EventTarget(), { matches: false, media, onchange: null, addListener() {}, removeListener() {} });
