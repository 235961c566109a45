import { resolve } from "node:path";
import { ageOf } from "@paneward/sdk/text";
import { askTrust } from "../ask-trust.ts";
import type { Call, Command } from "../command.ts";
import { printTable } from "../look/table.ts";
import { requireOne } from "../options.ts";

export const trustCommands: readonly Command[] = [
  {
    name: "trust",
    operations: ["trust", "trust_look", "trust_list", "trust_revoke"],
    summary: "let a repository run the commands of its configuration and its setup script",
    details:
      "Shows what `.paneward/config.toml` and `.paneward/setup.sh` would run, with the files that the commands run, and asks. It is asked again when one of them changes. The folder may be a task's worktree, whose branch may have another script.",
    page: "tasks.md#trust",
    takes: "[folder]",
    options: [
      ["--yes", "do not ask"],
      ["--list", "the repositories that are trusted"],
      ["--revoke", "trust the repository no longer"],
    ],
    examples: [
      "paneward trust",
      "paneward trust ~/src/project --yes",
      "paneward trust --list",
      "paneward trust --revoke",
    ],
    run: trust,
  },
];

async function trust(call: Call): Promise<number | undefined> {
  const { args, client, options, out } = call;
  const isListed = options.flag("list");
  requireOne({ "--yes": options.flag("yes"), "--list": isListed, "--revoke": options.flag("revoke") });
  requireOne({ "--list": isListed, "a folder": args[0] !== undefined });
  if (isListed) return list(call);
  const root = resolve(args[0] ?? ".");
  if (options.flag("revoke")) {
    const answer = await client.trust_revoke({ root });
    return void (options.flag("json") ? out.json(answer) : out.line(`${answer.revoked} is no longer trusted`));
  }
  const agreed = await askTrust(call, root, options.flag("yes"));
  const looked = await client.trust_look({ root });
  if (options.flag("json")) out.json(looked);
  else if (looked.runs.length === 0) out.line(`${looked.root} runs nothing of its own`);
  else if (agreed) out.line(`${looked.root} is trusted; \`paneward trust --revoke ${looked.root}\` takes it back`);
  return agreed ? 0 : 1;
}

async function list({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.trust_list({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.repositories.length === 0) return void out.note("no repository is trusted");
  const now = Date.now();
  printTable(out, answer.repositories, [
    { title: "REPOSITORY", of: ({ root }) => root },
    { title: "AGE", of: ({ at }) => ageOf(at, now), right: true },
    { title: "BY", of: ({ by }) => by },
    { title: "RUNS", of: ({ trusted }) => trusted.join(", "), cut: true },
  ]);
}
