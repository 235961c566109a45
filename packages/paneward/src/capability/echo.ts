/**
 * Typed text is echoed: by the terminal at once, and again by a busy shell when it reads it. A line equal to a typed
 * line, alone or after a prompt, counts as such an echo; for each typed line only the first two.
 */
export function withoutEcho(text: string, command: string): string {
  const typed = typedLines(command);
  const lines = text.split("\n");
  const last = lines.length - 1;
  const seen = new Map<string, number>();
  return lines
    .map((line, at) => {
      const echo = typed.find((one) => isEchoOf(line, one)) ?? (at === last ? typed.find(beginsIn(line)) : undefined);
      if (echo === undefined || (seen.get(echo) ?? 0) >= maxEchoes) return line;
      seen.set(echo, (seen.get(echo) ?? 0) + 1);
      return "";
    })
    .join("\n");
}

/** Whether the shell shows its prompt again: then the last line is neither empty nor the echo. */
export function promptIsBack(text: string, command: string): boolean {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const isEcho = typedLines(command).some((one) => isEchoOf(last, one) || beginsIn(last)(one));
  return text.includes("\n") && last.trim() !== "" && !isEcho;
}

const maxEchoes = 2;

function typedLines(command: string): readonly string[] {
  return command
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function isEchoOf(line: string, typed: string): boolean {
  const shown = line.trimEnd();
  return shown.endsWith(typed) && isPrompt(shown.slice(0, -typed.length));
}

// An incomplete echo: the line ends with the beginning of a typed line.
function beginsIn(line: string): (typed: string) => boolean {
  return (typed) => {
    for (let at = line.indexOf(typed.charAt(0)); at >= 0; at = line.indexOf(typed.charAt(0), at + 1)) {
      if (isPrompt(line.slice(0, at)) && typed.startsWith(line.slice(at))) return true;
    }
    return false;
  };
}

// Empty, or ends like a prompt: `tools` is not an echo of `ls`.
function isPrompt(text: string): boolean {
  return text === "" || /[\s$#%>:❯➜»λ)\]]$/u.test(text);
}
