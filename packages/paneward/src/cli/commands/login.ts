import { PanewardError, type Scope, scopes } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { forEachId } from "../for-each-id.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";

export const loginCommands: readonly Command[] = [
  {
    name: "open",
    operations: ["login_link"],
    summary: "open the dashboard in your browser, logged in",
    details:
      "Without a desktop, or over ssh, it prints a link instead. The link is never an argument of a process, which other " +
      "users could read: the browser gets a file that only you can read, and that leads there once, within a minute.",
    page: "dashboard.md",
    examples: ["paneward open"],
    run: open,
  },
  {
    name: "login link",
    operations: ["login_link"],
    summary: "a link that logs one browser in to the dashboard, once",
    options: [
      ["--scope <scope>", `what the browser may do: ${scopes.join(" < ")} (default: admin)`],
      ["--minutes <n>", "how long the link is valid (default: 10)"],
      ["--origin <origin>", "where it is opened: one of `origins` under [web] in config.toml (default: this machine)"],
    ],
    examples: [
      "paneward login link",
      "paneward login link --scope read --minutes 5",
      "paneward login link --origin https://box.example.org",
    ],
    run: link,
  },
  {
    name: "login list",
    operations: ["login_list"],
    summary: "browsers that are logged in, and devices that are paired",
    examples: ["paneward login list"],
    run: list,
  },
  {
    name: "login revoke",
    operations: ["login_revoke"],
    summary: "log browsers and devices out immediately",
    details: "Their sessions, streams, waits and WebSockets end at once.",
    takes: "<id...>",
    examples: ["paneward login revoke 0a1b2c3d"],
    run: revoke,
  },
  {
    name: "login rename",
    operations: ["login_rename"],
    summary: "give a browser or device another name",
    takes: "<id> <name>",
    examples: ['paneward login rename 0a1b2c3d "Ada\'s phone"'],
    run: rename,
  },
  {
    name: "whoami",
    operations: ["whoami"],
    summary: "your identity and scope at the daemon",
    examples: ["paneward whoami"],
    run: whoami,
  },
];

async function open({ client, options, out, env, connection }: Call): Promise<undefined> {
  const { noBrowserBecause, openBrowser } = await import("../open-browser.ts");
  const { platform } = process;
  const because = connection.isLocal ? noBrowserBecause(env, platform) : "the daemon is elsewhere";
  const opening = because === undefined ? await client.login_link({ minutes: 1 }) : undefined;
  const failed = opening ? await openBrowser(opening.url, connection.places.home, env, platform) : because;
  // A link that nobody saw; one to be copied needs more time.
  const { url } = failed === undefined ? { url: undefined } : await client.login_link({});
  if (options.flag("json")) return void out.json({ opened: failed === undefined, ...given({ url, because: failed }) });
  if (url === undefined)
    return void out.note("opened in your browser; nothing to see? `paneward login link` prints a link");
  out.note(`no browser was opened: ${failed}`);
  out.line(url);
  out.note("valid once, for 10 minutes, on this machine; from another one: docs/remote.md");
}

async function link({ client, options, out }: Call): Promise<undefined> {
  const minutes = options.number("minutes");
  const answer = await client.login_link(
    given({ scope: scopeOf(options.text("scope")), minutes, origin: options.text("origin") }),
  );
  if (options.flag("json")) return void out.json(answer);
  out.line(answer.url);
  out.note(
    `valid once, for ${ageOf(Date.now(), answer.expiresAt + 1_000)}; the browser gets the scope ${answer.scope}`,
  );
}

function scopeOf(text: string | undefined): Scope | undefined {
  const scope = scopes.find((one) => one === text);
  if (scope || text === undefined) return scope;
  throw new PanewardError("bad_input", `unknown scope "${text}"`, {
    hint: `--scope is one of ${scopes.join(", ")}`,
  });
}

async function list({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.login_list({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.logins.length === 0) return void out.note("no browser is logged in");
  const now = Date.now();
  printTable(out, answer.logins, [
    { title: "ID", of: ({ id }) => id },
    { title: "DEVICE", of: ({ name }) => name, cut: true },
    { title: "SCOPE", of: ({ scope }) => scope },
    { title: "BY", of: ({ by }) => by },
    { title: "AT", of: ({ origin }) => origin ?? "", cut: true },
    { title: "PASSKEYS", of: ({ passkeys }) => (passkeys === 0 ? "" : String(passkeys)), right: true },
    { title: "AGE", of: ({ createdAt }) => ageOf(createdAt, now), right: true },
    { title: "USED", of: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : `${ageOf(lastUsedAt, now)} ago`) },
    { title: "FROM", of: ({ lastUsedFrom }) => lastUsedFrom ?? "", spare: true },
  ]);
}

function revoke(call: Call): Promise<number> {
  const { client, options, out } = call;
  return forEachId(call, async (id) => {
    const answer = await client.login_revoke({ id });
    if (options.flag("json")) out.json(answer);
    else out.line(`${answer.revoked} is logged out`);
  });
}

async function rename({ client, args, options, out }: Call): Promise<undefined> {
  const [id = "", name = ""] = args;
  const answer = await client.login_rename({ id, name });
  if (options.flag("json")) return void out.json(answer);
  out.line(`${answer.id} is called ${answer.name}`);
}

async function whoami({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.whoami({});
  if (options.flag("json")) return void out.json(answer);
  out.line(`${answer.who}, scope ${answer.scope}`);
}
