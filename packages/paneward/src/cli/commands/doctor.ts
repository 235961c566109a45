import { type Output, PanewardError } from "@paneward/sdk";
import { momentOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { shortFault } from "../look/short-fault.ts";
import { requireOne } from "../options.ts";
import { confirm } from "../prompt.ts";

export const doctorCommand: Command = {
  name: "doctor",
  operations: ["doctor"],
  summary: "check the installation: programs, paths, problems",
  details:
    "Exit code 1 if a check fails. A missing agent is not a failure. While no daemon answers, it checks what it can without one. With --url it follows the way of a request from outside, through a proxy or a tunnel, and names the line of configuration that is wrong. With --repair it checks the database instead, while no daemon runs: a damaged or lost one is replaced by the newest good backup, and the current file is kept beside it.",
  page: "remote.md",
  options: [
    ["--url <origin>", "check from outside what people open elsewhere, such as https://box.example.org"],
    [
      "--idle <seconds>",
      "with --url: for how long a request has to be able to wait (default: 55, as ours do; 0: not checked)",
    ],
    ["--repair", "restore the newest good backup of a damaged or lost database"],
    [
      "--downgrade",
      "with --repair: go back to the backup from before an upgrade, if a newer version wrote the database",
    ],
    ["--yes", "do not ask before restoring"],
  ],
  examples: [
    "paneward doctor",
    "paneward doctor --json",
    "paneward doctor --url https://box.example.org",
    "paneward doctor --repair",
    "paneward doctor --repair --downgrade",
  ],
  run: doctor,
};

type Check = Output<"doctor">["checks"][number];

async function doctor(call: Call): Promise<number> {
  const { client, options, out, connection } = call;
  const url = options.text("url");
  requireOne({ "--repair": options.flag("repair"), "--url": url !== undefined });
  if (options.flag("repair")) return repair(call);
  if (options.flag("downgrade")) {
    throw new PanewardError("bad_input", "--downgrade is a kind of repair", {
      hint: "paneward doctor --repair --downgrade",
    });
  }
  if (url !== undefined) return doctorOutside(call, url);
  const { checks } = await client.doctor({}).catch(async (error: unknown) => {
    if (!connection.isLocal || !(error instanceof PanewardError)) throw error;
    const { checkWithoutDaemon } = await import("../../daemon.ts");
    return { checks: await checkWithoutDaemon(error) };
  });
  if (options.flag("json")) out.json({ checks });
  else printChecks(call, checks);
  return checks.every(({ ok }) => ok) ? 0 : 1;
}

function printChecks({ out }: Call, checks: readonly Check[]): void {
  const widest = Math.max(0, ...checks.map(({ name }) => name.length));
  for (const check of checks) printCheck(out, check, widest);
}

function printCheck(out: Call["out"], { name, ok, missing, detail, hint }: Check, widest: number): void {
  const below = " ".repeat(widest + 9);
  const mark = missing ? out.paint("dim", "—    ") : ok ? out.paint("green", "ok   ") : out.paint("red", "wrong");
  const [first = "", ...rest] = shortFault(detail).split("\n");
  out.line(`${mark}  ${name.padEnd(widest)}  ${first}`.trimEnd());
  for (const line of rest) out.line(`${below}${line.trim()}`);
  if (hint !== undefined) out.line(`${below}${out.paint("dim", hint)}`);
}

/** Prints each check as soon as it is made: the last one waits for a minute. */
async function doctorOutside({ options, out, connection, env, progress }: Call, url: string): Promise<number> {
  const { checkOutside, reachOf } = await import("../outside/check-outside.ts");
  const reach = await reachOf(connection, env);
  const checks: Check[] = [];
  try {
    progress.say(`checking ${url}`);
    const idleSeconds = Math.min(options.number("idle") ?? defaultIdleSeconds, maxIdleSeconds);
    for await (const check of checkOutside({ origin: url.replace(/\/+(#.*)?$/, ""), idleSeconds, ...reach })) {
      checks.push(check);
      if (!options.flag("json")) printCheck(out, check, "connection".length);
    }
  } finally {
    await reach.end();
  }
  if (options.flag("json")) out.json({ checks });
  return checks.every(({ ok }) => ok) ? 0 : 1;
}

// What commands wait for at a time through HTTPS, and a little more.
const defaultIdleSeconds = 55;
const maxIdleSeconds = 600;

async function repair(call: Call): Promise<number> {
  const { options, out, connection, progress } = call;
  if (!connection.isLocal) {
    throw new PanewardError("bad_input", "a database is repaired on its own machine", {
      hint: "unset PANEWARD_URL and PANEWARD_TOKEN",
    });
  }
  progress.silence();
  const { repairDatabase } = await import("../../daemon.ts");
  let repaired = false;
  const plan = await repairDatabase(
    async ({ problem, setsAside, backup, lost, aside }) => {
      out.note(`paneward: ${shortFault(problem ?? "")}`);
      if (aside !== undefined) out.note(`the current file would be kept as ${aside}`);
      out.note(`lost: ${lost}`);
      const otherwise = setsAside ? "Set them aside?" : "There is no good backup. Begin empty?";
      repaired = await confirm(call, backup ? `Restore the backup of ${momentOf(backup.at)}?` : otherwise);
      return repaired;
    },
    { downgrade: options.flag("downgrade") },
  );
  if (repaired && plan.aside !== undefined) out.note(`the previous file is kept as ${plan.aside}`);
  if (options.flag("json")) out.json({ ...plan, repaired });
  else if (plan.problem === undefined) out.line("the database is good; there is nothing to repair");
  else if (repaired && plan.setsAside) out.line("set aside; everything else is as it was");
  else if (repaired)
    out.line(plan.backup ? `restored ${plan.backup.path}` : "the next daemon begins with an empty database");
  return plan.problem === undefined || repaired ? 0 : 1;
}
