/** Labels of a value. Their values must come from a bounded set: each combination is stored. */
export interface MetricLabels {
  readonly [name: string]: string
}

/** A metric in the Prometheus text format. */
interface Metric {
  write(name: string): readonly string[]
}

/** A sum for each combination of labels that only grows. */
export class Counter implements Metric {
  readonly type: string = 'counter'
  readonly #values = new Map<string, number>()

  add(labels: MetricLabels, amount = 1): void {
    const key = formatLabels(labels)
    this.#values.set(key, (this.#values.get(key) ?? 0) + amount)
  }

  write(name: string): readonly string[] {
    return [...this.#values].map(([labels, value]) => `${name}${wrapLabels(labels)} ${value}`)
  }
}

/** Values that are read when the metrics are. */
export class Gauge implements Metric {
  readonly type: string = 'gauge'
  readonly #read: () => Iterable<readonly [labels: MetricLabels, value: number]>

  constructor(read: () => Iterable<readonly [labels: MetricLabels, value: number]>) {
    this.#read = read
  }

  write(name: string): readonly string[] {
    return [...this.#read()].map(([labels, value]) => `${name}${wrapLabels(formatLabels(labels))} ${value}`)
  }
}

interface Distribution {
  readonly counts: number[]
  sum: number
  total: number
}

/** The number of values up to each bound, for each combination of labels. */
export class Histogram implements Metric {
  readonly type: string = 'histogram'
  readonly #bounds: readonly number[]
  readonly #values = new Map<string, Distribution>()

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  add(labels: MetricLabels, value: number): void {
    const key = formatLabels(labels)
    const found = this.#values.get(key) ?? { counts: this.#bounds.map(() => 0), sum: 0, total: 0 }
    for (const [index, bound] of this.#bounds.entries())
      if (value <= bound) found.counts[index] = (found.counts[index] ?? 0) + 1
    found.sum += value
    found.total += 1
    this.#values.set(key, found)
  }

  write(name: string): readonly string[] {
    return [...this.#values].flatMap(([labels, { counts, sum, total }]) => {
      const withBound = (bound: string): string =>
        wrapLabels([labels, `le="${bound}"`].filter((text) => text !== '').join(','))
      return [
        ...this.#bounds.map((bound, index) => `${name}_bucket${withBound(String(bound))} ${counts[index]}`),
        `${name}_bucket${withBound('+Inf')} ${total}`,
        `${name}_sum${wrapLabels(labels)} ${sum}`,
        `${name}_count${wrapLabels(labels)} ${total}`,
      ]
    })
  }
}

/** A metric with its name and what it counts. */
export type MetricRow = readonly [name: string, help: string, metric: Counter | Gauge | Histogram]

/** Writes metrics in the Prometheus text format, version 0.0.4. */
export function formatMetrics(rows: readonly MetricRow[]): string {
  const lines = rows.flatMap(([name, help, metric]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${metric.type}`,
    ...metric.write(name),
  ])
  return `${lines.join('\n')}\n`
}

function formatLabels(labels: MetricLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')
}

function wrapLabels(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

/** A line break in a value would start another metric. Most values are plain. */
function escapeLabel(value: string): string {
  if (!/[\\"\n]/.test(value)) return value
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
