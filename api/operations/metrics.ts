import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** The text that collectors read: all of it, or without what tells strangers of the records and of who writes them. */
  text(all: boolean): Promise<string>
  served(status: number): void
  compiled(file: string, milliseconds: number): void
  task(waited: number): void
  threadDied(): void
  brokenTemplates(count: number): void
  /** What is counted by a label with these values, each 0 until it is met: gives what counts one. */
  counter<V extends string>(name: string, help: string, label: string, values: readonly V[]): (value: V) => void
  /** A figure that is read when it is asked for; in the place of the one of that name, if there is one. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** One such figure for each of several things that come and go. */
  gauges<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    read: () => readonly (Readonly<Record<L, string>> & { readonly value: number })[],
  ): void
}

/**
 * What is measured of the process, whichever services it has or had. Whatever measures it goes on for ever, and holds
 * what it measures for: made for each service, those that are closed would stay in memory, and a clock would tick for each.
 */
let ofProcess: Registry | null = null

function processMetrics(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registries = [processMetrics(), registry]
  const { served, compiles, waits, deaths, broken } = standing(registry)
  // One counter child per status, looked up once: the fast path counts too.
  const children = new Map<number, { inc(): void }>()
  return {
    registry,
    text: async (all) => {
      const told = registries.flatMap((one) => one.getMetricsAsArray().map(({ name }) => ({ name, one })))
      const shown = told.filter(({ name }) => all || !tellsOfRecords(name))
      const texts = await Promise.all(shown.map(({ name, one }) => one.getSingleMetricAsString(name)))
      return `${texts.join('\n\n')}\n`
    },
    served: (status) => {
      let child = children.get(status)
      if (!child) {
        child = served.labels(String(status))
        children.set(status, child)
      }
      child.inc()
    },
    compiled: (file, milliseconds) => compiles.observe({ file: family(file) }, milliseconds / 1000),
    task: (waited) => waits.observe(Math.max(0, waited) / 1000),
    threadDied: () => deaths.inc(),
    brokenTemplates: (count) => broken.set(count),
    counter: (name, help, label, values) => {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
      for (const value of values) counter.labels(value).inc(0)
      return (value) => counter.labels(value).inc()
    },
    gauge: (name, help, read) => {
      registry.removeSingleMetric(name)
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    gauges: (name, help, labels, read) => {
      registry.removeSingleMetric(name)
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        collect() {
          this.reset()
          // prom-client wants to know the names of labels as a type.
          for (const { value, ...named } of read()) this.set(named as never, value)
        },
      })
    },
  }
}

/**
 * A single write moves the first: whoever asks for a password by mail would learn from them that the address is known. The
 * others name files and machines, or say how far these are behind.
 */
const tellsOfRecords = (name: string): boolean =>
  /^edgewright_(revision|remembered_dependencies|failures_total|journal_behind|compile_seconds|upstream_.*|.*pending_.*)$/.test(
    name,
  )

/** The figures that are counted as they come. */
function standing(registry: Registry) {
  const served = new Counter({
    name: 'edgewright_answers_total',
    help: 'Answers by status',
    labelNames: ['status'],
    registers: [registry],
  })
  const compiles = new Histogram({
    name: 'edgewright_compile_seconds',
    help: 'Time in the thread per compiled file',
    labelNames: ['file'],
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const waits = new Histogram({
    name: 'edgewright_pool_wait_seconds',
    help: 'Time a compile task waited for a thread',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const deaths = new Counter({
    name: 'edgewright_thread_deaths_total',
    help: 'Threads that died',
    registers: [registry],
  })
  const broken = new Gauge({
    name: 'edgewright_broken_templates',
    help: 'Templates refused; their last good text is in use',
    registers: [registry],
  })
  return { served, compiles, waits, deaths, broken }
}

/** Per-service files count as one family, so that the number of series is bounded. */
function family(file: string): string {
  const prefix = /^(hdr_rw_mid_|hdr_rw_|regex_remap_|url_sig_|uri_signing_|cacheurl_|set_dscp_|to_ext_)/.exec(file)
  return prefix ? `${prefix[1]}*` : /^[A-Za-z0-9._-]{1,40}$/.test(file) ? file : 'other'
}
