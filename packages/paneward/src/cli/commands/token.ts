import { PanewardError, type Scope, scopes } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { forEachId } from "../for-each-id.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";

export const tokenCommands: readonly Command[] = [
  {
    name: "token create",
    operations: ["token_create"],
    summary: "create a token for HTTP; it is shown only once",
    page: "http.md#who-may-do-what",
    options: [
      ["--scope <scope>", `what it may do: ${scopes.join(" < ")}`],
      ["--name <name>", "what it is for"],
    ],
    examples: ["paneward token create --scope read --name dashboard", "paneward token create --scope send --json"],
    run: create,
  },
  {
    name: "token list",
    operations: ["token_list"],
    summary: "tokens with scope and last use",
    examples: ["paneward token list"],
    run: list,
  },
  {
    name: "token revoke",
    operations: ["token_revoke"],
    summary: "revoke tokens immediately",
    details: "By id or by name.",
    takes: "<id...>",
    examples: ["paneward token revoke k3"],
    run: revoke,
  },
];

async function create({ client, options, out }: Call): Promise<undefined> {
  const scope = scopeOf(options.text("scope"));
  const answer = await client.token_create(given({ scope, name: options.text("name") }));
  if (options.flag("json")) return void out.json(answer);
  out.line(answer.token);
  out.note(`token ${answer.id} (${answer.name}) has the scope ${answer.scope}; it is not shown again`);
  out.note("use it as PANEWARD_TOKEN, or in the header `authorization: Bearer …`");
}

function scopeOf(text: string | undefined): Scope {
  const scope = scopes.find((one) => one === text);
  if (scope) return scope;
  const message = text === undefined ? "a token needs a scope" : `unknown scope "${text}"`;
  throw new PanewardError("bad_input", message, { hint: `--scope is one of ${scopes.join(", ")}` });
}

async function list({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.token_list({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.tokens.length === 0) return void out.note("no tokens");
  const now = Date.now();
  printTable(out, answer.tokens, [
    { title: "ID", of: ({ id }) => id },
    { title: "NAME", of: ({ name }) => name, cut: true },
    { title: "SCOPE", of: ({ scope }) => scope },
    { title: "AGE", of: ({ createdAt }) => ageOf(createdAt, now), right: true },
    {
      title: "USED",
      of: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : ageOf(lastUsedAt, now)),
      right: true,
    },
  ]);
}

function revoke(call: Call): Promise<number> {
  const { client, options, out } = call;
  return forEachId(call, async (id) => {
    const answer = await client.token_revoke({ id });
    if (options.flag("json")) out.json(answer);
    else out.line(`${answer.revoked} revoked`);
  });
}
