import type { VNode } from 'preact'
import { percentile } from './request-summary.ts'

const WIDTH = 320
const HEIGHT = 96

interface LatencyPlotProps {
  readonly title: string
  /** Milliseconds, the oldest first. */
  readonly values: readonly number[]
}

/** Plots durations as bars, with their median and 95th percentile as text. */
export function LatencyPlot({ title, values }: LatencyPlotProps): VNode {
  const highest = values.reduce((max, value) => Math.max(max, value), 1)
  const step = WIDTH / Math.max(values.length, 24)
  const summary =
    values.length === 0
      ? 'no values yet'
      : `median ${percentile(values, 0.5)}\u00a0ms, 95\u00a0% below ${percentile(values, 0.95)}\u00a0ms`
  return (
    <figure class="plot card">
      <figcaption>
        <b>{title}</b> <span class="muted small">{summary}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${summary}`}>
        {values.map((value, index) => {
          const height = Math.max(2, (value / highest) * (HEIGHT - 4))
          return (
            <rect
              key={index}
              x={index * step}
              y={HEIGHT - height}
              width={Math.max(1, step - 1.5)}
              height={height}
            >
              <title>{value} ms</title>
            </rect>
          )
        })}
      </svg>
    </figure>
  )
}
