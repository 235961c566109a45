/** What a caller may do; each scope includes the ones before it. */
export const scopes = ["read", "send", "approve", "admin"] as const;

/** What a paired device may have: it cannot let others in. */
export const deviceScopes = ["read", "send", "approve"] as const;

export type Scope = (typeof scopes)[number];

/** What each scope adds to the ones before it. */
export const scopeSummaries: Readonly<Record<Scope, string>> = {
  read: "list, read output and screens, follow events, wait",
  send: "type, start and stop programs, create and remove tasks",
  approve: "answer questions, press keys in an agent's dialog, merge",
  admin: "manage tokens and logins, read the audit, stop the daemon",
};

export function allows(has: Scope, needed: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needed);
}
