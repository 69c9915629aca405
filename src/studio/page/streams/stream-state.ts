import { type ReadonlySignal, signal } from '@preact/signals'
import { readInputFiles } from '../lens/input-files.ts'
import { describeFailure } from '../lens/lens-state.ts'
import type { LensError } from '../lens/lens-analysis.ts'
import { callWorker } from '../lens/worker-client.ts'
import { streamSamples } from '../lens/lens-samples.ts'
import { openPageLocation } from '../navigation.ts'
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

/** The time without an edit after which the stream is decoded. */
const QUIET_MS = 200

let timer: ReturnType<typeof setTimeout> | undefined
let version = 0

/** Changes the text, as its reader types. */
export function editStream(next: string): void {
  clearTimeout(timer)
  text.value = next
  timer = setTimeout(() => void openStreamText(next), QUIET_MS)
}

/** Opens a dropped file. */
export async function openStreamFile(files: readonly File[]): Promise<void> {
  const result = await readInputFiles(files.slice(0, 1))
  if ('error' in result) failure.value = result.error
  else if (files.length > 1) failure.value = SEVERAL_FILES
  else if (typeof result.input === 'string') await openStreamText(result.input)
}

const SEVERAL_FILES: LensError = {
  code: 'invalid-value',
  message: 'Several files were dropped.',
  hint: 'Drop one file: the view plays one stream at a time.',
}

/** Opens a stream; `from` is its format, if it is not to be detected. */
export async function openStreamText(next: string, from?: string): Promise<void> {
  clearTimeout(timer)
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
  if (version === 0) void openStreamText(text.value)
}

/** Opens a stream in the streams view. */
export function openInStreams(next: string): void {
  void openStreamText(next)
  openPageLocation({ view: 'streams' })
}

/** Plays up to a number of events, within those of the stream. */
export function playTo(count: number): void {
  stepCount.value = Math.max(0, Math.min(count, playback.value?.steps.length ?? 0))
}
