/** What a caller may do; each scope includes the ones before it. */
export const scopes = ["read", "send", "approve", "admin"] as const;

export type Scope = (typeof scopes)[number];

export function allows(has: Scope, needed: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needed);
}
