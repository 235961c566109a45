/** Everything that `paneward init` and `paneward completion --install` do, apart from asking and printing. */
export { completionBacks, completionStep } from "./completion-step.ts";
export { differences } from "./differences.ts";
export { makeOffer } from "./make.ts";
export { allSteps, stepsFor } from "./steps.ts";
export { lookAround } from "./surroundings.ts";
export { planUndo, undo } from "./undo.ts";
export { readUserConfig } from "./user-config.ts";
