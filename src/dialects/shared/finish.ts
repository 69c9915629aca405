import type { Finish, FinishReason } from '../../canonical/model/finish.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { TwoWayTable } from '../../wire/two-way-table.ts'
import type { Encoding } from '../encoding.ts'

type Words = TwoWayTable<string, FinishReason>

/**
 * Why the model stopped. Formats without a word for calls, and hosts that do not use it, say that the model just stopped: the
 * calls decide, so that nobody who looks at the reason misses them.
 */
export function readFinish(words: Words, raw: string, calls: boolean): Finish {
  const said = words.fromWire(raw) ?? 'other'
  const reason = said === 'stop' && calls ? 'tool-calls' : said
  return { reason, ...(words.toWire(reason) !== raw && { raw }) }
}

/** An answer that is to say why it stopped. */
export interface Stopped {
  readonly finish: Finish
  /** Whether it calls tools that the application runs. */
  readonly calls: boolean
  /** Whether it is of this format: a word that nobody here knows is one of ours only then. */
  readonly own: boolean
}

/** Why the model stopped, in the wire's words: the word that came while it still means the same, or a `fresh` one. */
export function writeFinish(
  words: Words,
  { finish: { reason, raw }, calls, own }: Stopped,
  fresh: string,
  at: Path | undefined,
  encoding: Encoding,
): string {
  const means = (word: string): FinishReason => readFinish(words, word, calls).reason
  const ours = raw !== undefined && (own || words.fromWire(raw) !== undefined)
  if (ours && means(raw) === reason) return raw
  if (raw !== undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  if (means(fresh) !== reason) encoding.lose('finish-approximated', below(at, 'reason'))
  return fresh
}

/** The same for a format that has one word and no field for the stop sequence: its word, or one for what it has none for. */
export function writeWord(
  words: Words,
  stopped: Stopped,
  otherwise: string,
  at: Path | undefined,
  encoding: Encoding,
): string {
  const { reason, stopSequence } = stopped.finish
  if (stopSequence !== undefined) encoding.lose('stop-sequence', below(at, 'stopSequence'))
  return writeFinish(words, stopped, words.toWire(reason) ?? otherwise, at, encoding)
}
