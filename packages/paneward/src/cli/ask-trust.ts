import { PanewardError } from "@paneward/sdk";
import type { Call } from "./command.ts";
import { confirm, isInteractive } from "./prompt.ts";

/** Shows what a repository would run and trusts it, once a person agrees or `without` says not to ask. */
export async function askTrust(call: Call, folder: string, without: boolean): Promise<boolean> {
  const { client, out } = call;
  const { root, digest, runs } = await client.trust_look({ root: folder });
  const untrusted = runs.filter((run) => !run.trusted);
  if (untrusted.length === 0) return true;
  out.note(`${root} wants to run:`);
  for (const { what, text } of untrusted) {
    out.note(`${out.paint("bold", what)}\n${text.trimEnd().replaceAll(/^/gm, "  | ")}`);
  }
  if (!without && !(await confirm(call, "Trust this repository to run it?"))) return false;
  await client.trust({ root: folder, digest });
  return true;
}

/** Runs a call again after the repository it needs was trusted: with `--trust` at once, on a terminal after asking. */
export async function trusting<Result>(
  call: Call,
  folder: () => Promise<string>,
  work: () => Promise<Result>,
): Promise<Result> {
  const flag = call.options.flag("trust");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "untrusted") || !(flag || isInteractive())) throw error;
    const asked = await folder();
    if (!(await askTrust(call, asked, flag))) throw error;
    call.out.note(`trusted; \`paneward trust --revoke ${asked}\` takes it back`);
    return work();
  }
}
