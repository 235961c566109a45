import { join } from "node:path";
import type { Call, Command } from "../command.ts";
import { installedBy } from "../update/installed-by.ts";
import { newestVersion } from "../update/newest-version.ts";
import { isNewer } from "../update/version-order.ts";
import { cliVersion } from "../version.ts";

export const updateCommands: readonly Command[] = [
  {
    name: "update",
    operations: [],
    summary: "how to install a newer version; with --check: whether there is one",
    details:
      "Changes nothing. `--check` asks the npm registry, by npm and with its configuration; nothing else in Paneward ever asks.",
    page: "install.md#updating",
    options: [["--check", "ask the npm registry for the newest version"]],
    examples: ["paneward update", "paneward update --check", "paneward update --check --json"],
    run: update,
  },
];

async function update({ options, out, env, progress }: Call): Promise<undefined> {
  const version = cliVersion();
  const { by, commands } = installedBy(join(import.meta.dirname, "..", import.meta.filename.replace(/.*\//, "")));
  let newest: string | undefined;
  if (options.flag("check")) {
    progress.say("asking the npm registry");
    newest = await progress.during(() => newestVersion(env));
  }
  const newer = newest === undefined ? undefined : isNewer(newest, version);
  if (options.flag("json")) return void out.json({ version, newest, newer, by, commands });
  if (newer === undefined) out.line(`this is paneward ${version}, installed by ${by}; to get a newer one:`);
  else if (newer) out.line(`paneward ${newest} is there, and this is ${version}; to get it:`);
  else return void out.line(`paneward ${version} is the newest`);
  for (const command of commands) out.line(`  ${command}`);
}
