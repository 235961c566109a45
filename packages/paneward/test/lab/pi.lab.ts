import { pi } from "./agents/pi.ts";
import { provedOn } from "./suite.ts";

// pi asks for no leave.
provedOn(pi, { run: () => "", clear: ["C-u"] });
