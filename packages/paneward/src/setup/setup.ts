/** Everything that `paneward init`, `completion --install` and `service install` do, apart from asking and printing. */
export { completionBacks, completionStep } from "./completion-step.ts";
export { differences } from "./differences.ts";
export { makeOffer } from "./make.ts";
export { serviceStep, serviceStepName, unrecordedService } from "./service-step.ts";
export { allSteps, stepsFor } from "./steps.ts";
export { lookAround } from "./surroundings.ts";
export { planUndo, undo } from "./undo.ts";
export { readUserConfig } from "./user-config.ts";
