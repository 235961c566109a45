// Makes the pictures of the terminal interface from a real run: `sh scripts/with-node.sh node scripts/tui-pictures.ts`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDaemon } from "../packages/paneward/test/support/daemon.ts";
import { type Palette, palettes } from "../packages/paneward/test/tui/support/palettes.ts";
import { openPane } from "../packages/paneward/test/tui/support/pane.ts";
import { makeSampleWork, scriptedClaude } from "./sample-work.ts";
import { terminalSvg } from "./terminal-svg.ts";

const out = join(import.meta.dirname, "../docs/pictures");
const soft: Palette = {
  name: "soft, dark",
  front: "#d0d0d0",
  back: "#1e1e1e",
  named: [
    ..."#1e1e1e #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d0d0d0".split(" "),
    ..."#7f848e #ff7b86 #b5e08f #ffd787 #7fc3ff #df95f5 #6fd3df #ffffff".split(" "),
  ],
};
const light = palettes.find(({ name }) => name === "macOS Terminal, Basic") ?? soft;
const cleanings: (() => void | Promise<void>)[] = [];
const cleanup = { after: (clean: () => void | Promise<void>) => void cleanings.push(clean) };

try {
  const daemon = await startDaemon(cleanup, scriptedClaude);
  const { shop } = await makeSampleWork(daemon);
  const pane = await openPane(cleanup, daemon.env, { folder: shop, columns: 140, rows: 30 });
  const shoot = async (name: string, title: string, palette: Palette) =>
    writeFileSync(join(out, `${name}.svg`), terminalSvg(await pane.colours(), title, palette));
  await pane.type("paneward\n");
  await pane.shows(/2 need you/, /\+2 -0/, "Do you want to proceed?", "npm test -- login");
  await shoot("tui", "The terminal interface: tasks, the selected one's screen, and what needs you", soft);
  await pane.type("a");
  await pane.shows("─ permission  1 ", "Enter answer");
  await shoot("tui-light", "A question in the terminal interface, on a light background", light);
} finally {
  for (const clean of cleanings.toReversed()) await clean();
}
