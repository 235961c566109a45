// Writes the manual page from the table of commands. Usage: write-manual.ts FILE
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manualPage } from "./docs/manual.ts";

const [file = "paneward.1"] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../packages/paneward/package.json"), "utf8"));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, manualPage(version));
