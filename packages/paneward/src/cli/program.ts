import { isInteractive } from "./asking.ts";
import type { Call } from "./command.ts";
import type { Section } from "./command-table.ts";
import { openConnection } from "./daemon/connection.ts";
import { whereabouts } from "./daemon/whereabouts.ts";
import { failureOf, printFailure } from "./failure.ts";
import { groupOf } from "./groups.ts";
import { openOut } from "./look/out.ts";
import { openProgress } from "./look/progress.ts";
import { Options } from "./options.ts";
import { type Chosen, parseCommandLine } from "./parse.ts";
import { cliVersion } from "./version.ts";

/** Runs one command line and answers with its exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  process.stdout.on("error", leaveQuietlyWhenNobodyReads);
  try {
    if (argv.length === 0 && isInteractive() && process.env.TERM !== "dumb") {
      const { tuiCommand } = await import("./commands/tui.ts");
      return await runCommand({ command: tuiCommand, args: [], options: {} }, process.env);
    }
    const chosen = parseCommandLine(argv, await sectionsFor(argv));
    return "exitCode" in chosen ? chosen.exitCode : await runCommand(chosen, process.env);
  } catch (error) {
    const failure = failureOf(error);
    printFailure(failure, (text) => process.stderr.write(`${text}\n`));
    return failure.exitCode;
  }
}

/** Only the group that the first word names; all of them for help, and to say what an unknown word may have meant. */
async function sectionsFor([first = ""]: readonly string[]): Promise<readonly Section[]> {
  const group = groupOf(first);
  if (group) return [{ title: "Commands", commands: await group() }];
  const { sections } = await import("./command-table.ts");
  return sections;
}

async function runCommand({ command, args, options }: Chosen, env: NodeJS.ProcessEnv): Promise<number> {
  const progress = openProgress(`${command.name} …`);
  const out = openOut(env, progress);
  let met: string | undefined;
  const onVersion = (version: string) => {
    if (version === met) return;
    met = version;
    const own = cliVersion();
    if (version === own || command.drawsItself) return;
    out.note(`paneward: the daemon is version ${version} and this is ${own}; hint: \`paneward daemon restart\``);
  };
  const connection = await openConnection(await whereabouts(env), {
    door: command.door ?? "cli",
    env,
    progress,
    onVersion,
  });
  const call: Call = { args, options: new Options(options), env, out, progress, connection, client: connection.client };
  try {
    return (await command.run(call)) ?? 0;
  } catch (error) {
    const failure = failureOf(error, command.name);
    printFailure(failure, out.note);
    return failure.exitCode;
  } finally {
    connection.close();
  }
}

/** `paneward events | head` is not a failure. */
function leaveQuietlyWhenNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
