import { codex } from "./agents/codex.ts";
import { provedOn } from "./suite.ts";
import { wordsOf } from "./words-of.ts";

provedOn(codex, wordsOf.codex);
