export {
  type CallOptions,
  type Client,
  type ClientTransport,
  createClient,
  type FollowedEvent,
  type FollowOptions,
  requestOf,
} from "./client.ts";
export type { Config, HostConfig, ReadConfig } from "./config.ts";
export { directHeaders } from "./direct.ts";
export {
  type ErrorBody,
  type ErrorCode,
  type ErrorRow,
  errorFromBody,
  errorTable,
  exitCodes,
  heldExitCode,
  PanewardError,
} from "./errors.ts";
export type { EventData, EventType, Gap, PanewardEvent } from "./events.ts";
export { fetchTransport } from "./fetch.ts";
export { Lines } from "./lines.ts";
export {
  freeName,
  parseSessionName,
  shellVariables,
  slugOf,
  taskBranch,
  taskSessionName,
  terminalSessionName,
} from "./names.ts";
export { nearest } from "./nearest.ts";
export type { ChannelKey, ChannelKindName, ChannelRow } from "./notice-channels.ts";
export { type NoticeKind, noticeKinds, type TextLevel, textLevels, usualKinds } from "./notice-kinds.ts";
export type { ChannelConfig, NotifyRule } from "./notify-config.ts";
export type { BridgeErrorType, CapabilityResult, Condition, Input, Output, Parsed, Waited } from "./operations.ts";
export { ownValue } from "./own-value.ts";
export { type Places, placesOf, type SocketConfig } from "./places.ts";
export {
  type Door,
  doors,
  inQuery,
  type OperationName,
  operationNames,
  pathParameters,
  type Route,
  routes,
} from "./routes.ts";
export { allows, deviceScopes, type Scope, scopeSummaries, scopes } from "./scopes.ts";
export type {
  Agent,
  Delivery,
  End,
  Proposal,
  Question,
  QuestionOption,
  Restore,
  Status,
  Task,
  Terminal,
  Turn,
  Why,
  WorkAmount,
} from "./shapes.ts";
export { parseServerSentEvents, type ServerSentEvent } from "./sse.ts";
export { systemFailure } from "./system-failure.ts";
export { isTeamName, teamRuntimeFile, teamSchemaVersion, teamTmuxSocket } from "./team-names.ts";
export type { InboxEvent, Lease, Team, TeamAgent, TeamTask, TeamWorker, Thread, ThreadMessage } from "./team-shapes.ts";
export { visible, visibleJson } from "./text/visible.ts";
export { wellFormed } from "./well-formed.ts";
