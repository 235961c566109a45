import { allows } from "@paneward/sdk";
import type { Logins } from "../access/logins.ts";
import type { Addresses } from "./channels.ts";

/** The browsers that asked for notices. An address ends with its login; a browser that may only read gets no buttons. */
export function pushAddresses(logins: Pick<Logins, "list" | "push">): Addresses {
  return {
    of(kind) {
      if (kind !== "web_push") return undefined;
      return logins
        .list()
        .flatMap(({ id, scope, push }) => (push ? [{ id, address: push, mayAnswer: allows(scope, "approve") }] : []));
    },
    gone(kind, id) {
      if (kind === "web_push") logins.push({ id }, undefined);
    },
  };
}
