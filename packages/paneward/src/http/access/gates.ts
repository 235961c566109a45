import { PanewardError } from "@paneward/sdk";
import type { HttpContext } from "../env.ts";
import type { Admit } from "./admission.ts";
import type { RequestFacts } from "./authenticate.ts";
import type { Limits } from "./limits.ts";
import type { OpenConnections } from "./open-connections.ts";

type Next = () => Promise<void>;

/** Refuses a request whose caller is not admitted. */
export function admitted(admit: Admit): (c: HttpContext, next: Next) => Promise<void> {
  return async (c, next) => {
    const found = admit(factsOf(c));
    if (!found.caller) {
      if (found.pause !== undefined) c.header("retry-after", String(found.pause));
      throw found.refused;
    }
    c.set("caller", found.caller);
    await next();
  };
}

/** A request that waits for its answer, or reads one that goes on, ends with the rights of its caller. */
export function whileAllowed(
  connections: OpenConnections,
  isAllowed: (c: HttpContext) => boolean,
): (c: HttpContext, next: Next) => Promise<void> {
  return async (c, next) => {
    const { outgoing, onOver, via } = c.env;
    if (outgoing && onOver && via.kind === "tcp") {
      const end = () => void (outgoing.writableEnded || outgoing.destroy());
      onOver(connections.add({ isAllowed: () => isAllowed(c), end }));
    }
    await next();
  };
}

/** Bodies are kept in memory until they are parsed: one caller cannot send many long ones at the same time. */
export function fewLongBodies({ maxLongBodies }: Limits): (c: HttpContext, next: Next) => Promise<void> {
  const underWay = new Map<string, number>();
  const change = (who: string, difference: 1 | -1) => {
    const count = (underWay.get(who) ?? 0) + difference;
    if (count > 0) underWay.set(who, count);
    else underWay.delete(who);
  };
  return async (c, next) => {
    const { incoming, via } = c.env;
    if (!incoming || via.kind !== "tcp" || !isLong(c)) return next();
    const { who } = c.get("caller");
    if ((underWay.get(who) ?? 0) >= maxLongBodies) {
      throw new PanewardError("rate_limited", `more than ${maxLongBodies} long bodies of this caller at the same time`);
    }
    change(who, 1);
    incoming.once("close", () => change(who, -1));
    await next();
  };
}

const longBody = 262_144;

function isLong(c: HttpContext): boolean {
  const length = c.req.header("content-length");
  return length === undefined ? c.req.header("transfer-encoding") !== undefined : Number(length) > longBody;
}

export function factsOf(c: HttpContext): RequestFacts {
  return { via: c.env.via, header: (name) => c.req.header(name) };
}
