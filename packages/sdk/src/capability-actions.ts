import type { ActionParameter, CapabilityAction } from "./capability-call.ts";

const address = {
  kind: "address",
  usual: "0.0",
  what: "the pane, as in 0.1; not given and without 0.0, the first that lives",
} as const;
const windowNumber = {
  kind: "whole",
  min: 0,
  max: 1_000_000,
  usual: "0",
  what: "the window's number; not given and without window 0, the first",
} as const;
const name = { kind: "name", what: "a name of your choice: letters, digits, . _ -" } as const;

/**
 * What the capability `tmux` can do: every action with its parameters. The daemon reads calls by this table, the
 * command line prints it, and the MCP tool and docs/capability.md are made from it.
 */
export const capabilityActions = {
  init: {
    what: "Create the session with pane 0.0, unless they exist",
    data: "`session`, `windows`, `active_pane`",
    parameters: {},
    example: {},
  },
  send: {
    what: "Type a command and press Enter; does not wait for its end",
    data: "`pane`, `command`, `sent_at`",
    parameters: {
      pane: address,
      command: { kind: "text", maxLength: 65_536, required: true, what: "the command; may also be the tag's body" },
      clear: { kind: "flag", default: false, what: "clear the pane first" },
    },
    body: "command",
    example: { pane: "0.0", command: "npm test" },
  },
  read: {
    what: "Read a pane's output",
    data: "`pane`, `output`, `lines_captured`, `cursor_position`, `has_more`",
    parameters: {
      pane: address,
      lines: { kind: "whole", min: 1, max: 100_000, default: 100, what: "maximum number of lines" },
      all: { kind: "flag", default: false, what: "the whole scrollback; a later since starts after it" },
      since: { kind: "flag", default: false, what: "only output since your last read of this pane" },
    },
    example: { pane: "0.0", lines: "50" },
  },
  split: {
    what: "Open a new pane beside or below the active one",
    data: "`pane`, `window`, `title`, `cwd`",
    parameters: {
      window: windowNumber,
      direction: {
        kind: "choice",
        choices: ["horizontal", "vertical"],
        required: true,
        what: "horizontal puts the new pane on the right, vertical below",
      },
      title: { kind: "line", maxLength: 200, what: "what the pane is for" },
      cwd: { kind: "path", what: "the folder it starts in; by default that of the pane being split" },
    },
    example: { window: "0", direction: "vertical" },
  },
  list: {
    what: "All windows and panes, and what runs in them",
    data: "`session`, `windows` with `panes`: `id`, `title`, `cwd`, `active`, `running`",
    parameters: {},
    example: {},
  },
  kill: {
    what: "End a pane, or a window with all its panes; never the last one",
    data: "`killed`, `type`",
    parameters: {
      pane: { kind: "address", what: "the pane, as in 0.1" },
      window: { kind: "whole", min: 0, max: 1_000_000, what: "the window's number" },
    },
    example: { pane: "0.1" },
  },
  window: {
    what: "Open a new window with one pane",
    data: "`window`, `name`, `pane`",
    parameters: {
      name: { kind: "line", maxLength: 100, what: "the window's name" },
      cwd: { kind: "path", what: "the folder it starts in" },
    },
    example: { name: "experiments" },
  },
  wait: {
    what: "Wait until the running command ends, a text appears, or the pane is silent",
    data: "`pane`, `reason`, `running`, `waited_seconds`, and `match` or `exit_code`",
    parameters: {
      pane: address,
      pattern: {
        kind: "text",
        maxLength: 500,
        what: "a regular expression to wait for in the output since the last send",
      },
      idle: { kind: "seconds", max: 600, what: "wait for this many seconds without output" },
      timeout: { kind: "seconds", max: 600, default: 25, what: "give up after this many seconds" },
    },
    example: { pane: "0.0", pattern: "passed|failed", timeout: "60" },
  },
  record: {
    what: "Record a pane as an asciicast file that asciinema plays",
    data: "`pane`, `recording`, `file`, and `seconds`, `events`",
    parameters: { pane: address, mode: mode("start", "stop"), name },
    example: { pane: "0.0", mode: "start" },
  },
  sync: {
    what: "Switch typing into all panes of a window at once on or off",
    data: "`window`, `synchronized`, `panes`",
    parameters: { window: windowNumber, mode: mode("on", "off") },
    example: { window: "0", mode: "on" },
  },
  layout: {
    what: "Save and restore a window's layout",
    data: "`window`, `name`, `panes`",
    parameters: {
      window: windowNumber,
      mode: mode("save", "restore"),
      name: {
        ...name,
        required: true,
        what: "a name of your choice; restore also takes tiled, even-horizontal and the like",
      },
    },
    example: { window: "0", mode: "save", name: "main" },
  },
  snapshot: {
    what: "Save and restore the whole session (windows, layouts, titles, folders, running commands)",
    data: "`name`, `windows`, `panes`",
    parameters: { mode: mode("save", "restore"), name: { ...name, default: "default" } },
    example: { mode: "save", name: "evening" },
  },
} as const satisfies Readonly<Record<string, CapabilityAction>>;

/** Accepted by every action. */
export const hostParameter = { kind: "name", what: "the host, if not the configured one" } as const;

export type CapabilityActionName = keyof typeof capabilityActions;

export const capabilityActionNames = Object.keys(capabilityActions) as readonly CapabilityActionName[];

function mode<const Choices extends readonly string[]>(...choices: Choices) {
  return { kind: "choice", choices, required: true, what: choices.join(" or ") } as const satisfies ActionParameter;
}
