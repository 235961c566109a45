import type { ScreenCursor } from "@paneward/sdk/prompt";
import type { TaskSnapshot } from "./snapshot.ts";

/** One line of the listing. */
export interface Row extends Omit<TaskSnapshot, "outputPreview" | "prompt"> {
  readonly paneId: string;
  readonly server: string;
  readonly cursor: ScreenCursor;
  readonly historySize: number;
  readonly size: string;
}

// A folder or a command line may contain a tab or a newline, which would break the row.
const oneLine = (name: string) => `#{s/[\t\n]/ /:${name}}`;

const fields = [
  "#{window_id}",
  "#{pane_id}",
  "#{pid}",
  "#{start_time}",
  "#{pane_pid}",
  "#{pane_dead}",
  "#{pane_dead_status}",
  "#{pane_dead_signal}",
  "#{window_bell_flag}",
  "#{@pi_tmux_task_bell_count}",
  "#{cursor_x}",
  "#{cursor_y}",
  "#{history_size}",
  "#{pane_width}x#{pane_height}",
  oneLine("pane_current_command"),
  oneLine("window_name"),
  oneLine("@pi_task_command"),
  oneLine("@pi_task_cwd"),
];

export const rowFormat = fields.join("\t");

export function rowOf(line: string): Row {
  const parts = line.split("\t");
  const [windowId = "", paneId = "", serverPid, serverStart, pid, dead, status = "", signal = "", bell, bells = ""] =
    parts;
  const [column, row, historySize, size = "", current = "", windowName = "", command = "", cwd = ""] = parts.slice(10);
  return {
    windowId,
    windowName,
    paneId,
    server: `${serverPid}:${serverStart}`,
    pid: Number(pid),
    // tmux 3.3a may miss how a program ended; it is asked again before the exit counts as unknown.
    paneStateKnown: dead !== "1" || status !== "" || signal !== "",
    dead: dead === "1",
    ...(status === "" || signal !== "" ? {} : { exitCode: Number(status) }),
    ...(signal === "" ? {} : { exitSignal: Number(signal) }),
    bell: bell === "1",
    ...(bells === "" ? {} : { bellCount: Number(bells) }),
    cursor: { column: Number(column), row: Number(row) },
    historySize: Number(historySize),
    size,
    ...(current === "" ? {} : { currentCommand: current }),
    ...(command === "" ? {} : { taskCommand: command }),
    ...(cwd === "" ? {} : { taskCwd: cwd }),
  };
}
