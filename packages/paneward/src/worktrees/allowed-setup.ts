import { constants } from "node:fs";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { TaskRecord } from "../model/records.ts";
import type { BootstrapOptions } from "../runtime/ports.ts";
import { readSetupScript, setupPath } from "./runs.ts";
import type { Setup } from "./setup.ts";

/**
 * Gives what may prepare the worktree to `use`. A script runs from a private copy of the bytes that were allowed: the
 * file itself is in a folder that an agent, or whatever it left running, can write to.
 */
export async function withAllowedSetup<Result>(
  task: TaskRecord,
  { cmd, allow, scratch }: Pick<BootstrapOptions, "cmd" | "allow" | "scratch">,
  use: (setup: Setup | undefined) => Promise<Result>,
): Promise<Result> {
  if (cmd !== undefined && cmd.trim() !== "") {
    await allow("cmd");
    return use({ name: cmd, argv: ["/bin/sh", "-c", cmd] });
  }
  for (const folder of [task.worktree, task.root]) {
    const script = await readSetupScript(folder);
    if (!script) continue;
    await allow(script.run);
    const name = join(folder, setupPath);
    const hasInterpreter = await isExecutable(name);
    try {
      const copy = await privateCopy(scratch, script.bytes);
      return await use({ name, argv: hasInterpreter ? [copy] : ["/bin/sh", copy] });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  return use(undefined);
}

async function privateCopy(folder: string, bytes: Buffer): Promise<string> {
  // A daemon that was killed may have left one behind.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, basename(setupPath));
  await writeFile(copy, bytes, { flag: "wx", mode: 0o700 });
  return copy;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
