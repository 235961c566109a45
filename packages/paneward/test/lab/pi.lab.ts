import { pi } from "./agents/pi.ts";
import { provedOn } from "./suite.ts";
import { wordsOf } from "./words-of.ts";

provedOn(pi, wordsOf.pi);
