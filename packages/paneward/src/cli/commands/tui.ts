import { runProgram } from "../child.ts";
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
    const { runTui } = await import("../../tui/tui.ts");
    const { client, running, isHere } = connection;
    const address = connection.isLocal ? undefined : connection.address;
    return runTui({ client, running, address, isHere, env, folder: process.cwd(), run: runProgram });
  },
};
