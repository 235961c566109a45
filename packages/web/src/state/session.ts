import { allows, type Scope } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { createValue, useValue } from "./value.ts";

/** What this browser may do; undefined until the daemon has said so. */
export const scope = createValue<Scope | undefined>(undefined);

export async function askWhoIAm(): Promise<void> {
  const answer = await client.whoami({});
  scope.set(answer.scope);
}

/** Whether a button that needs this right is shown. */
export function useMay(needed: Scope): boolean {
  const has = useValue(scope);
  return has !== undefined && allows(has, needed);
}
