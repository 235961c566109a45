import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Metrics for Prometheus. */
export interface Metrics {
  request(operation: string, status: number, seconds: number): void;
  streamClients(difference: 1 | -1): void;
  /** The text of a scrape. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsOptions {
  readonly lastEvent: () => number;
  /** More gauges by name: `terminals_running` is exported as `paneward_terminals_running`. */
  readonly gauges: () => Readonly<Record<string, number>>;
}

export function createMetrics({ lastEvent, gauges }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // The default of 10 ms would wake an idle daemon a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 });
  const requests = new Counter({
    name: "paneward_http_requests_total",
    help: "Requests by operation and status",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "paneward_http_request_duration_seconds",
    help: "Time from a request to its answer",
    labelNames: ["operation"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60],
    registers,
  });
  const clients = gauge("event_stream_clients", "Open event streams");
  const events = gauge("last_event", "The number of the newest event");
  function gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `paneward_${name}`, help, registers });
  }
  const more = new Map<string, Gauge>();
  // Finding the child of some labels costs more than counting; operations and statuses are few.
  const counted = new Map<string, Counter.Internal>();
  const timed = new Map<string, Histogram.Internal<"operation">>();
  return {
    request(operation, status, seconds) {
      const key = `${operation} ${status}`;
      const count = counted.get(key) ?? requests.labels({ operation, status: String(status) });
      const time = timed.get(operation) ?? durations.labels({ operation });
      counted.set(key, count);
      timed.set(operation, time);
      count.inc();
      time.observe(seconds);
    },
    streamClients: (difference) => clients.inc(difference),
    text() {
      events.set(lastEvent());
      for (const [name, value] of Object.entries(gauges())) {
        const known = more.get(name) ?? gauge(name, name.replaceAll("_", " "));
        more.set(name, known);
        known.set(value);
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
