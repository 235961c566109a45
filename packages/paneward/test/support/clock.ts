/** The machine's own clock, for tests beside sources that may not import adapters. */
export { systemClock } from "../../src/system/clock.ts";
