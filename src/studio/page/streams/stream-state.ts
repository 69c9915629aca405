import { type ReadonlySignal, signal } from '@preact/signals'
import { describeFailure } from '../lens/lens-state.ts'
import type { LensError } from '../lens/lens-session.ts'
import { callWorker } from '../lens/worker-client.ts'
import { streamSamples } from '../lens/samples.ts'
import { openPlace } from '../navigation.ts'
import type { StreamPlayback } from './build-playback.ts'

const text = signal(streamSamples[0]?.text ?? '')
const playback = signal<StreamPlayback | undefined>(undefined)
const failure = signal<LensError | undefined>(undefined)
const stepCount = signal(0)

/** The text of the stream. It survives a switch to another view. */
export const streamText: ReadonlySignal<string> = text
export const streamPlayback: ReadonlySignal<StreamPlayback | undefined> = playback
export const streamError: ReadonlySignal<LensError | undefined> = failure
/** The number of events that have been played. */
export const playedSteps: ReadonlySignal<number> = stepCount

let version = 0

/** Opens a stream; `from` is its format, if it is not to be detected. */
export async function openStream(next: string, from?: string): Promise<void> {
  const current = ++version
  text.value = next
  const result = await callWorker('buildPlayback', next, from).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: describeFailure(error) }),
  )
  if (current !== version) return
  playback.value = 'value' in result ? result.value : undefined
  failure.value = 'error' in result ? result.error : undefined
  stepCount.value = Math.min(1, playback.value?.steps.length ?? 0)
}

/** Opens the stream of the view unless it is open. */
export function ensurePlayback(): void {
  if (playback.value === undefined && failure.value === undefined) void openStream(text.value)
}

/** Opens a stream in the streams view. */
export function openInStreams(next: string): void {
  void openStream(next)
  openPlace({ view: 'streams' })
}

/** Plays up to a number of events, within those of the stream. */
export function playTo(count: number): void {
  stepCount.value = Math.max(0, Math.min(count, playback.value?.steps.length ?? 0))
}
