import { waits } from "./line.ts";
import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** The prompt of a language, database or debugger: it waits for the next command, not for an answer. */
export function repl(view: View): Prompt | undefined {
  if (view.below.length > 0 || view.cursorPlace === "beneath" || view.cursorPlace === "away") return undefined;
  const found = prompts.find(([pattern]) => pattern.test(view.line));
  if (!found) return undefined;
  const [pattern, name] = found;
  const text = pattern.exec(view.line)?.[0] ?? "";
  const rest = view.line.slice(text.length);
  // Text after the prompt is being typed while the cursor is on it, and runs once it is not.
  if (rest.trim() !== "" && (view.cursorPlace === "unknown" || !/\s$/.test(text))) return undefined;
  const generic = name === generics;
  // Builds and mails also print > followed by text.
  if (rest.trim() !== "" && (generic || name === lone)) return undefined;
  if (generic && !waits(view)) return undefined;
  return { kind: "repl", text: text.trim(), rule: name, confidence: generic || !waits(view) ? "likely" : "sure" };
}

const lone = "a lone >";
const generics = "a word and >";

const prompts: readonly (readonly [RegExp, string])[] = [
  [/^>>>(\s|$)/, "python"],
  [/^\.\.\.(\s{1,5}|$)/, "a continued line"],
  [/^In \[\d+\]:(\s|$)/, "ipython"],
  [/^ {3,12}\.\.\.:(\s|$)/, "ipython, a continued line"],
  [/^(irb|[\w-]{1,30}(?=\())(\([\w:#<>. ]{1,60}\))?(:\d{1,6}){1,2}[>*"'](\s|$)/, "irb"],
  [/^(\[\d+\] )?pry(\([\w:#<>. ]{1,60}\))?[>*](\s|$)/, "pry"],
  [
    /^(mysql|MariaDB \[[^\]]{1,64}\]|sqlite|ghci|scala|julia|jshell|mongosh|ftp|sftp|telnet|gnuplot|cqlsh(:\w{1,60})?|iex|debug|ipdb|pdb|nslookup|lftp|openssl|bun|deno|hive|spark-sql|duckdb|groovy|kotlin|swift|elm|utop|octave:\d+)>(\s|$)/i,
    "a known program and >",
  ],
  [/^ {3,12}(\.\.\.|-|['"`]|\/\*)>(\s|$)/, "sql, a continued line"],
  [/^\w[\w.-]{0,62}[=\-('"*^!@]{1,2}[#>](\s|$)/, "psql"],
  [/^\((gdb|lldb|Pdb|Pdb\+\+|rdb|rdbg|rr|dlv|jdb|byebug|guile)\)(\s|$)/, "a debugger"],
  [/^ {0,4}DB<{1,2}\d+>{1,2}(\s|$)/, "perl's debugger"],
  [/^(redis )?[\w.-]{1,64}:\d{2,5}(\[\d+\])?>(\s|$)/, "redis"],
  [/^[\w.-]{1,64}( \[[^\]]{1,60}\])? [\w-]{1,60}>(\s|$)/, "mongosh"],
  [/^iex(\([\w@.]{1,60}\))?\(?\d{0,6}\)?>(\s|$)/, "iex"],
  [/^\d{1,5}>(\s|$)/, "erlang"],
  [/^php >(\s|$)/, "php"],
  [/^(Prelude|\*?[A-Z][\w.]{1,60})( [A-Z][\w.]{1,60}){0,4}>(\s|$)/, "ghci"],
  [/^user=>(\s|$)/, "clojure"],
  [/^>(\s|$)/, lone],
  [/^[A-Za-z][\w.-]{0,30}>(\s|$)/, generics],
];
