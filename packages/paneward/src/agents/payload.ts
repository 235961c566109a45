import type { HookPayload } from "./agent.ts";

/** A field of a payload that another program wrote; undefined when it is missing or of another type. */
export function textIn(payload: HookPayload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === "string" ? value : undefined;
}

export function objectIn(payload: HookPayload, name: string): HookPayload {
  const value = payload[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as HookPayload) : {};
}

export function listIn(payload: HookPayload, name: string): readonly HookPayload[] {
  const value = payload[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
