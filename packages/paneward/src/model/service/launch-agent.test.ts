import assert from "node:assert/strict";
import { test } from "node:test";
import sax from "sax";
import { launchAgentText, launchAgentWithoutVariables, readLaunchAgent } from "./launch-agent.ts";

const plan = {
  argv: ["/opt/node & co/bin/node", "/lib/<main>.js", "daemon", "run"],
  env: { PATH: "/usr/bin:/opt/a&b/bin" },
  home: "/Users/me/.local/state/paneward",
  socket: "/Users/me/.local/run/paneward/daemon.sock",
  log: "/Users/me/.local/state/paneward/daemon.log",
  environmentFile: "/Users/me/.config/paneward/environment",
  version: "0.1.0",
};

/** A property list as an object, by a strict parser of XML. */
function parsed(text: string): unknown {
  const parser = sax.parser(true);
  const stack: { readonly tag: string; text: string; readonly values: unknown[] }[] = [
    { tag: "", text: "", values: [] },
  ];
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name }) => stack.push({ tag: name, text: "", values: [] });
  parser.ontext = (piece) => {
    const open = stack.at(-1);
    if (open) open.text += piece;
  };
  parser.onclosetag = () => {
    const closed = stack.pop();
    if (closed) stack.at(-1)?.values.push(readValue(closed));
  };
  parser.write(text).close();
  return stack[0]?.values[0];
}

function readValue({
  tag,
  text,
  values,
}: {
  readonly tag: string;
  readonly text: string;
  readonly values: unknown[];
}): unknown {
  switch (tag) {
    case "key":
    case "string":
      return text;
    case "true":
    case "false":
      return tag === "true";
    case "array":
      return values;
    case "plist":
      return values[0];
    case "dict":
      assert.equal(values.length % 2, 0, "a dict has a value for each key");
      return Object.fromEntries(values.flatMap((key, at) => (at % 2 === 0 ? [[key, values[at + 1]]] : [])));
    default:
      throw new Error(`a property list has no ${tag}`);
  }
}

test("launchd begins it at login, begins it again after a failure only, and leaves its terminals alone", () => {
  const job = parsed(launchAgentText(plan)) as Record<string, unknown>;
  const { EnvironmentVariables: variables, ...rest } = job;
  assert.deepEqual(rest, {
    Label: "paneward",
    ProgramArguments: plan.argv,
    WorkingDirectory: "/",
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    AbandonProcessGroup: true,
    StandardOutPath: plan.log,
    StandardErrorPath: plan.log,
  });
  assert.equal((variables as Record<string, string>).PATH, plan.env.PATH);
});

test("it says what it runs, and another one says nothing", () => {
  const { version, home, socket } = plan;
  assert.deepEqual(readLaunchAgent(launchAgentText(plan)), { version, home, socket, program: plan.argv.join(" ") });
  assert.equal(readLaunchAgent('<plist version="1.0"><dict/></plist>'), undefined);
});

test("it is the same for a shell with another PATH, and another one for another program", () => {
  const same = (other: Partial<typeof plan>) =>
    launchAgentWithoutVariables(launchAgentText({ ...plan, ...other })) ===
    launchAgentWithoutVariables(launchAgentText(plan));
  assert.ok(same({ env: { PATH: "/venv/bin" } }));
  assert.ok(same({ version: "0.2.0" }));
  assert.ok(!same({ argv: ["/other/node", "daemon", "run"] }));
  assert.ok(!same({ log: "/elsewhere" }));
});
