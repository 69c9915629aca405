import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Loss } from '../../../canonical/model/loss.ts'
import { toVisibleText } from '../format-values.ts'
import { type JsonLine, LINES_AT_ONCE } from './json-lines.ts'
import type { LensPane } from './lens-analysis.ts'
import { RuleLink } from './loss-list.tsx'
import { callWorker } from './worker-client.ts'

/** More lines than this are not kept in the page: earlier ones are removed while later ones are shown. */
const MAX_SHOWN_LINES = 4 * LINES_AT_ONCE

/** The number of losses that are listed at one line. */
const MAX_LOSSES_AT_LINE = 6

interface Range {
  readonly start: number
  readonly lines: readonly JsonLine[]
}

/** Shows formatted JSON with its differences and losses. Of a long body, only a range of lines is in the page. */
export function JsonView({
  pane,
  label,
  target,
}: {
  readonly pane: LensPane
  readonly label: string
  /** A line to scroll to. The object changes with each request. */
  readonly target?: { readonly line: number }
}): VNode {
  const [range, setRange] = useState<Range>({ start: 0, lines: pane.lines })
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    setRange({ start: 0, lines: pane.lines })
    box.current?.scrollTo({ top: 0 })
  }, [pane])
  useEffect(() => {
    if (target !== undefined) void scrollToLine(target.line)
  }, [target])

  const shownPane = useRef(pane)
  shownPane.current = pane

  /** Loads lines, and shows what `join` makes of them, unless the body has changed meanwhile. */
  async function load(
    start: number,
    count: number,
    join: (lines: readonly JsonLine[]) => Range,
  ): Promise<void> {
    const lines = await callWorker('readLines', pane.name, start, count)
    if (shownPane.current === pane) setRange(join(lines))
  }

  async function scrollToLine(line: number): Promise<void> {
    if (line < range.start || line >= range.start + range.lines.length) {
      const start = Math.max(0, line - LINES_AT_ONCE / 2)
      await load(start, LINES_AT_ONCE, (lines) => ({ start, lines }))
    }
    requestAnimationFrame(() => {
      const found = box.current?.querySelector<HTMLElement>(`[data-line="${line}"]`)
      found?.scrollIntoView({ block: 'center' })
      found?.focus({ preventScroll: true })
    })
  }

  const showLater = (): Promise<void> =>
    load(range.start + range.lines.length, LINES_AT_ONCE, (more) => {
      const lines = [...range.lines, ...more]
      const removed = Math.max(0, lines.length - MAX_SHOWN_LINES)
      return { start: range.start + removed, lines: lines.slice(removed) }
    })

  const showEarlier = (): Promise<void> => {
    const start = Math.max(0, range.start - LINES_AT_ONCE)
    return load(start, range.start - start, (more) => ({
      start,
      lines: [...more, ...range.lines].slice(0, MAX_SHOWN_LINES),
    }))
  }

  const end = range.start + range.lines.length
  return (
    <div class="json" ref={box} role="region" aria-label={label} tabIndex={0}>
      {range.start > 0 && (
        <button type="button" class="json-more" onClick={() => void showEarlier()}>
          Show earlier lines
        </button>
      )}
      {range.lines.map((line, index) => (
        <Line key={range.start + index} line={line} index={range.start + index} losses={pane.losses} />
      ))}
      {end < pane.lineCount && (
        <button type="button" class="json-more" onClick={() => void showLater()}>
          Show later lines ({(pane.lineCount - end).toLocaleString('en')} more)
        </button>
      )}
    </div>
  )
}

const DIFFERENCE_TITLES = {
  added: 'Not in the input',
  renamed: 'In another field or form than in the input',
} as const

function Line({
  line,
  index,
  losses,
}: {
  readonly line: JsonLine
  readonly index: number
  readonly losses: readonly Loss[]
}): VNode {
  const { depth, key, text, kind, difference } = line
  const found = (line.losses ?? []).flatMap((position) => losses[position] ?? [])
  const groups = groupByReason(found)
  const severity = found.some((loss) => loss.severity === 'loss') ? 'loss' : 'note'
  const classes = ['line', difference, found.length > 0 && `at-${severity}`].filter(Boolean).join(' ')
  return (
    <>
      <div
        class={classes}
        data-line={index}
        style={{ '--depth': depth }}
        title={difference && DIFFERENCE_TITLES[difference]}
        tabIndex={found.length > 0 ? -1 : undefined}
      >
        {key !== undefined && <span class="json-key">"{toVisibleText(key)}": </span>}
        <span class={`json-${kind}`}>{toVisibleText(text)}</span>
      </div>
      {groups.slice(0, MAX_LOSSES_AT_LINE).map(({ loss, dialects }) => (
        <div
          key={`${loss.rule} ${loss.path} ${loss.reason}`}
          class={`line-loss ${loss.severity}`}
          style={{ '--depth': depth + 1 }}
        >
          <span class="badge-word">{loss.severity}</span> {dialects.length > 1 && `${dialects.join(', ')}: `}
          {toVisibleText(loss.reason)} <RuleLink rule={loss.rule} />
        </div>
      ))}
      {groups.length > MAX_LOSSES_AT_LINE && (
        <div class="line-loss note" style={{ '--depth': depth + 1 }}>
          and {groups.length - MAX_LOSSES_AT_LINE} more
        </div>
      )}
    </>
  )
}

/** Joins losses of the same rule and path for several targets, as the canonical form shows them. */
function groupByReason(
  losses: readonly Loss[],
): readonly { readonly loss: Loss; readonly dialects: readonly string[] }[] {
  const groups = new Map<string, { readonly loss: Loss; readonly dialects: string[] }>()
  for (const loss of losses) {
    const key = `${loss.rule} ${loss.path}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { loss, dialects: [loss.dialect] })
    else if (!group.dialects.includes(loss.dialect)) group.dialects.push(loss.dialect)
  }
  return [...groups.values()]
}
