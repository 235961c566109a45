import { channelTable } from "@paneward/sdk/config";
import type { Outcome } from "../../model/notify/message.ts";
import type { ChannelKind } from "../channel.ts";
import { toOuterTerminal } from "./outer-terminal.ts";

/**
 * A line in the status line of every tmux client that is attached to Paneward's own server, wherever it looks, and a
 * notification of the terminal around it.
 */
export const terminal: ChannelKind = {
  traits: {
    kind: "terminal",
    text: channelTable.terminal.text,
    limits: { title: 120, body: 200, label: 0, buttons: 0 },
    later: "nothing",
    idempotent: false,
  },
  async send({ title, body }, _to, { run, show, tmuxSocket }): Promise<Outcome> {
    const tmux = (words: readonly string[], input?: string) =>
      run(["tmux", "-S", tmuxSocket, ...words], { limitMs, ...(input === undefined ? {} : { input }) });
    const fields = ["control_mode", "tty", "termname", "termtype"].map((name) => `#{client_${name}}`).join(" ");
    const listed = await tmux(["list-clients", "-F", fields]);
    if (listed.kind !== "ended") return { kind: "refused", said: "tmux cannot be asked" };
    const clients = listed.stdout.split("\n").filter((client) => client.startsWith("0 /"));
    if (listed.code !== 0 || clients.length === 0) return { kind: "refused", said: "nobody is attached", nobody: true };
    const [line = ""] = body.split("\n");
    const text = [title, line].filter((part) => part !== "").join(": ");
    const shown = await Promise.all(
      clients.map((client) => {
        const [, tty = "", name = "", ...type] = client.split(" ");
        const sequence = toOuterTerminal(name, type.join(" "), { title, line });
        if (sequence !== undefined) show(tty, sequence);
        // Not as arguments, which other users of the machine can read.
        return tmux(
          ["source-file", "-"],
          `display-message -c ${quoted(tty)} -d ${shownMs} -- ${quoted(literal(text))}\n`,
        );
      }),
    );
    const isShown = shown.some((one) => one.kind === "ended" && one.code === 0);
    return isShown
      ? { kind: "sent", said: `${clients.length} attached`, delivered: true }
      : { kind: "refused", said: "tmux did not show it" };
  },
};

// tmux 3.4 has -l for this. `#(…)` in a text would run a program, and `%H` would be the hour.
function literal(text: string): string {
  return text.replaceAll("#", "##").replaceAll("%", "%%");
}

/** For tmux's parser, which takes what is between single quotes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

const limitMs = 5_000;
const shownMs = 10_000;
