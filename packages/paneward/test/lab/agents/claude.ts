import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LabAgent, program } from "./lab-agent.ts";

const key = "sk-ant-dummy-0123456789abcdefghijklmnop";

export const claude: LabAgent = {
  name: "claude",
  clear: ["C-u"],
  hooks: {},
  ready: /manual mode on|\? for shortcuts/,
  settle({ home, project }) {
    mkdirSync(join(home, ".claude"), { recursive: true });
    const seen = {
      hasCompletedOnboarding: true,
      theme: "dark",
      lastOnboardingVersion: "2.1.325",
      lastReleaseNotesSeen: "2.1.325",
      hasSeenAutoDefaultNotice: true,
      hasSeenAutoDefaultNudge: true,
      officialMarketplaceAutoInstallAttempted: true,
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, allowedTools: [] } },
    };
    writeFileSync(join(home, ".claude.json"), JSON.stringify(seen));
    const settings = { permissions: { defaultMode: "default" } };
    writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify(settings));
  },
  argv: () => [program("claude")],
  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: key,
    DISABLE_TELEMETRY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
};
