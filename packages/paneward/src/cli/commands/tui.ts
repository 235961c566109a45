import type { Program } from "../child.ts";
import type { Command } from "../command.ts";

/** `paneward` without arguments, on a terminal. */
export const tuiCommand: Command = {
  name: "",
  operations: [],
  summary: "the terminal interface",
  examples: ["paneward"],
  json: false,
  door: "tui",
  drawsItself: true,
  async run({ connection, env, progress }) {
    progress.silence();
    const { client, running, isHere } = connection;
    const firstList = client.ps({ all: "true" });
    // What waits for it reports it.
    firstList.catch(() => undefined);
    // It is sent now: while this loads the interface, the daemon makes the list.
    await new Promise((resolve) => setImmediate(resolve));
    const { runTui } = await import("../../tui/tui.ts");
    // Loaded when another program is started: the first frame does not wait for it.
    const run = async (program: Program) => (await import("../child.ts")).runProgram(program);
    const address = connection.isLocal ? undefined : connection.address;
    return runTui({ client, running, firstList, address, isHere, env, folder: process.cwd(), run });
  },
};
