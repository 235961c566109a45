import type { z } from "zod";
import { access } from "./operations/access.ts";
import { agents } from "./operations/agents.ts";
import { bridge } from "./operations/bridge.ts";
import { capability } from "./operations/capability.ts";
import { daemon } from "./operations/daemon.ts";
import { notify } from "./operations/notify.ts";
import { push } from "./operations/push.ts";
import { tasks } from "./operations/tasks.ts";
import { teams } from "./operations/teams.ts";
import { terminals } from "./operations/terminals.ts";
import { trust } from "./operations/trust.ts";
import { waiting } from "./operations/wait.ts";
import { type OperationName, routes } from "./routes.ts";

export type { BridgeErrorType } from "./operations/bridge.ts";
export type { CapabilityResult } from "./operations/capability.ts";
export type { Condition, Waited } from "./operations/wait.ts";

/** Input and output of every operation in `routes`. */
const schemas = {
  ...daemon,
  ...terminals,
  ...tasks,
  ...trust,
  ...agents,
  ...bridge,
  ...waiting,
  ...capability,
  ...access,
  ...teams,
  ...push,
  ...notify,
} as const satisfies Readonly<Record<OperationName, { readonly input: z.ZodObject; readonly output: z.ZodType }>>;

type Schemas = typeof schemas;
export type Input<Name extends OperationName> = z.input<Schemas[Name]["input"]>;
export type Parsed<Name extends OperationName> = z.output<Schemas[Name]["input"]>;
export type Output<Name extends OperationName> = z.output<Schemas[Name]["output"]>;

/** The operation table: routes and schemas together. */
export const operations = Object.fromEntries(
  Object.entries(routes).map(([name, route]) => [name, { name, ...route, ...schemas[name as OperationName] }]),
) as { readonly [Name in OperationName]: (typeof routes)[Name] & Schemas[Name] & { readonly name: Name } };
