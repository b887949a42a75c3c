// Amounts as people read them, beside the exact number: bytes in binary units, counts with separators.

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** `12.3 MiB`; three figures at most before the point, exact below 1 KiB. */
export function bytesText(nbytes: number): string {
  let unit = 0;
  let value = nbytes;
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return unit === 0 ? `${count(nbytes)} B` : `${value.toFixed(1)} ${UNITS[unit]}`;
}

/** Both, for tooltips and screen readers: `12.3 MiB (12,897,485 bytes)`. */
export const exactBytes = (nbytes: number): string => (nbytes < 1024 ? `${count(nbytes)} bytes` : `${bytesText(nbytes)} (${count(nbytes)} bytes)`);

export const count = (value: number): string => value.toLocaleString("en");

export const percent = (share: number): string => (share === 0 ? "0 %" : share < 0.0005 ? "<0.1 %" : `${(100 * share).toFixed(1)} %`);

/** `+1.0 MiB`, `−3 B`, `±0`: a difference says its direction by a sign. */
export function changeText(before: number, after: number, text: (value: number) => string): string {
  if (before === after) return "±0";
  return after > before ? `+${text(after - before)}` : `−${text(before - after)}`;
}
