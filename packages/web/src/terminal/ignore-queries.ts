import type { Terminal } from "@xterm/xterm";

/** tmux answers a program's queries to its terminal. If the page answered too, that would be typed into the program. */
export function ignoreQueries({ parser }: Terminal): void {
  const swallow = () => true;
  const queries = [
    { final: "c" },
    { prefix: ">", final: "c" },
    { prefix: "=", final: "c" },
    { final: "n" },
    { prefix: "?", final: "n" },
    { intermediates: "$", final: "p" },
    { prefix: "?", intermediates: "$", final: "p" },
    { prefix: ">", final: "q" },
    { final: "t" },
  ];
  for (const id of queries) parser.registerCsiHandler(id, swallow);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow);
  for (const colour of [4, 10, 11, 12]) parser.registerOscHandler(colour, (data) => data.includes("?"));
  // Programs must not access the clipboard.
  parser.registerOscHandler(52, swallow);
}

/** Whether a person typed this, as opposed to a focus report of the emulator. */
export function isTyped(data: string): boolean {
  return data !== "\u001b[I" && data !== "\u001b[O";
}
