import { gemini } from "./agents/gemini.ts";
import { provedOn } from "./suite.ts";
import { wordsOf } from "./words-of.ts";

provedOn(gemini, wordsOf.gemini);
