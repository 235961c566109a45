import { bellCounter, type Exit, exitOf } from "./formats.ts";
import type { PaneId, SessionId, WindowId } from "./names.ts";
import type { Command } from "./quote.ts";

/** One report of a hook. Hints carry a serial number, so reading one twice has no effect. */
export interface Hint {
  readonly serial: number;
  readonly news: News;
}

export type News =
  | { readonly kind: "died"; readonly pane: PaneId; readonly pid: number; readonly exit: Exit | undefined }
  | { readonly kind: "bell"; readonly window: WindowId; readonly bells: number }
  | { readonly kind: "session_opened"; readonly session: SessionId; readonly name: string }
  | { readonly kind: "session_closed"; readonly session: SessionId }
  | { readonly kind: "window_opened" | "window_closed"; readonly window: WindowId };

/** Read once when watching starts: hints up to this serial are old. */
export const serialOption = "@paneward_serial";
export const wakeChannel = "paneward_wake";
const queueOption = "@paneward_queue";
const inFlightOption = "@paneward_in_flight";
const maxQueueLength = 65_536;

/** The hooks. Each appends a hint to a server option and signals the wake channel. */
export function hookCommands(): readonly Command[] {
  return [
    hook("pane-died", "died #{pane_id} #{pane_pid} s=#{pane_dead_status} k=#{pane_dead_signal}"),
    hook("alert-bell", `bell #{window_id} #{${bellCounter}}`, countBell),
    hook("session-created", "session_opened #{session_id} #{session_name}"),
    hook("session-closed", "session_closed #{hook_session}"),
    hook("window-linked", "window_opened #{hook_window}"),
    hook("window-unlinked", "window_closed #{hook_window}"),
  ];
}

/**
 * Reads the hints. They stay queued until the next read confirms that they arrived, so an answer lost with its
 * connection loses no hint.
 */
export function readingCommands(arrived: boolean): readonly Command[] {
  return [
    ...(arrived ? [["set-option", "-g", inFlightOption, ""]] : []),
    ["set-option", "-agF", inFlightOption, `#{${queueOption}}`],
    ["set-option", "-g", queueOption, ""],
    ["show-options", "-gqv", inFlightOption],
  ];
}

/**
 * Waits for the next hint. The last command is answered when the channel fires, and must be harmless: a client that
 * lingers on a remote host after its end may still run it.
 */
export const waitingCommands: readonly Command[] = [
  ["wait-for", wakeChannel],
  ["display-message", "-p", "woke"],
];

export function parseHints(queue: string): readonly Hint[] {
  return queue.split(";").flatMap((entry) => {
    const [serial, kind = "", ...words] = entry.trim().split(" ");
    const news = parseNews(kind, words);
    return news ? [{ serial: Number(serial), news }] : [];
  });
}

function parseNews(kind: string, words: readonly string[]): News | undefined {
  const [first = "", second = "", third = "", fourth = ""] = words;
  switch (kind) {
    case "died":
      return {
        kind,
        pane: first as PaneId,
        pid: Number(second),
        exit: exitOf(third.replace("s=", ""), fourth.replace("k=", "")),
      };
    case "bell":
      return { kind, window: first as WindowId, bells: Number(second) || 0 };
    case "session_opened":
      return { kind, session: first as SessionId, name: words.slice(1).join(" ") };
    case "session_closed":
      return { kind, session: first as SessionId };
    case "window_opened":
    case "window_closed":
      return { kind, window: first as WindowId };
    default:
      return undefined;
  }
}

const countBell = `set-option -wF ${bellCounter} '#{e|+|:0#{${bellCounter}},1}' ; `;
const countHint = `set-option -gF ${serialOption} '#{e|+|:0#{${serialOption}},1}' ; `;

// Index 99 leaves room for other hooks. The queue is bounded because it may stay unread for days; the listing finds
// what does not fit.
function hook(name: string, text: string, before = ""): Command {
  const room = `#{e|<|:#{n:${queueOption}},${maxQueueLength}}`;
  const append = `set-option -agF ${queueOption} '#{${serialOption}} ${text};'`;
  const wake = `wait-for -S ${wakeChannel}`;
  return ["set-hook", "-g", `${name}[99]`, `${before}${countHint}if-shell -F '${room}' "${append}" ; ${wake}`];
}
