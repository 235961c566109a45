import { type OperationName, type Output, type Parsed, routes } from "@paneward/sdk";
import type { Caller } from "../../runtime/calls.ts";
import type { Log } from "../../runtime/ports.ts";
import { bodyLimit, type Limits, tooLarge } from "../access/limits.ts";
import type { Metrics } from "../access/metrics.ts";
import { failureOf, statusFor } from "./answer.ts";
import { isQueued, type Perform, requireScope } from "./perform.ts";

/** Calls an operation from another door of this process. That door has parsed the input. */
export type InsideCall = <Name extends OperationName>(
  name: Name,
  input: Parsed<Name>,
  signal?: AbortSignal,
) => Promise<Output<Name>>;

export interface InsideCallOptions {
  readonly perform: Perform;
  readonly limits: Limits;
  readonly metrics: Pick<Metrics, "request">;
  readonly log: Log;
}

/** The same scope, limit, audit, metrics and failures as for a request, without one being written and read. */
export function createInsideCalls({
  perform,
  limits,
  metrics,
  log,
}: InsideCallOptions): (caller: Caller) => InsideCall {
  return (caller) =>
    async <Name extends OperationName>(name: Name, input: Parsed<Name>, signal?: AbortSignal) => {
      const began = performance.now();
      const measure = (status: number) => metrics.request(name, status, (performance.now() - began) / 1_000);
      try {
        requireScope(caller, name);
        const maxBytes = bodyLimit(limits, name);
        if (Buffer.byteLength(JSON.stringify(input)) > maxBytes) throw tooLarge(maxBytes);
        const output = await perform(name, input, signal === undefined ? caller : { ...caller, signal });
        measure(isQueued(name, output) ? 202 : 200);
        return output as Output<Name>;
      } catch (error) {
        const failure = failureOf(routes[name], error, log);
        measure(statusFor(routes[name], failure));
        throw failure;
      }
    };
}
