import { opencode } from "./agents/opencode.ts";
import { provedOn } from "./suite.ts";
import { wordsOf } from "./words-of.ts";

provedOn(opencode, wordsOf.opencode);
