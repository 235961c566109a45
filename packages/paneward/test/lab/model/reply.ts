/** What the scripted model answers. Its script stands in the prompt, so a test reads from top to bottom in one place. */
export interface Reply {
  readonly text: string;
  /** Streams for so many seconds first. */
  readonly slow?: number;
  readonly tool?: { readonly name: string; readonly input: unknown };
  /** Calls the tool twice at once, in the same words. */
  readonly twice?: boolean;
  readonly error?: { readonly status: number; readonly message: string };
}

/**
 * The first line of a prompt that begins with one of these words decides:
 * `RUN: COMMAND`, `TWICE: COMMAND`, `TOOL: NAME {JSON}`, `SLOW SECONDS`, `ERR STATUS MESSAGE`, `LONG LINES`, `PROSE`. Anything else is echoed.
 */
export function replyTo(prompt: string, tools: readonly string[]): Reply {
  const [, word, rest] = /^\s*(RUN:|TWICE:|TOOL:|SLOW|ERR|LONG|PROSE)\s*([\s\S]*)$/m.exec(prompt) ?? [];
  const said = rest ?? "";
  if (word === "RUN:" || word === "TWICE:") {
    const tool = shellCall(tools, said.split("\n", 1).join("").trim());
    return { text: "Running it.", tool, twice: word === "TWICE:" };
  }
  if (word === "TOOL:") return { text: "Calling it.", tool: toolCall(said) };
  if (word === "SLOW") return { text: "It is done.", slow: Number.parseInt(said, 10) };
  if (word === "ERR") return { text: "", error: errorOf(said) };
  if (word === "LONG") return { text: linesOf(Number.parseInt(said, 10)) };
  if (word === "PROSE") return { text: prose };
  // Half of a character would be no JSON for some agents, which ask again.
  return { text: `You said: ${[...prompt].slice(0, 60).join("")}` };
}

export function replyToResult(result: string): Reply {
  return { text: `It gave: ${result.replaceAll(/\s+/g, " ").slice(0, 120)}` };
}

const shells: Readonly<Record<string, (command: string) => unknown>> = {
  Bash: (command) => ({ command, description: "Runs it" }),
  bash: (command) => ({ command, description: "Runs it" }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["sh", "-c", command] }),
  run_shell_command: (command) => ({ command, description: "Runs it" }),
};

function shellCall(tools: readonly string[], command: string): { readonly name: string; readonly input: unknown } {
  const name = Object.keys(shells).find((one) => tools.includes(one)) ?? "bash";
  return { name, input: shells[name]?.(command) };
}

function toolCall(said: string): { readonly name: string; readonly input: unknown } {
  const [, name = "", json = "{}"] = /^(\S+)\s+(\{[\s\S]*\})/.exec(said) ?? [];
  return { name, input: JSON.parse(json) };
}

function errorOf(said: string): { readonly status: number; readonly message: string } {
  const [, status = "500", message = ""] = /^(\d+)\s*(.*)/.exec(said) ?? [];
  return { status: Number(status), message: message || "scripted error" };
}

function linesOf(count: number): string {
  return Array.from({ length: count }, (_, index) => `- line ${index + 1} of the report`).join("\n");
}

const prose = `The installer used to ask "Continue? [y/N]" here. What I would do:

1. Yes, keep the question
2. No, remove it and say so in the changelog
3. Ask the team

Do you want to proceed? is the text in the old script. Press Enter to continue was removed.
3 tests confirm that it works (y/n was the old form). Allow once, Allow always and Reject are its buttons.`;
