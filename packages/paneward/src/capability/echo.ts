/**
 * What was typed comes back: a terminal shows it at once, and a shell that was busy shows it again when it reads it. A
 * line of what was typed, alone or behind a prompt, is taken for such an echo; of each line only the first two.
 */
export function withoutEcho(text: string, command: string): string {
  const typed = typedLines(command);
  const lines = text.split("\n");
  const last = lines.length - 1;
  const seen = new Map<string, number>();
  return lines
    .map((line, at) => {
      const echo = typed.find((one) => isEchoOf(line, one)) ?? (at === last ? typed.find(beginsIn(line)) : undefined);
      if (echo === undefined || (seen.get(echo) ?? 0) >= mostEchoes) return line;
      seen.set(echo, (seen.get(echo) ?? 0) + 1);
      return "";
    })
    .join("\n");
}

/** Has a shell taken the command and shown its prompt again? Then something else than the echo stands in the last line. */
export function promptIsBack(text: string, command: string): boolean {
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const isEcho = typedLines(command).some((one) => isEchoOf(last, one) || beginsIn(last)(one));
  return text.includes("\n") && last.trim() !== "" && !isEcho;
}

const mostEchoes = 2;

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

// The echo is on its way: the line ends with the beginning of what was typed.
function beginsIn(line: string): (typed: string) => boolean {
  return (typed) => {
    for (let at = line.indexOf(typed.charAt(0)); at >= 0; at = line.indexOf(typed.charAt(0), at + 1)) {
      if (isPrompt(line.slice(0, at)) && typed.startsWith(line.slice(at))) return true;
    }
    return false;
  };
}

// Nothing, or something that ends as prompts do: `tools` is no echo of `ls`.
function isPrompt(text: string): boolean {
  return text === "" || /[\s$#%>:❯➜»λ)\]]$/u.test(text);
}
