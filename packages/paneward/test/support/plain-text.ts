import { Fold } from "../../src/model/output/fold.ts";
import type { Size } from "../../src/model/output/fold-grid.ts";

/** Terminal output as plain text: without escape sequences, redrawn text in its final state. */
export function plainText(raw: string | Uint8Array, size: Size = anySize): string {
  const pieces: string[] = [];
  const fold = new Fold(size);
  fold.mark((text) => pieces.push(text));
  fold.write(typeof raw === "string" ? new TextEncoder().encode(raw) : raw);
  fold.end();
  fold.writeScreen();
  return pieces.join("");
}

// For an unknown size: wrapped lines are joined anyway.
const anySize = { columns: 1_000, rows: 50 };
