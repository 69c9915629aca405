import type { VNode } from 'preact'
import { formatMs } from '../format-values.ts'
import { percentile } from './request-summary.ts'

const WIDTH = 320
const HEIGHT = 96

/** Fewer bars do not become wider. */
const MIN_BARS = 24

interface LatencyPlotProps {
  readonly title: string
  /** The oldest first. */
  readonly bars: readonly LatencyBar[]
}

interface LatencyBar {
  readonly valueMs: number
  /** Failed requests have another color. */
  readonly isFailed: boolean
}

/** Plots durations as bars, with their median and 95th percentile as text. */
export function LatencyPlot({ title, bars }: LatencyPlotProps): VNode {
  const values = bars.map(({ valueMs }) => valueMs)
  const highest = values.reduce((max, value) => Math.max(max, value), 1)
  const step = WIDTH / Math.max(bars.length, MIN_BARS)
  const summary =
    values.length === 0
      ? 'no values yet'
      : `p50 ${formatMs(percentile(values, 0.5) ?? 0)}, p95 ${formatMs(percentile(values, 0.95) ?? 0)}`
  return (
    <figure class="plot card">
      <figcaption class="row">
        <b>{title}</b> <span class="muted small">{summary}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${summary}`}
      >
        {bars.map(({ valueMs, isFailed }, index) => {
          const height = Math.max(2, (valueMs / highest) * (HEIGHT - 4))
          return (
            <rect
              key={index}
              class={isFailed ? 'failed' : undefined}
              x={index * step}
              y={HEIGHT - height}
              width={Math.max(1, step - 1.5)}
              height={height}
            >
              <title>{formatMs(valueMs)}</title>
            </rect>
          )
        })}
      </svg>
      {values.length > 0 && <p class="muted small">Highest: {formatMs(highest)}. Newest on the right.</p>}
    </figure>
  )
}
