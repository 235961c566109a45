import { allows, PanewardError, type Scope } from "@paneward/sdk";

/** Throws unless this scope may approve. `why` is undefined when that is not needed. */
export function requireApproval(scope: Scope, why: string | undefined, done = ""): void {
  if (why === undefined || mayApprove(scope)) return;
  throw new PanewardError("not_allowed", `${why}; this needs the scope approve${done === "" ? "" : `; ${done}`}`, {
    hint: "use a token that may answer: `paneward token create --scope approve`",
  });
}

export function mayApprove(scope: Scope): boolean {
  return allows(scope, "approve");
}
