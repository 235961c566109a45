import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { LabAgent } from "./lab-agent.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

export const labAgents: readonly LabAgent[] = [claude, codex, gemini, opencode, pi];
