// The daemon's own test support; the only file that knows its path.
export { panewardInTerminal } from "../../../paneward/test/cli/support/terminal.ts";
export { browserSubscription, pushService, signedBy } from "../../../paneward/test/notify/support/push-service.ts";
export { killTmux, startDaemon, type TestDaemon } from "../../../paneward/test/support/daemon.ts";
export type { Cleanup } from "../../../paneward/test/support/folder.ts";
export { hostileWords } from "../../../paneward/test/support/hostile-names.ts";
export {
  documentedSite,
  makeAuthority,
  type ProxyKind,
  pinOf,
  proxyKinds,
  reservedPort,
  startProxy,
} from "../../../paneward/test/support/proxies.ts";
export { makeRepository, scriptedAgent } from "../../../paneward/test/support/repository.ts";
export { scriptedAgent as scriptedProgram } from "../../../paneward/test/support/scripted-agent.ts";
export { until } from "../../../paneward/test/support/until.ts";
