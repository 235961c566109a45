import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LabAgent, program } from "./lab-agent.ts";

export const pi: LabAgent = {
  name: "pi",
  clear: ["C-u"],
  ready: /scripted/,
  settle({ home, model }) {
    const folder = join(home, ".pi", "agent");
    mkdirSync(join(folder, "extensions"), { recursive: true });
    writeFileSync(join(folder, "extensions", "asks.ts"), asking);
    const scripted = {
      id: "scripted",
      name: "Scripted",
      reasoning: false,
      input: ["text"],
      contextWindow: 128_000,
      maxTokens: 4_096,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    };
    const provider = { baseUrl: `${model}/v1`, api: "openai-completions", apiKey: "dummy", models: [scripted] };
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
    const settings = {
      defaultProvider: "scripted",
      defaultModel: "scripted",
      defaultThinkingLevel: "off",
      defaultProjectTrust: "always",
      enableInstallTelemetry: false,
      quietStartup: true,
      retry: { enabled: false },
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  },
  argv: () => [program("pi")],
  env: () => ({ PI_OFFLINE: "1" }),
};

// An extension that asks in pi's own three ways, and notes what it was given.
const asking = `import { appendFileSync } from "node:fs";
export default function (pi) {
  const asks = {
    "ask-color": (ui) => ui.select("Which color do you like best?", ["Red", "Blue"]),
    "ask-sure": (ui) => ui.confirm("Delete everything?", "It cannot be undone."),
    "ask-name": (ui) => ui.input("What is your name?", "your name"),
  };
  for (const [name, ask] of Object.entries(asks)) {
    const handler = async (_, ctx) => appendFileSync("given", JSON.stringify((await ask(ctx.ui)) ?? null) + "\\n");
    pi.registerCommand(name, { description: "asks", handler });
  }
}
`;
