import { type OperationName, operationNames, PanewardError } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { Hono } from "hono";
import type { Access } from "../runtime/access/access.ts";
import type { Caller, Handlers } from "../runtime/calls.ts";
import type { TapAnswer } from "../runtime/notify/taps.ts";
import type { Log, Store, WallClock } from "../runtime/ports.ts";
import type { TeamService } from "../runtime/team/team.ts";
import { createAdmission } from "./access/admission.ts";
import { createAudit } from "./access/audit.ts";
import type { Authenticate, RequestFacts } from "./access/authenticate.ts";
import { endWithRights, factsOf, requireAdmitted, takeShares } from "./access/gates.ts";
import { defaultLimits, type Limits, type SteadyClock } from "./access/limits.ts";
import { createMetrics, type Metrics } from "./access/metrics.ts";
import { createOpenConnections, type OpenConnections } from "./access/open-connections.ts";
import { createShares } from "./access/shares.ts";
import { createSites, type SitesOptions } from "./access/sites.ts";
import { limitStrangers } from "./access/strangers.ts";
import { createTurns } from "./access/turns.ts";
import { callsProtocol, createCallLinks } from "./calls/call-links.ts";
import { mountAccess } from "./doors/access-routes.ts";
import { type Mount, mountRoute } from "./doors/mount.ts";
import { openApiDocument } from "./doors/openapi.ts";
import { staticPaths, staticRoute } from "./doors/static-files.ts";
import { tapRoute } from "./doors/tap-route.ts";
import type { HttpContext, HttpEnv } from "./env.ts";
import { createEventFeed } from "./events/event-feed.ts";
import { eventsRoute } from "./events/events-route.ts";
import { eventsSocket } from "./events/events-socket.ts";
import { answerFailure, noSuchRoute } from "./operations/answer.ts";
import { createInsideCalls } from "./operations/inside-call.ts";
import { operationRoute } from "./operations/operation-route.ts";
import { createPerform, type Perform } from "./operations/perform.ts";
import { createUpgrades, noUpgrade, type SocketRoute, type Upgrades } from "./sockets/upgrades.ts";
import { teamDoor } from "./team/team-door.ts";

export interface HttpAppOptions {
  readonly handlers: Handlers;
  readonly store: Pick<Store, "onEvents" | "events" | "eventRange" | "keep" | "settled">;
  readonly authenticate: Authenticate;
  readonly version: string;
  readonly clock: WallClock & SteadyClock;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
  /** Doors at a path of their own. */
  readonly mounts?: readonly Mount[];
  /** The folder that the dashboard was built into. */
  readonly web?: string;
  /** Browsers that may log in, and how this daemon proves itself to a client. */
  readonly access?: Access;
  readonly sockets?: readonly SocketRoute[];
  /** Under which addresses it answers on TCP, beside the one it listens on. */
  readonly sites?: SitesOptions;
  /** Answers for a button of a notice, by its capability. */
  readonly tap?: (capability: string) => Promise<TapAnswer>;
  /** Serves /v1. */
  readonly team?: TeamService;
  /** Numbers for /metrics, such as how many terminals there are. */
  readonly gauges?: () => Readonly<Record<string, number>>;
}

export interface HttpApp {
  readonly hono: Hono<HttpEnv>;
  /** Answers requests for a WebSocket or a call link. */
  readonly upgrade: Upgrades["handle"];
  /** What callers have open, and lose with their rights. */
  readonly connections: OpenConnections;
  /** Logs what a listener could not do. */
  report(what: string, error: unknown): void;
  /** Ends every event stream, WebSocket and call link; called when the daemon stops. */
  endStreams(): void;
}

