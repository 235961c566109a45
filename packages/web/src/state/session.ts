import { allows, type Scope } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { createValue, useValue } from "./value.ts";

/** The scope of this browser; undefined until the daemon has answered. */
export const scope = createValue<Scope | undefined>(undefined);

export async function askWhoIAm(): Promise<void> {
  const answer = await client.whoami({});
  scope.set(answer.scope);
}

/** Whether to show a button that needs this scope. */
export function useMay(needed: Scope): boolean {
  const has = useValue(scope);
  return has !== undefined && allows(has, needed);
}
