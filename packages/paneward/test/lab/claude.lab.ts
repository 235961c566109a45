import { claude } from "./agents/claude.ts";
import { launchedWithPrompt } from "./checks/launched.ts";
import { provedOn } from "./suite.ts";
import { wordsOf } from "./words-of.ts";

provedOn(claude, wordsOf.claude);

launchedWithPrompt(claude, "RUN: touch made");