/** A route for every operation, and those for health, events, metrics, logins, doors and the OpenAPI document. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { handlers, store, clock, log, version } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const feed = createEventFeed(store);
  const gauges = () => ({ ...options.gauges?.(), ...upgrades.gauges(), ...links.gauges() });
  const metrics = createMetrics({ lastEvent: feed.newest, gauges });
  const audit = createAudit(store, clock, log);
  const hono = new Hono<HttpEnv>();
  const connections = createOpenConnections();
  const shares = createShares(limits);
  const sites = createSites(options.sites ?? { origins: [], funnel: false });
  const takeTurn = createTurns();

  const common = Object.entries({
    "x-paneward-version": version,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  hono.use(async (c, next) => {
    // Node's own headers cost a tenth of those of a `Response`.
    const { outgoing } = c.env;
    for (const [name, value] of common) outgoing ? outgoing.setHeader(name, value) : c.header(name, value);
    await measured(c, metrics, next);
  });
  hono.use(async (c, next) => {
    const facts = factsOf(c);
    const page = options.web === undefined ? undefined : sites.redirect(facts, c.req.method, c.req.path);
    if (page !== undefined) return c.redirect(page, 307);
    const refused = sites.refusalOf(facts);
    if (refused) throw refused;
    c.set("site", sites.of(facts));
    await next();
    // A proxy would keep events until it has a few kilobytes of them; this header keeps nginx from it.
    if (c.res.headers.get("content-type") === "text/event-stream") c.header("x-accel-buffering", "no");
    return undefined;
  });
  hono.get(
    "/healthz",
    named("healthz", (c) => c.json({ status: "ok", version })),
  );
  if (options.team) hono.route("/v1", teamDoor(options.team, { limits, shares, clock, log, takeTurn }));
  if (options.web !== undefined) {
    for (const path of staticPaths) hono.get(path, named("dashboard", staticRoute(options.web)));
  }
  const isKnown = (facts: RequestFacts) => !(options.authenticate(facts) instanceof PanewardError);
  const isAllowed = (c: HttpContext) => isKnown(factsOf(c));
  const admit = createAdmission(options.authenticate, limits, clock);
  if (options.tap) hono.post("/tap", named("tap", limitStrangers(tapLimits, clock, tapRoute(options.tap))));
  if (options.access) {
    mountAccess(hono, { ...options.access, store, clock, review: connections.review }, named);
  }
  hono.use(async (c, next) => {
    requireAdmitted(c, admit);
    endWithRights(c, connections, isAllowed);
    takeShares(c, shares, c.get("caller").who);
    const turn = takeTurn(c.env.incoming?.socket ?? c);
    if (turn) await turn;
    await next();
  });

  hono.get(
    "/api/openapi.json",
    named(
      "openapi",
      once(() => openApiDocument(version)),
    ),
  );
  hono.get(
    "/metrics",
    named("metrics", async (c) => c.body(await metrics.text(), 200, { "content-type": metrics.contentType })),
  );
  hono.get(
    "/api/events/stream",
    named("events_stream", eventsRoute({ feed, limits, onClients: metrics.streamClients })),
  );
  const perform = reviewing(createPerform({ handlers, audit }), connections);
  for (const name of operationNames) {
    const { method, path } = operations[name];
    hono.on(method, path.replace(/\{(\w+)\}/g, ":$1"), named(name, operationRoute(name, perform, limits, shares)));
  }
  const callsOf = createInsideCalls({ perform, limits, metrics, log });
  const onRevokedOf = (c: HttpContext) => (end: () => void) => connections.add({ isAllowed: () => isAllowed(c), end });
  for (const mount of options.mounts ?? [])
    hono.all(mount.path, named(mount.door, mountRoute(mount, hono, callsOf, onRevokedOf)));
  // A page that could say so ends it by itself.
  const gone = (viewer: string, caller: Caller) =>
    void handlers.presence({ viewer, sees: [], seconds: 0 }, caller).catch(() => undefined);
  const routes = [eventsSocket(feed, limits, gone), ...(options.sockets ?? [])];
  const isForSockets = ({ req }: HttpContext) => req.method === "GET" && routes.some(({ path }) => path.test(req.path));
  hono.notFound((c) => answerFailure(c, isForSockets(c) ? noUpgrade() : noSuchRoute(c), log));
  hono.onError((error, c) => answerFailure(c, error, log));
  const { heartbeatMs } = limits;
  const { authenticate } = options;
  const upgrades = createUpgrades({ admit, authenticate, sites, routes, heartbeatMs, connections, log });
  const links = createCallLinks({
    admit,
    sites,
    perform,
    limits,
    shares,
    metrics,
    connections,
    isAllowed: isKnown,
    version,
    log,
    takeTurn,
  });
  const endStreams = () => {
    feed.close();
    upgrades.close();
    links.close();
  };
  const upgrade: HttpApp["upgrade"] = (via, request, ...connection) => {
    const isLink = request.headers.upgrade?.toLowerCase() === callsProtocol;
    (isLink ? links : upgrades).handle(via, request, ...connection);
  };
  const report: HttpApp["report"] = (what, error) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    log.error(what, { message, stack });
  };
  return { hono, upgrade, connections, report, endStreams };
}

// A capability has 192 random bits; people press a few buttons in a minute.
const tapLimits = { perSecond: 5, burst: 50 };

const revoking: readonly OperationName[] = ["login_revoke", "token_revoke"];

type Handler = (c: HttpContext) => Response | Promise<Response>;
type Next = () => Promise<void>;

/** Ends what a login or token has open as soon as it is revoked; the answer to the revocation is written before. */
function reviewing(perform: Perform, connections: OpenConnections): Perform {
  return async (name, input, caller) => {
    const output = await perform(name, input, caller);
    if (revoking.includes(name)) setImmediate(connections.review);
    return output;
  };
}

async function measured(c: HttpContext, metrics: Metrics, next: Next): Promise<void> {
  const began = performance.now();
  await next();
  metrics.request(c.get("operation") ?? "none", c.res.status, (performance.now() - began) / 1_000);
}

function named(operation: string, answer: Handler): Handler {
  return (c) => {
    c.set("operation", operation);
    return answer(c);
  };
}

function once(document: () => object): Handler {
  let made: object | undefined;
  return (c) => {
    made ??= document();
    return c.json(made);
  };
}
