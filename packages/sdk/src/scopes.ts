/** What a caller may do; each scope includes the ones before it. */
export const scopes = ["read", "send", "approve", "admin"] as const;

export type Scope = (typeof scopes)[number];

/** What each scope adds to the ones before it. */
export const scopeSummaries: Readonly<Record<Scope, string>> = {
  read: "look: lists, output, screens, events, waits",
  send: "type, start, stop, make and remove tasks",
  approve: "answer what an agent asks, also by keys into its dialog, and merge",
  admin: "tokens, browsers that are logged in, the audit, stopping the daemon",
};

export function allows(has: Scope, needed: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needed);
}
