import { deviceScopes, type Output, PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { askPerson } from "../look/exit.ts";
import { qrLines } from "../look/qr.ts";
import { given } from "../options.ts";
import { isInteractive } from "../prompt.ts";

export const pairCommands: readonly Command[] = [
  {
    name: "pair",
    operations: ["pair_start", "pair_wait", "pair_confirm", "pair_refuse"],
    summary: "let a phone or another machine read and answer, after you confirm it here",
    details:
      "Prints a QR code and a short code, each valid once and for three minutes. The device that used it shows a number; " +
      "type it here, and the device is paired.",
    page: "devices.md",
    options: [
      ["--name <name>", "what to call the device (default: what it calls itself)"],
      ["--scope <scope>", `what it may do: ${deviceScopes.join(" < ")} (default: approve)`],
      ["--origin <origin>", "where it is opened (default: the first of `origins` under [web] in config.toml)"],
    ],
    json: false,
    examples: ["paneward pair", 'paneward pair --name "Ada\'s phone"', "paneward pair --scope read"],
    run: pair,
  },
];

type Pairing = Output<"pair_wait">;

async function pair(call: Call): Promise<undefined> {
  await pairDevice(call);
}

/** Pairs one device with the person at the terminal, and returns its login. */
export async function pairDevice(call: Call): Promise<string> {
  const { client, options, progress, out } = call;
  if (!isInteractive()) {
    throw new PanewardError("bad_input", "pairing needs a terminal (TTY), where you type the number of the device", {
      hint: "run it in a terminal; over ssh: ssh -t HOST paneward pair",
    });
  }
  const scope = scopeOf(options.text("scope"));
  const started = await client.pair_start(given({ scope, name: options.text("name"), origin: options.text("origin") }));
  introduce(call, started);
  const { id } = started;
  progress.say("waiting for the device");
  for (let now: Pairing = { state: "open" }; ; ) {
    if (now.state === "asked") now = await confirmed(call, id, now);
    if (now.state === "paired" && now.login) {
      const { id: login, name } = now.login;
      out.line(`${name} is paired: login ${login}, scope ${now.login.scope}`);
      out.note(`\`paneward login list\` shows it, \`paneward login revoke ${login}\` ends it`);
      return login;
    }
    if (now.state === "over") {
      throw new PanewardError("wrong_state", `nothing was paired: ${now.why ?? "it is over"}`, {
        hint: "begin again: `paneward pair`",
      });
    }
    const { state } = now;
    now = await progress.during(() => client.pair_wait({ id, seen: state }));
    if (now.state === "code_is_off" && state !== now.state)
      out.note("somebody guesses codes: the short code is off now, the QR code and the link work");
    if (now.state === "confirmed") progress.say("waiting for the passkey that the device makes");
  }
}

function introduce({ out, env }: Call, { url, code, passkey }: Output<"pair_start">): void {
  const { origin } = new URL(url);
  const qr = qrLines(url, out.columns, env);
  out.line(qr ? "Scan the code below with the device, or open the link there:" : "Open this on the device:");
  out.line(`  ${url}`);
  out.line(`Or open ${origin}/#/pair there, and type ${code}`);
  out.line(`Valid once, for 3 minutes.${passkey ? " The device then makes a passkey." : ""}`);
  if (origin.startsWith("http:")) {
    out.note(
      "only this machine can open that address; a phone needs an https address: `origins` under [web], docs/remote.md",
    );
  }
  // Last: a terminal of 24 lines has room for it, and not for all of this.
  for (const line of qr ?? []) out.line(line);
}

/** The person types the number of the device; nothing refuses it. */
async function confirmed({ client, out, progress }: Call, id: string, asked: Pairing): Promise<Pairing> {
  progress.clear();
  out.line(`${asked.device ?? "A device"}, from ${asked.address ?? "an unknown address"}, asks to be paired.`);
  for (;;) {
    const number = (await askPerson("The number that your own device shows (none: refuse): ")).trim();
    if (number === "") return client.pair_refuse({ id });
    try {
      return await client.pair_confirm({ id, number });
    } catch (error) {
      if (!(error instanceof PanewardError)) throw error;
      if (error.code === "wrong_state") return client.pair_wait({ id });
      if (error.code !== "bad_input") throw error;
      out.note(`${error.message}; ${error.hint}`);
    }
  }
}

function scopeOf(text: string | undefined): (typeof deviceScopes)[number] | undefined {
  const scope = deviceScopes.find((one) => one === text);
  if (scope || text === undefined) return scope;
  throw new PanewardError("bad_input", `a device cannot have the scope "${text}"`, {
    hint: `--scope is one of ${deviceScopes.join(", ")}`,
  });
}
