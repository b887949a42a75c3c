// Bytes as text, five characters for four of them, as Python's `base64.b85encode` writes them, with "," in place of "<" that
// a document would have to escape (explorer/standalone.py). Base64 needs a sixteenth more.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const valueOf = new Map([...DIGITS].map((digit, value) => [digit, value]));
  const missing = (5 - (text.length % 5)) % 5;
  const whole = text + "~".repeat(missing);
  const bytes = new DataView(new ArrayBuffer((whole.length / 5) * 4));
  for (let at = 0; at < whole.length; at += 5) {
    let word = 0;
    for (let k = 0; k < 5; k++) word = word * 85 + valueOf.get(whole[at + k])!;
    bytes.setUint32((at / 5) * 4, word);
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - missing);
}
