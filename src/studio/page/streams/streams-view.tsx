import './streams.css'
import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import { ErrorBox, FileButton, SamplePicker } from '../controls.tsx'
import { useDropZone } from '../drop-zone.ts'
import { formatCount, toVisibleText } from '../format-values.ts'
import { LossBadges } from '../lens/loss-list.tsx'
import { streamSamples } from '../lens/lens-samples.ts'
import { lensTargets } from '../lens/lens-targets.ts'
import { createPartJoiner, formatWire, type PlaybackStep } from './playback-parts.ts'
import { Player } from './player.tsx'
import type { StreamPlayback } from './build-playback.ts'
import {
  editStream,
  ensurePlayback,
  openStreamText,
  openStreamFile,
  playedSteps,
  streamError,
  streamPlayback,
  streamText,
} from './stream-state.ts'

/** Plays a stream event by event: what arrives, the canonical events, and what clients of other dialects receive. */
export function StreamsView(): VNode {
  useEffect(ensurePlayback, [])
  const playback = streamPlayback.value
  const error = streamError.value
  const isOver = useDropZone({ onFiles: openStreamFile, onText: (text) => void openStreamText(text) })
  return (
    <div class={`streams ${isOver ? 'is-drop-target' : ''}`}>
      <StreamTools playback={playback} />
      {error !== undefined && <ErrorBox error={error} />}
      {playback === undefined && error === undefined && streamText.value !== '' && (
        <p class="muted" role="status">
          Reading the stream…
        </p>
      )}
      {playback !== undefined && <Player steps={playback.steps} />}
      {playback !== undefined && <StepColumns playback={playback} />}
    </div>
  )
}

function StreamTools({ playback }: { readonly playback: StreamPlayback | undefined }): VNode {
  const names = Object.keys(lensTargets)
  return (
    <>
      <div class="row">
        <h1>Streams</h1>
        <SamplePicker samples={streamSamples} onOpen={(text) => void openStreamText(text)} />
        <FileButton text="Open a file" label="File to open" onFiles={openStreamFile} />
        <label class="row">
          <span class="muted">Format</span>
          <select
            aria-label="Format of the stream"
            value={playback?.name ?? ''}
            onChange={(event) => void openStreamText(streamText.value, event.currentTarget.value)}
          >
            {playback === undefined && <option value="">unknown</option>}
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <details class="stream-source" open={playback === undefined}>
        <summary>Text of the stream: paste or drop another one</summary>
        <textarea
          class="code"
          aria-label="Paste a stream: server-sent events, lines of JSON, or a list of chunks"
          spellcheck={false}
          value={streamText.value}
          onInput={(event) => editStream(event.currentTarget.value)}
        />
      </details>
    </>
  )
}

function StepColumns({ playback }: { readonly playback: StreamPlayback }): VNode {
  const { steps, name, losses } = playback
  const [target, setTarget] = useState<DialectName>(name === 'openai-chat' ? 'anthropic' : 'openai-chat')
  const joinParts = useMemo(() => createPartJoiner(steps), [steps])
  const count = playedSteps.value
  const step = steps[count - 1]
  const parts = joinParts(count)
  const targetError = playback.errors[target]
  return (
    <div class="step-columns">
      <section class="card step-column" aria-label="Wire event">
        <h2>Arrives</h2>
        <p class="muted">{name}</p>
        <pre tabIndex={0} aria-label="Wire event, text" data-part="wire">
          {toVisibleText(formatWire(step?.wire ?? '')) ||
            (step === undefined ? 'Nothing yet.' : 'Nothing more.')}
        </pre>
      </section>
      <section class="card step-column" aria-label="Canonical events">
        <h2>Canonical events</h2>
        <p class="muted">{formatCount(step?.events.length ?? 0, 'event', 'events')} for this wire event</p>
        <pre tabIndex={0} aria-label="Canonical events, JSON" data-part="canonical">
          {toVisibleText(formatEvents(step))}
        </pre>
      </section>
      <section class="card step-column" aria-label="What another client receives">
        <h2>Client receives</h2>
        <div class="row">
          <label>
            <span class="visually-hidden">Format of the client</span>
            <select value={target} onChange={(event) => setTarget(event.currentTarget.value as DialectName)}>
              {Object.keys(lensTargets).map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
          <LossBadges losses={losses[target] ?? []} />
        </div>
        {targetError !== undefined && <ErrorBox error={targetError} />}
        <pre tabIndex={0} aria-label="What the client receives, text" data-part="received">
          {toVisibleText(formatWire(step?.received[target] ?? '')) || 'Nothing for this event.'}
        </pre>
      </section>
      <section class="card step-column answer" aria-label="Answer so far">
        <h2>Answer so far</h2>
        <div class="answer-parts" tabIndex={0} role="region" aria-label="Parts of the answer">
          {parts.length === 0 && <p class="muted">Nothing yet.</p>}
          {parts.map(({ type, text }, index) => (
            <div key={index} class="answer-part">
              <span class="badge">{toVisibleText(type)}</span>
              <p>{toVisibleText(text)}</p>
            </div>
          ))}
        </div>
      </section>
    </div>
  )
}

function formatEvents(step: PlaybackStep | undefined): string {
  if (step === undefined || step.events.length === 0) return 'No event.'
  return step.events.map((event) => JSON.stringify(event, undefined, 2)).join('\n')
}
