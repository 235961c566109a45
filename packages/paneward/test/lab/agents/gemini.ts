import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LabAgent, program } from "./lab-agent.ts";

export const gemini: LabAgent = {
  name: "gemini",
  // A second C-c would end it.
  clear: ["C-u"],
  hooks: { installed: "gemini" },
  ready: /Type your message/,
  settle({ home }) {
    mkdirSync(join(home, ".gemini"), { recursive: true });
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
  },
  argv: () => [program("gemini")],
  env: ({ model }) => ({ GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: model }),
};
