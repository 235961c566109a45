// The daemon's own test support; one place that knows where it lies.
export { startDaemon, type TestDaemon } from "../../../paneward/test/support/daemon.ts";
export type { Cleanup } from "../../../paneward/test/support/folder.ts";
export { makeRepository, scriptedAgent } from "../../../paneward/test/support/repository.ts";
export { scriptedAgent as scriptedProgram } from "../../../paneward/test/support/scripted-agent.ts";
export { until } from "../../../paneward/test/support/until.ts";
