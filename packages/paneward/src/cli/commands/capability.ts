import { errorTable, nearest, type Output, PanewardError } from "@paneward/sdk";
import {
  type ActionParameter,
  type CapabilityAction,
  type CapabilityActionName,
  callText,
  capabilityActionNames,
  capabilityActions,
  hostParameter,
} from "@paneward/sdk/reference";
import type { Call, Command } from "../command.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";
import { readStdin } from "../prompt.ts";

export const capabilityCommands: readonly Command[] = [
  {
    name: "capability",
    operations: ["capability"],
    summary: "the capability tmux for language models: XML calls in, JSON out",
    takes: "[xml]",
    options: [
      ["--list", "list the actions"],
      ["--describe <action>", "show an action's parameters and an example"],
    ],
    examples: [
      `paneward capability '${callText("send", { command: "make" })}'`,
      "paneward capability - < answer-of-a-model.txt",
      "paneward capability --describe read",
    ],
    run: capability,
  },
];

async function capability(call: Call): Promise<number | undefined> {
  const { args, options, out, client } = call;
  const described = options.text("describe");
  if (described !== undefined) return describe(call, actionNamed(described));
  if (options.flag("list")) return list(call);
  const [written] = args;
  if (written === undefined) {
    throw new PanewardError("bad_input", "no call given", {
      hint: `give one, or - for stdin: paneward capability '${callText("list")}'`,
    });
  }
  const text = written === "-" ? await readStdin() : written;
  const { results, failed } = await client.capability({ text }).catch(asResult);
  if (options.flag("json")) out.json({ results });
  else for (const result of results) out.json(result);
  return failed === undefined ? 0 : errorTable[failed].exitCode;
}

// A model reads results, also of a daemon that cannot be reached.
function asResult(error: unknown): Output<"capability"> {
  if (!(error instanceof PanewardError)) throw error;
  const { message, hint, code } = error;
  return { results: [{ success: false, error: message, suggestion: hint }], failed: code };
}

function list({ options, out }: Call): undefined {
  const rows = capabilityActionNames.map((name) => ({ name, ...actionOf(name) }));
  if (options.flag("json")) return void out.json({ actions: rows });
  printTable(out, rows, [
    { title: "ACTION", of: ({ name }) => name },
    { title: "DESCRIPTION", of: ({ what }) => what },
    { title: "PARAMETERS", of: ({ parameters }) => Object.keys(parameters).join(" "), cut: true },
  ]);
}

function describe({ options, out }: Call, name: CapabilityActionName): undefined {
  const action = actionOf(name);
  const parameters = { ...action.parameters, host: hostParameter };
  if (options.flag("json")) return void out.json({ name, ...action, parameters });
  out.line(`${name}: ${action.what}`);
  out.line("");
  printTable(out, Object.entries<ActionParameter>(parameters), [
    { title: "PARAMETER", of: ([parameter]) => parameter },
    { title: "TYPE", of: ([, one]) => (one.kind === "choice" ? one.choices.join("|") : one.kind) },
    { title: "DEFAULT", of: ([, one]) => (one.required ? "required" : String(given(one).default ?? one.usual ?? "")) },
    { title: "DESCRIPTION", of: ([, { what }]) => what, cut: true },
  ]);
  out.line("");
  out.line(callText(name, action.example));
}

function actionNamed(written: string): CapabilityActionName {
  const found = capabilityActionNames.find((name) => name === written);
  if (found) return found;
  const meant = nearest(written, capabilityActionNames);
  throw new PanewardError("bad_input", `unknown action ${written}`, {
    hint: meant ? `did you mean ${meant}?` : `actions: ${capabilityActionNames.join(", ")}`,
  });
}

function actionOf(name: CapabilityActionName): CapabilityAction {
  return capabilityActions[name];
}
