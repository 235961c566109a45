/** What the runtime needs from the outside. Adapters implement these, and tests do. */
export type * from "./ports/agent-http.ts";
export type * from "./ports/clock.ts";
export type * from "./ports/config.ts";
export type * from "./ports/growing-files.ts";
export type * from "./ports/identity.ts";
export type * from "./ports/machine.ts";
export type * from "./ports/notices.ts";
export type * from "./ports/pane-input.ts";
export type * from "./ports/push-key.ts";
export type * from "./ports/store.ts";
export type * from "./ports/team-store.ts";
export type * from "./ports/terminals.ts";
export type * from "./ports/web-authn.ts";
export type * from "./ports/workspaces.ts";
export type * from "./ports/worktrees.ts";
