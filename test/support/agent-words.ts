import type { Source } from "./layers.ts";

/** A place where an agent's word may stand: a file or folder, only on some of its lines if it says so. */
export interface Exclusion {
  readonly path: string;
  readonly line?: RegExp;
  readonly why: string;
}

/** Every line of code outside of the agents' folder that names an agent or speaks as only some agents do. */
export function agentWords(
  sources: readonly Source[],
  names: readonly string[],
  exclusions: readonly Exclusion[],
): readonly string[] {
  const words = wordsOf(names);
  return sources
    .filter(({ path }) => !path.startsWith(agentsFolder) || isShared(path))
    .flatMap(({ path, text }) =>
      withoutComments(text)
        .split("\n")
        .flatMap((line, at) => {
          const isExcluded = exclusions.some((one) => path.startsWith(one.path) && (one.line?.test(line) ?? true));
          const word = isExcluded ? undefined : words(path).exec(line)?.[0];
          return word === undefined ? [] : [`${path}:${at + 1}: ${word}`];
        }),
    );
}

const agentsFolder = "packages/paneward/src/agents/";

// What agents share lies directly in `agents/` or in `agents/screen/`; the registry is the one list of names.
function isShared(path: string): boolean {
  const inside = path.slice(agentsFolder.length);
  return inside !== "built-in.ts" && (!inside.includes("/") || inside.startsWith("screen/"));
}

/** Hooks' events and tools: what several agents share is read directly in `agents/`. */
const events =
  "AskUserQuestion|ExitPlanMode|PermissionRequest|UserPromptSubmit|SessionStart|SessionEnd|(?:Pre|Post)ToolUse|(?:Before|After)(?:Agent|Tool)\\b";
const others =
  "\\\\\\[[Pp]aste|[Pp]asted (?:[Tt]ext|[Cc]ontent|~)|task-notification|system-reminder|CLAUDE_|CODEX_|GEMINI_";

function wordsOf(names: readonly string[]): (path: string) => RegExp {
  // `pi` and `shell` are also words of their own: only the whole string is the agent.
  const plain = names.filter((name) => ["pi", "shell"].includes(name)).join("|");
  const telling = names.filter((name) => !["pi", "shell"].includes(name)).map((name) => `${name}`);
  const named = `["'\`](?:${plain})["'\`]|${telling.map(anyCase).join("|")}`;
  const outside = new RegExp(`${named}|${events}|${others}`);
  const shared = new RegExp(`${named}|${others}`);
  return (path) => (path.startsWith(agentsFolder) ? shared : outside);
}

function anyCase(name: string): string {
  return name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Code as it is, with comments taken out and lines left where they were. */
export function withoutComments(text: string): string {
  const parts = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/.*/g;
  return text.replace(parts, (part: string, literal: string | undefined) => literal ?? part.replace(/[^\n]/g, ""));
}
