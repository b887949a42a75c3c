// Two orders of the same modules beside each other: who stands where in the other one, how many places differ, how many
// connectors cross. No DOM.

export interface Pairing {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly rightOf: Int32Array; // by place on the left: the place of the same module on the right, -1 when it is not there
  readonly leftOf: Int32Array;
  readonly places: number; // the longer of the two
  readonly differ: number; // places whose two modules are not the same
  readonly crossings: number; // pairs of modules that change sides
}

export interface Connector {
  from: number; // place on the left
  to: number; // place on the right
}

export function pairOrders(left: readonly number[], right: readonly number[]): Pairing {
  const rightOf = placesIn(left, right);
  const places = Math.max(left.length, right.length);
  let differ = 0;
  for (let place = 0; place < places; place++) if (left[place] !== right[place]) differ++;
  return { left, right, rightOf, leftOf: placesIn(right, left), places, differ, crossings: inversions(rightOf, right.length) };
}

function placesIn(of: readonly number[], order: readonly number[]): Int32Array {
  const place = new Map(order.map((node, at) => [node, at]));
  return Int32Array.from(of, (node) => place.get(node) ?? -1);
}

/** Pairs in the wrong order, counted with a Fenwick tree: two orders of 75,000 modules may cross 2.8 billion times. */
function inversions(sequence: Int32Array, size: number): number {
  const sums = new Int32Array(size + 1);
  let crossed = 0;
  let met = 0;
  for (const value of sequence) {
    if (value < 0) continue;
    let smaller = 0;
    for (let at = value + 1; at > 0; at -= at & -at) smaller += sums[at];
    crossed += met++ - smaller;
    for (let at = value + 1; at <= size; at += at & -at) sums[at]++;
  }
  return crossed;
}

/** Connectors with an end among the places [first, last), each once, ordered by their left end. */
export function connectorsIn({ rightOf, leftOf }: Pairing, first: number, last: number): Connector[] {
  const found = new Map<number, Connector>();
  for (let place = Math.max(0, first); place < last; place++) {
    if (place < rightOf.length && rightOf[place] >= 0) found.set(place, { from: place, to: rightOf[place] });
    if (place < leftOf.length && leftOf[place] >= 0) found.set(leftOf[place], { from: leftOf[place], to: place });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}

/** `I₁ vs I₂: 12 of 61 differ, 30 crossings`. */
export function headline(left: string, right: string, { places, differ, crossings }: Pairing): string {
  const said = `${left} vs ${right}: ${differ.toLocaleString("en")} of ${places.toLocaleString("en")} differ`;
  return crossings ? `${said}, ${crossings.toLocaleString("en")} crossing${crossings === 1 ? "" : "s"}` : said;
}
