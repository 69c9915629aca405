import type { Origin, Finish, FinishReason } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { DialectName } from '../engine/dialect.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { TwoWayTable } from '../../wire/two-way-table.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { isObject, getOwnValue } from '../../wire/json.ts'

/** A number that a usage says below a group of details; undefined where it does not. */
export function readNestedCount(wire: object, group: string, key: string): number | undefined {
  const details = getOwnValue(wire, group)
  const value = isObject(details) ? details[key] : undefined
  return typeof value === 'number' ? value : undefined
}

type FinishReasonTable = TwoWayTable<string, FinishReason>

/**
 * Why the model stopped. Formats without a word for calls, and hosts that do not use it, say that the model just stopped: the
 * calls decide, so that nobody who looks at the reason misses them.
 */
export function decodeFinishReason(words: FinishReasonTable, raw: string, calls: boolean): Finish {
  const said = words.fromWire(raw) ?? 'other'
  const reason = said === 'stop' && calls ? 'tool-calls' : said
  return { reason, ...(words.toWire(reason) !== raw && { raw }) }
}

/** An answer that is to say why it stopped. */
export interface StoppedMessage {
  readonly finish: Finish
  /** Whether it calls tools that the application runs. */
  readonly hasToolCalls: boolean
  /** Whether it is of this format: a word that nobody here knows is one of ours only then. */
  readonly isOwnFormat: boolean
}

/** Why the model stopped, in the wire's words: the word that came while it still means the same, or a `fresh` one. */
export function encodeFinishReason(
  words: FinishReasonTable,
  { finish: { reason, raw }, hasToolCalls, isOwnFormat }: StoppedMessage,
  defaultWord: string,
  path: Path | undefined,
  context: EncodeContext,
): string {
  const means = (word: string): FinishReason => decodeFinishReason(words, word, hasToolCalls).reason
  const ours = raw !== undefined && (isOwnFormat || words.fromWire(raw) !== undefined)
  if (ours && means(raw) === reason) return raw
  if (raw !== undefined) context.report('finish-approximated', child(path, 'raw'))
  if (means(defaultWord) !== reason) context.report('finish-approximated', child(path, 'reason'))
  return defaultWord
}

/** The same for a format that has one word and no field for the stop sequence: its word, or one for what it has none for. */
export function encodeFinishWord(
  words: FinishReasonTable,
  stopped: StoppedMessage,
  fallbackWord: string,
  path: Path | undefined,
  context: EncodeContext,
): string {
  const { reason, stopSequence } = stopped.finish
  if (stopSequence !== undefined) context.report('stop-sequence', child(path, 'stopSequence'))
  return encodeFinishReason(words, stopped, words.toWire(reason) ?? fallbackWord, path, context)
}

/** What an answer tells of itself before it says anything. */
export interface ResponseMetadata extends Pick<ChatResponse, 'id' | 'model' | 'createdAt'> {
  readonly origin: Origin
}

/** The head of an answer from what the wire has for it; whatever is no text says nothing. */
export function createResponseMetadata(
  dialect: DialectName,
  id: unknown,
  model: unknown,
  createdAt?: string,
): ResponseMetadata {
  const named = typeof model === 'string' ? { model } : {}
  return {
    ...(typeof id === 'string' && { id }),
    ...named,
    ...(createdAt !== undefined && { createdAt }),
    origin: { dialect, ...named, ...(typeof id === 'string' && { responseId: id }) },
  }
}

/** A date that is told in seconds; undefined where it is none. */
export function convertSecondsToIso(seconds: unknown): string | undefined {
  return Number.isSafeInteger(seconds) && Math.abs(seconds as number) < 1e11
    ? new Date((seconds as number) * 1000).toISOString()
    : undefined
}
