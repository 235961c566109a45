import type { HttpContext } from "../env.ts";
import type { Admit } from "./admission.ts";
import type { RequestFacts } from "./authenticate.ts";
import type { OpenConnections } from "./open-connections.ts";
import { type GiveBack, longText, type Shares } from "./shares.ts";

/** Refuses a request whose caller is not admitted. */
export function requireAdmitted(c: HttpContext, admit: Admit): void {
  const found = admit(factsOf(c));
  if (!found.caller) {
    if (found.pause !== undefined) c.header("retry-after", String(found.pause));
    throw found.refused;
  }
  c.set("caller", found.caller);
}

/** A request that waits for its answer, or still reads one, ends with the rights of its caller. */
export function endWithRights(
  c: HttpContext,
  connections: OpenConnections,
  isAllowed: (c: HttpContext) => boolean,
): void {
  const { outgoing, onOver, via } = c.env;
  if (!outgoing || !onOver || via.kind !== "tcp") return;
  const end = () => void (outgoing.writableEnded || outgoing.destroy());
  onOver(connections.add({ isAllowed: () => isAllowed(c), end }));
}

/** A caller that leaves too much unfinished gets no more: not its requests, and not their long bodies. */
export function takeShares(c: Pick<HttpContext, "env" | "req">, shares: Shares, who: string): void {
  const { incoming, onOver, via } = c.env;
  if (!incoming || !onOver || via.kind !== "tcp") return;
  onOver(shares.request(who));
  if (isLong(c)) incoming.once("close", shares.longBody(who));
}

/** A response of this text. A long one needs a share, unless one is reserved, until the caller has taken it. */
export function answerText(c: HttpContext, shares: Shares, text: string, reserved?: GiveBack): string {
  const { onOver, via } = c.env;
  if (onOver && via.kind === "tcp" && text.length > longText) {
    onOver(reserved ?? shares.longAnswer(c.get("caller").who));
  } else reserved?.();
  return text;
}

function isLong({ req }: Pick<HttpContext, "req">): boolean {
  const length = req.header("content-length");
  return length === undefined ? req.header("transfer-encoding") !== undefined : Number(length) > longText;
}

export function factsOf(c: HttpContext): RequestFacts {
  return { via: c.env.via, header: (name) => c.req.header(name) };
}
