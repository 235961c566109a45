import { Fold } from "../../src/model/output/fold.ts";
import type { Size } from "../../src/model/output/fold-grid.ts";

/** Terminal output as a person would read it: escape sequences out, and what was redrawn as it looked in the end. */
export function plainText(raw: string | Uint8Array, size: Size = anySize): string {
  const pieces: string[] = [];
  const fold = new Fold(size);
  fold.mark((text) => pieces.push(text));
  fold.write(typeof raw === "string" ? new TextEncoder().encode(raw) : raw);
  fold.end();
  fold.tellScreen();
  return pieces.join("");
}

// Where the size is not known: lines that are wrapped become whole again anyway.
const anySize = { columns: 1_000, rows: 50 };
