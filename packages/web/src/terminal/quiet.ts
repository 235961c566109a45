import type { Terminal } from "@xterm/xterm";

/** A program's questions to its terminal are answered by tmux. A page that answers too would type into the program. */
export function keepQuiet({ parser }: Terminal): void {
  const swallow = () => true;
  const asked = [
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
  for (const id of asked) parser.registerCsiHandler(id, swallow);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow);
  for (const colour of [4, 10, 11, 12]) parser.registerOscHandler(colour, (data) => data.includes("?"));
  // The clipboard is the person's.
  parser.registerOscHandler(52, swallow);
}

/** Whether this came from somebody's hand, and not from the emulator telling that it has the focus. */
export function isTyped(data: string): boolean {
  return data !== "\u001b[I" && data !== "\u001b[O";
}
