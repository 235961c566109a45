export { type Captured, type CaptureOptions, capture, capturedText, captureScreen, truncationMark } from "./capture.ts";
export { type ClientRow, listClients } from "./clients.ts";
export {
  checkHealth,
  foreground,
  type Health,
  type HealthLevel,
  type Process,
  paneProcesses,
  paneProgram,
  processTrees,
} from "./health.ts";
export { askHost, type HostFacts } from "./host-facts.ts";
export { type SendTextOptions, type Sent, sendKeys, sendRaw, sendText } from "./input.ts";
export {
  followJournal,
  isJournalLost,
  type Journal,
  type JournalChunk,
  type JournalOptions,
  journalEnd,
  listSegments,
  makeJournalAgain,
  openJournal,
  pipeAgainInto,
  pipeInto,
  readJournal,
} from "./journal.ts";
export { journalExit, journalTimes } from "./journal-tail.ts";
export { listeningTo } from "./listening.ts";
export { lookAt, type PaneLook } from "./look.ts";
export { killPane, paneDetails, paneOption, resizePane, setPaneOption, setPaneTitle, snapshot } from "./pane.ts";
export { type Picture, pictureOf } from "./picture.ts";
export { formatCursor, type JournalCursor, parseCursor } from "./protocol/cursor.ts";
export { type Delivered, TmuxError, type TmuxErrorType } from "./protocol/errors.ts";
export type { Exit, PaneDetails, PaneRow } from "./protocol/formats.ts";
export { checkKey, type KeyName } from "./protocol/keys.ts";
export type { TmuxEvent } from "./protocol/ledger.ts";
export type { Listening } from "./protocol/listening.ts";
export {
  type PaneId,
  paneId,
  type SessionId,
  type SessionName,
  sessionName,
  sessionNameFrom,
  type WindowId,
  windowId,
  windowName,
} from "./protocol/names.ts";
export type { Command, Sequence } from "./protocol/quote.ts";
export type { TmuxVersion } from "./protocol/version.ts";
export {
  isSameServer,
  keeperSession,
  killServer,
  openForeignServer,
  openPrivateServer,
  type PrivateServerOptions,
  type Server,
  type ServerIdentity,
  socketPathFrom,
} from "./server.ts";
export { killSession, listSessions, renameSession, type SessionRow } from "./session.ts";
export type { Launcher } from "./start-server.ts";
export {
  type OpenedPane,
  openSession,
  openWindow,
  type ProgramSpec,
  respawnPane,
  type Size,
  splitPane,
} from "./terminal.ts";
export type { Files } from "./transport/files.ts";
export type { Host } from "./transport/host.ts";
export type { LinkStatus } from "./transport/link.ts";
export type { RunOptions } from "./transport/transport.ts";
export { Watcher, type WatchOptions, watchServer } from "./watch.ts";
export {
  killWindow,
  listWindows,
  redrawPane,
  renameWindow,
  resizeWindow,
  selectLayout,
  selectWindow,
  synchronizePanes,
  type WindowRow,
} from "./window.ts";
