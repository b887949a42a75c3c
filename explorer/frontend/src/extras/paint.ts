// What canvases need that style sheets do by themselves: colours as numbers, and sharp pixels.

/** Colours of the page as a canvas takes them: `var(--shard)` means another colour in another theme. */
export class Palette {
  private known = new Map<string, string>();
  private probe = document.createElement("i");

  constructor(private root: HTMLElement) {
    this.probe.hidden = true;
  }

  of(css: string): string {
    const found = this.known.get(css);
    if (found) return found;
    this.root.append(this.probe);
    this.probe.style.color = css;
    const colour = getComputedStyle(this.probe).color;
    this.probe.remove();
    this.known.set(css, colour);
    return colour;
  }

  /** The theme has changed. */
  forget = (): void => this.known.clear();
}

/** A cleared pen for a canvas of that many CSS pixels, drawn as sharp as the screen can. */
export function penFor(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const scale = devicePixelRatio || 1;
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d")!;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}
