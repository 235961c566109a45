import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** A shell that waits for the next command. */
export function shell(view: View): Prompt | undefined {
  if (view.cursorPlace === "beneath" || view.cursorPlace === "away" || view.below.length > 0) return undefined;
  // A right-aligned prompt is far behind the cursor.
  const line =
    view.cursorPlace === "inside" && /^ {3,}\S/.test(view.line.slice(view.typed.length)) ? view.typed : view.line;
  const bare = prompts.find((pattern) => pattern.test(line));
  if (bare)
    return {
      kind: "shell",
      text: line.trim(),
      rule: "a shell prompt",
      confidence: view.cursorPlace === "unknown" ? "likely" : "sure",
    };
  const typed = view.cursorPlace === "unknown" ? undefined : draft.exec(line);
  const text = typed?.[1];
  if (text === undefined || !prompts.some((pattern) => pattern.test(text))) return undefined;
  return { kind: "shell", text, rule: "a shell prompt with a command being typed", confidence: "likely" };
}

const draft = /^(.{0,120}?[$#%❯➜»λ>])\s+\S/u;

/** What may precede a prompt: a time, a virtual environment. */
const environment = /(?:\[?\d\d:\d\d(?::\d\d)?\]? )?(?:\([\w.@/ -]{1,40}\) ?)?/.source;

const prompts: readonly RegExp[] = [
  /^(?:[╰└]─{1,3} ?)?[$#%❯➜»λ⟩⇒]$/u,
  // me@host:~/dir$   [me@host dir]#   me@host ~/dir>   me@host dir (main) %
  new RegExp(`^${environment}[\\[(]?[\\w.-]{1,40}@[\\w.-]{1,80}[\\]): ].{0,160}[$#%❯>]$`, "u"),
  new RegExp(`^${environment}[\\w.-]{1,40}@[\\w.-]{1,80}[$#%>]$`, "u"),
  // bash-5.2$   sh-5.1#
  new RegExp(`^${environment}(ba|z|k|da|a|fi|mk)?sh-\\d[\\d.]{0,8}[$#%]$`, "u"),
  // ~/code ❯   /srv $   ~/code main* ❯
  new RegExp(`^${environment}(~|/|\\.{1,2}/)[^\\s<]{0,160}( [^$#%<]{1,60})? ?[$#%❯➜»λ>]$`, "u"),
  // ➜  dir git:(main) ✗
  /^➜ {1,2}\S{1,80}( git:\(\S{1,80}\))?( ✗)?$/u,
  // dir git:(main) $    host:dir me$    host%
  /^[\w.-]{1,60}( (git:)?\([\w./-]{1,80}\))[ *+!?✗]{0,4} ?[$#%❯]$/u,
  /^[A-Za-z][\w.-]{0,60}:[~/\w.-]{1,100}( [\w.-]{1,40})? ?[$#%]$/u,
  /^[A-Za-z][A-Za-z_-]{0,40}[%$#]$/u,
  new RegExp(`^${environment}[A-Za-z][\\w.-]{0,40} [$❯]$`, "u"),
  /^\([\w.-]{1,40}\) ?[$#%❯]$/u,
  /^(PS )?[A-Z]:\\[^>]{0,160}>$/u,
  /^PS \/[^>]{0,160}>$/u,
];
