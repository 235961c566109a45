import type { Outcome } from "../model/notify/message.ts";
import type { Answered } from "./channel.ts";

/** What an answer over HTTP means for an attempt; `undefined` for 2xx, which each channel reads itself. */
export function failureOf(answered: Answered, now: number): Exclude<Outcome, { readonly kind: "sent" }> | undefined {
  if (answered.kind === "unusable") return { kind: "refused", said: answered.reason };
  if (answered.kind === "unreached") return { kind: "later", said: `could not be reached: ${answered.reason}` };
  if (answered.kind === "lost") return { kind: "unknown", said: answered.reason };
  const { status, header } = answered;
  if (status >= 200 && status < 300) return undefined;
  const said = `answered with ${status}${wordsIn(answered.text)}`;
  if (status === 429 || status === 503) return { kind: "later", said, ...pause(header("retry-after"), now) };
  if (status === 404 || status === 410) return { kind: "refused", said, gone: true };
  // It may have been taken behind a gateway that gave up.
  if (status >= 500 || status === 408) return { kind: "unknown", said };
  return { kind: "refused", said };
}

/** The same for services that say nothing but their status. */
export function failureOfStatus(answered: Answered, now: number): ReturnType<typeof failureOf> {
  const { status = 0 } = answered.kind === "lost" ? answered : {};
  return status >= 200 && status < 300 ? undefined : failureOf(answered, now);
}

/** `Retry-After`: seconds, or a date. */
function pause(header: string | undefined, now: number): { readonly afterMs?: number } {
  if (header === undefined) return {};
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms >= 0 ? { afterMs: ms } : {};
}

/** What a service says went wrong, where it says so in JSON or in a line of text. */
function wordsIn(text: string): string {
  const found = describe(parsed(text)) ?? (/^[^<{\n][^\n]{0,200}$/.test(text.trim()) ? text.trim() : undefined);
  return found === undefined ? "" : `: ${found.slice(0, 200)}`;
}

function describe(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  for (const name of ["description", "error", "message", "errors"]) {
    const value: unknown = Reflect.get(body, name);
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join("; ");
  }
  return undefined;
}

/** The JSON in an answer; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Something answered that is not the service: a portal, a proxy, another program. It may have passed the notice on. */
export function strange(service: string): Outcome {
  return { kind: "unknown", said: `what answered is not ${service}` };
}
