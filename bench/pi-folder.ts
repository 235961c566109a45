import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endTmux, undoOnInterrupt } from "./interrupt.ts";

/** A folder in which pi's tmux server and files are; `end` removes it with them, also when the bench is interrupted. */
export function piFolder(): { readonly folder: string; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), "paneward-bench-pi-"));
  const undo = () => {
    endTmux(join(folder, `tmux-${process.getuid?.() ?? 0}`, "default"));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const finished = undoOnInterrupt(undo);
  return {
    folder,
    end() {
      undo();
      finished();
    },
  };
}
