import { keepOwnerRights } from "@paneward/sdk/node";
import type { Call } from "./command.ts";
import { openConnection } from "./daemon/connection.ts";
import { locateDaemon } from "./daemon/locate.ts";
import { failureOf, printFailure } from "./failure.ts";
import { groupOf } from "./groups.ts";
import { endOnClosedPipe, noteExit } from "./look/exit.ts";
import { openOut } from "./look/out.ts";
import { openProgress } from "./look/progress.ts";
import { Options } from "./options.ts";
import type { Chosen } from "./parse.ts";
import { parsePlain } from "./parse-plain.ts";
import { isInteractive } from "./prompt.ts";
import { isNewer } from "./update/version-order.ts";
import { requireUtf8 } from "./utf8.ts";
import { cliVersion } from "./version.ts";

/** Runs one command line and returns its exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  endOnClosedPipe();
  keepOwnerRights(process);
  try {
    requireUtf8(argv);
    if (argv.length === 0 && isInteractive() && process.env.TERM !== "dumb") {
      const { tuiCommand } = await import("./commands/tui.ts");
      return await runCommand({ command: tuiCommand, args: [], options: {} }, process.env);
    }
    const chosen = await parse(argv);
    return "exitCode" in chosen ? chosen.exitCode : await runCommand(chosen, process.env);
  } catch (error) {
    const failure = failureOf(error);
    printFailure(failure, (text) => noteExit.write(`${text}\n`));
    return failure.exitCode;
  }
}

/** Loads only the group of the first word; all of them for help and for "did you mean". */
async function parse(argv: readonly string[]): Promise<Chosen | { readonly exitCode: number }> {
  const commands = await groupOf(argv[0] ?? "")?.();
  const plain = commands && parsePlain(argv, commands);
  if (plain) return plain;
  const sections = commands ? [{ title: "Commands", commands }] : (await import("./command-table.ts")).sections;
  const { parseCommandLine } = await import("./parse.ts");
  return parseCommandLine(argv, sections);
}

async function runCommand({ command, args, options }: Chosen, env: NodeJS.ProcessEnv): Promise<number> {
  const progress = openProgress(`${command.name} …`);
  if (options.quiet === true) progress.silence();
  const out = openOut(env, progress);
  let lastVersion: string | undefined;
  const onVersion = (version: string) => {
    if (version === lastVersion) return;
    lastVersion = version;
    const own = cliVersion();
    if (version === own || command.drawsItself) return;
    const cure = isNewer(version, own) ? "paneward update" : "paneward daemon restart";
    out.note(`paneward: the daemon is version ${version} and this is ${own}; hint: \`${cure}\``);
  };
  const connection = await openConnection(await locateDaemon(env), {
    door: command.door ?? "cli",
    env,
    progress,
    note: command.drawsItself ? () => {} : out.note,
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
