import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Icon } from '../controls.tsx'
import type { PlaybackStep } from './playback-parts.ts'
import { playedSteps, playTo } from './stream-state.ts'

/** Events per second. */
const SPEEDS: readonly number[] = [1, 3, 10, 40]

/** More events share a mark of the time line. */
const MAX_MARKS = 240

/** Controls of the playback: a time line, buttons and keys. */
export function Player({ steps }: { readonly steps: readonly PlaybackStep[] }): VNode {
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(3)
  const count = playedSteps.value
  const isAtEnd = count >= steps.length
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setInterval(() => {
      const next = playedSteps.peek() + 1
      playTo(next)
      if (next >= steps.length) setPlaying(false)
    }, 1000 / speed)
    return () => clearInterval(timer)
  }, [isPlaying, speed, steps])

  const toggle = (): void => {
    if (isAtEnd && !isPlaying) playTo(0)
    setPlaying(!isPlaying)
  }
  const keys: { readonly [key: string]: () => void } = {
    ' ': toggle,
    ArrowLeft: () => playTo(count - 1),
    ArrowRight: () => playTo(count + 1),
    Home: () => playTo(0),
    End: () => playTo(steps.length),
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event
    // Buttons and fields have keys of their own.
    if (target instanceof HTMLSelectElement || (event.key === ' ' && target instanceof HTMLButtonElement))
      return
    if (target instanceof HTMLInputElement && event.key !== ' ') return
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const current = steps[count - 1]
  return (
    <div class="card player" role="group" aria-label="Playback" tabIndex={0} onKeyDown={onKeyDown}>
      <TimeLine steps={steps} count={count} />
      <p class="time-line-legend muted small" aria-hidden="true">
        {MARK_KINDS.toReversed().map(([, kind]) => (
          <span key={kind}>
            <i class={`mark ${kind}`} /> {kind}
          </span>
        ))}
      </p>
      <input
        type="range"
        min={0}
        max={steps.length}
        value={count}
        aria-label="Event"
        aria-valuetext={`Event ${count} of ${steps.length}${current === undefined ? '' : `: ${current.label}`}`}
        onInput={(event) => playTo(Number(event.currentTarget.value))}
      />
      <div class="row">
        <button type="button" onClick={() => playTo(0)} aria-label="To the start" disabled={count === 0}>
          <Icon path="M6 5v14M19 5 9 12l10 7Z" />
        </button>
        <button type="button" onClick={() => playTo(count - 1)} aria-label="Step back" disabled={count === 0}>
          <Icon path="M17 5 7 12l10 7Z" />
        </button>
        <button type="button" class="primary" onClick={toggle}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button type="button" onClick={() => playTo(count + 1)} aria-label="Step forward" disabled={isAtEnd}>
          <Icon path="M7 5l10 7-10 7Z" />
        </button>
        <button type="button" onClick={() => playTo(steps.length)} aria-label="To the end" disabled={isAtEnd}>
          <Icon path="M18 5v14M5 5l10 7-10 7Z" />
        </button>
        <label class="row">
          <span class="muted">Speed</span>
          <select value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each} per second
              </option>
            ))}
          </select>
        </label>
        <output class="player-place" data-part="place">
          {count} / {steps.length} <strong>{current?.label ?? 'before the first event'}</strong>
        </output>
      </div>
    </div>
  )
}

/** Shows the kinds of the events, and how far they were played. The slider below has the same range for keyboards. */
function TimeLine({
  steps,
  count,
}: {
  readonly steps: readonly PlaybackStep[]
  readonly count: number
}): VNode {
  const marks = useMemo(() => {
    const size = Math.max(1, Math.ceil(steps.length / MAX_MARKS))
    return Array.from({ length: Math.ceil(steps.length / size) }, (_, index) => {
      const end = Math.min((index + 1) * size, steps.length)
      return { end, label: steps[end - 1]?.label ?? '', kind: findKind(steps.slice(index * size, end)) }
    })
  }, [steps])
  return (
    <div class="time-line" aria-hidden="true">
      {marks.map(({ end, kind, label }) => (
        <button
          key={end}
          type="button"
          tabIndex={-1}
          title={`${end}: ${label}`}
          class={`mark ${kind}${end <= count ? ' played' : ''}${end === count ? ' current' : ''}`}
          onClick={() => playTo(end)}
        />
      ))}
    </div>
  )
}

/** Canonical events that color a mark, the most telling first. */
const MARK_KINDS: readonly (readonly [type: string, kind: string])[] = [
  ['error', 'error'],
  ['finish', 'finish'],
  ['arguments-delta', 'call'],
  ['reasoning-delta', 'reasoning'],
  ['text-delta', 'text'],
]

function findKind(steps: readonly PlaybackStep[]): string {
  const types = new Set(steps.flatMap(({ events }) => events.map((event) => event['type'])))
  return MARK_KINDS.find(([type]) => types.has(type))?.[1] ?? 'other'
}
