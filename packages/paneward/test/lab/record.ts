import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentNamed } from "../../src/agents/registry.ts";
import { readingOf } from "../screens/reading.ts";
import { labAgents } from "./agents/all.ts";
import { startModel } from "./model/server.ts";
import type { Shown } from "./pane.ts";
import { scenes } from "./scenes/all.ts";
import { perform, type Truth } from "./stage.ts";

// Drives the real agents through their scenes and keeps the screens: `record.ts [AGENT [SCENE]]`. What a script knows to
// be true is compared with what the reader says; a difference is printed and the reader is not believed.
const [onlyAgent, onlyScene] = process.argv.slice(2);
const model = await startModel();
for (const agent of labAgents) {
  if (onlyAgent !== undefined && agent.name !== onlyAgent) continue;
  for (const [name, scene] of Object.entries(scenes[agent.name] ?? {})) {
    if (onlyScene !== undefined && name !== onlyScene) continue;
    console.log(`${agent.name}: ${name}`);
    try {
      await perform(agent, scene, model, (kept, shown, truth) => keep(agent.name, kept, shown, truth));
    } catch (error) {
      process.exitCode = 1;
      console.log(`  FAILED ${(error as Error).message}`);
    }
  }
}
await model.close();

function keep(agent: string, name: string, shown: Shown, truth: Truth): void {
  const folder = new URL(`../screens/${agent}/${name}/`, import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const { lines, ...view } = shown;
  writeFileSync(join(folder, "screen.txt"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "view.json"), `${JSON.stringify(view, undefined, 2)}\n`);
  const known = agentNamed(agent, {});
  if (!known) throw new Error(`there is no agent ${agent}`);
  const read = readingOf(known, shown);
  const expected = agrees(read, truth) ? read : stated(truth);
  if (expected !== read)
    console.log(`  ${name}: the script says ${JSON.stringify(truth)}, read ${JSON.stringify(read)}`);
  writeFileSync(join(folder, "expected.json"), `${JSON.stringify(expected, undefined, 2)}\n`);
}

function agrees(read: ReturnType<typeof readingOf>, truth: Truth): boolean {
  return (
    read.says === truth.says &&
    read.detail === truth.detail &&
    (truth.draft === undefined || read.draft === truth.draft) &&
    (truth.title === undefined || read.title === truth.title) &&
    read.question?.kind === truth.kind &&
    (truth.options === undefined || read.question?.options.length === truth.options) &&
    (truth.freeText === undefined || read.question?.freeText === truth.freeText) &&
    (truth.whole === undefined || read.question?.whole === truth.whole) &&
    Object.entries(truth.proposal ?? {}).every(
      ([key, value]) => read.question?.proposal?.[key as keyof NonNullable<Truth["proposal"]>] === value,
    )
  );
}

function stated({ kind, options, freeText, proposal, whole, ...rest }: Truth): object {
  return kind === undefined ? rest : { ...rest, question: { kind, options, freeText, proposal, whole } };
}
