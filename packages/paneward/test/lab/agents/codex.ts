import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LabAgent, program } from "./lab-agent.ts";

export const codex: LabAgent = {
  name: "codex",
  // A second C-c would end it.
  clear: ["C-u"],
  hooks: { asks: { text: /^Hooks need review/, option: 2 } },
  ready: /^\s*›/m,
  settle({ home, project, model }) {
    mkdirSync(join(home, ".codex"), { recursive: true });
    const config = `
model = "gpt-scripted"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "on-request"
sandbox_mode = "read-only"
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[projects."${project}"]
trust_level = "trusted"
`;
    writeFileSync(join(home, ".codex", "config.toml"), config);
  },
  argv: () => [program("codex"), "--no-daemon"],
  env: () => ({ SCRIPTED_KEY: "dummy" }),
};
