// Makes the dashboard's PNG icons from its icon.svg: `sh scripts/with-node.sh node scripts/draw-icons.ts`. Needs Chromium.
// Phones take no SVG for an installed app, and Android draws a badge from its transparency alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const folder = join(import.meta.dirname, "../packages/web/static");
const svg = readFileSync(join(folder, "icon.svg"), "utf8");
const square = svg.replace(' rx="14"', "");
const glyph = svg.replace(/<rect[^>]*\/>/, "");

const icons = [
  { name: "icon-192.png", size: 192, svg },
  { name: "icon-512.png", size: 512, svg },
  { name: "icon-maskable-512.png", size: 512, svg: square },
  { name: "icon-apple-180.png", size: 180, svg: square },
  { name: "badge-96.png", size: 96, svg: glyph },
];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--headless"] });
try {
  const page = await browser.newPage();
  for (const icon of icons) {
    await page.setViewportSize({ width: icon.size, height: icon.size });
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${icon.svg}`);
    await page.screenshot({ path: join(folder, icon.name), omitBackground: true });
  }
} finally {
  await browser.close();
}
