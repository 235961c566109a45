import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LabAgent, program } from "./lab-agent.ts";

export const opencode: LabAgent = {
  name: "opencode",
  clear: ["C-u"],
  ready: /Ask anything|ctrl\+p/,
  settle({ home, model }) {
    const folder = join(home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    // It would fetch this at its first start, and hang on a blank screen where it cannot.
    const fetched = dirname(dirname(program("opencode-plugin")));
    cpSync(fetched, join(folder, "node_modules"), { recursive: true });
    const own = { dependencies: { "@opencode-ai/plugin": "1.18.33" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(own));
    const config = {
      autoupdate: false,
      share: "disabled",
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      permission: { bash: "ask", edit: "ask", webfetch: "ask" },
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "Scripted",
          options: { baseURL: `${model}/v1`, apiKey: "dummy" },
          models: { scripted: { name: "Scripted", limit: { context: 128_000, output: 8_000 } } },
        },
      },
    };
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(config));
  },
  argv: () => [program("opencode")],
  // The daemon of a test has a folder of its own for configuration; the agent looks where `settle` wrote.
  env: ({ home }) => ({
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  }),
};
