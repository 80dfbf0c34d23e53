import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of a process, to be added to those of others. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[]

let ofProcess: Metric[] | undefined

/** CPU, memory, garbage collection and event loop. Made once, because they measure all the time and can't be stopped. */
function processMetrics(): Metric[] {
  if (ofProcess) return ofProcess
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  ofProcess = registry.getMetricsAsArray().flatMap(({ name }) => registry.getSingleMetric(name) ?? [])
  return ofProcess
}

export function createMetrics() {
  const registry = new Registry()
  for (const metric of processMetrics()) registry.registerMetric(metric)
  const registers = [registry]
  function counter(name: string, help: string, labelNames: string[]) {
    const created = new Counter({ name, help, labelNames, registers })
    return (values: string[], by = 1): void => created.labels(...values).inc(by)
  }
  const http = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const authentication = counter('parley_authentications_total', 'Credentials checked, by kind and outcome', [
    'kind',
    'outcome',
  ])
  const identity = new Histogram({
    name: 'parley_identity_call_duration_seconds',
    help: 'Duration of calls to the identity store, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  return {
    registry,
    httpRequest: (method: string, route: string, status: number, seconds: number): void =>
      http.labels(method, route, String(status)).observe(seconds),
    /** The outcome for a credential: `accepted`, `rejected`, `unavailable`. */
    authentication: (kind: 'jwt' | 'static' | 'none', outcome: string): void =>
      authentication([kind, outcome]),
    /** A call to the identity store: `ok`, `refused`, `unavailable`. */
    identityCall: (outcome: string, seconds: number): void => identity.observe({ outcome }, seconds),
    /** `read` is called at each scrape. `max`: a value that is the same in all processes, so it is not added up. */
    gauge: (
      name: string,
      help: string,
      read: () => number | Promise<number>,
      aggregator: 'sum' | 'max' = 'sum',
    ): void =>
      void new Gauge({
        name,
        help,
        aggregator,
        registers,
        async collect() {
          this.set(await read())
        },
      }),
    counter,
    histogram: (name: string, help: string, buckets: number[]) => {
      const histogram = new Histogram({ name, help, buckets, registers })
      return (value: number): void => histogram.observe(value)
    },
  }
}

/** The sums of counters and histograms of several processes. Gauges are left out, because they describe the present. */
export function addCounters(snapshots: MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const counters = snapshots.map((snapshot) =>
    snapshot.filter(({ type }) => ['counter', 'histogram'].includes(String(type))),
  )
  return AggregatorRegistry.aggregate(counters).getMetricsAsJSON()
}

/** Serves Prometheus text on a separate port, which can stay private. `others`: the metrics of processes that share the work. */
export async function serveMetrics(
  { registry }: Metrics,
  host: string,
  port: number,
  others: () => Promise<MetricsSnapshot[]> = async () => [],
): Promise<Server> {
  const read = async (): Promise<string> => {
    const snapshots = await others()
    if (snapshots.length === 0) return registry.metrics()
    return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...snapshots]).metrics()
  }
  const server = createServer((request, response) => {
    const known = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    if (!known) return void response.writeHead(404).end()
    read().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
