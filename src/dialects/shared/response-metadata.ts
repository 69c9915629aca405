import type { AssistantMessage, Origin, Finish, FinishReason } from '../../canonical/model/message.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { TwoWayTable } from '../../wire/two-way-table.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { getHints, type Slot } from '../engine/residue-slots.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isObject, getOwnValue, omitUndefined } from '../../wire/json.ts'

/** Returns a count of a usage that is nested in a group of details. */
export function readNestedCount(wire: object, group: string, key: string): number | undefined {
  const details = getOwnValue(wire, group)
  const value = isObject(details) ? details[key] : undefined
  return typeof value === 'number' ? value : undefined
}

type FinishReasonTable = TwoWayTable<string, FinishReason>

/** Decodes a finish reason. Some formats and hosts report a plain stop although there are tool calls. */
export function decodeFinishReason(table: FinishReasonTable, raw: string, hasToolCalls: boolean): Finish {
  const wireReason = table.fromWire(raw) ?? 'other'
  const reason = wireReason === 'stop' && hasToolCalls ? 'tool-calls' : wireReason
  return { reason, ...(table.toWire(reason) !== raw && { raw }) }
}

/** A finished assistant message whose finish reason is encoded. */
export interface FinishEncodeInput {
  readonly finish: Finish
  /** True if it contains calls of tools that the application runs. */
  readonly hasToolCalls: boolean
  /** True if the message comes from this dialect: only then is an unknown raw value a value of the dialect. */
  readonly isOwnFormat: boolean
}

/** Creates the message of a response; it is not frozen yet. */
export function createAssistantMessage(
  content: readonly AssistantPart[],
  origin: Origin,
  finish: Finish | undefined,
  options: DecodeOptions,
  extra?: Extra,
): AssistantMessage {
  return {
    id: generateId('msg', options),
    role: 'assistant',
    content,
    origin,
    ...(finish !== undefined && { finish }),
    ...(extra !== undefined && { extra }),
  }
}

/** Returns why a message of a response stopped; undefined if it has no finish reason. `slot` is the name of the dialect. */
export function getStoppedMessage(
  { finish, content = [], origin }: Partial<AssistantMessage>,
  slot: string,
): FinishEncodeInput | undefined {
  if (finish === undefined) return undefined
  return { finish, hasToolCalls: content.some(isApplicationCall), isOwnFormat: origin?.dialect === slot }
}

/**
 * Encodes the finish reason of a format that requires one: that of `stop` for a message without it, undefined for a message
 * that was received without it. `slot` is the name of the dialect, which is also the slot of the hint: an unknown raw value is
 * sent only if the message came from this dialect.
 */
export function encodeRequiredFinish(
  message: AssistantMessage | undefined,
  slot: Slot<'missingFinishReason', string>,
  encodeFinish: FinishEncoder,
  path: Path,
  context: EncodeContext,
): string | undefined {
  const stopped = getStoppedMessage(message ?? {}, slot)
  if (stopped !== undefined) return encodeFinish(stopped, path, context)
  if (getHints(message ?? {}, slot)['missingFinishReason'] === true) return undefined
  context.report('finish-synthesized', path)
  return encodeFinish({ finish: { reason: 'stop' }, hasToolCalls: false, isOwnFormat: false })
}

/** Reports the candidates of a response after the first one, for a format that has only one. */
export function reportDroppedCandidates({ candidates }: ChatResponse, context: EncodeContext): void {
  const path = child(undefined, 'candidates')
  for (const index of candidates.slice(1).keys()) context.report('candidates-dropped', child(path, index + 1))
}

/** Returns the raw value of a finish reason as long as it means the reason, otherwise `defaultValue`. */
export function encodeFinishOrDefault(
  table: FinishReasonTable,
  { finish: { reason, raw }, hasToolCalls, isOwnFormat }: FinishEncodeInput,
  defaultValue: string,
  path: Path | undefined,
  context: EncodeContext,
): string {
  const reasonOf = (value: string): FinishReason => decodeFinishReason(table, value, hasToolCalls).reason
  const isOwnValue = raw !== undefined && (isOwnFormat || table.fromWire(raw) !== undefined)
  if (isOwnValue && reasonOf(raw) === reason) return raw
  if (raw !== undefined) context.report('finish-approximated', child(path, 'raw'))
  if (reasonOf(defaultValue) !== reason) context.report('finish-approximated', child(path, 'reason'))
  return defaultValue
}

/** Encodes the finish reason of a message. */
export type FinishEncoder = (stopped: FinishEncodeInput, path?: Path, context?: EncodeContext) => string

/** Creates an encoder for a format without stop sequences. `fallbackValue` is for reasons without a wire value. */
export function createFinishEncoder(table: FinishReasonTable, fallbackValue: string): FinishEncoder {
  return (stopped, path, context = noReport) => {
    const { reason, stopSequence } = stopped.finish
    if (stopSequence !== undefined) context.report('stop-sequence', child(path, 'stopSequence'))
    return encodeFinishOrDefault(table, stopped, table.toWire(reason) ?? fallbackValue, path, context)
  }
}

/** The metadata of a response, which is known before its content. */
export interface ResponseMetadata extends Pick<ChatResponse, 'id' | 'model' | 'createdAt'> {
  readonly origin: Origin
}

/** Creates the metadata of a response from wire values; values that are not strings are ignored. */
export function createResponseMetadata(
  dialect: string,
  id: unknown,
  model: unknown,
  createdAt?: string,
): ResponseMetadata {
  const modelFields = typeof model === 'string' ? { model } : {}
  return {
    ...(typeof id === 'string' && { id }),
    ...modelFields,
    ...(createdAt !== undefined && { createdAt }),
    origin: { dialect, ...modelFields, ...(typeof id === 'string' && { responseId: id }) },
  }
}

/** Creates the metadata of a response that does not repeat its model: only the origin of its message has that of the request. */
export function createMetadataWithoutModel(
  dialect: string,
  id: unknown,
  { request }: Pick<DecodeOptions, 'request'>,
): ResponseMetadata {
  const { origin, ...metadata } = createResponseMetadata(dialect, id, undefined)
  return { ...metadata, origin: { ...origin, ...omitUndefined({ model: request?.model }) } }
}

/** Converts seconds since 1970 to an ISO date; undefined if the value is not a valid time. */
export function convertSecondsToIso(seconds: unknown): string | undefined {
  return Number.isSafeInteger(seconds) && Math.abs(seconds as number) < 1e11
    ? new Date((seconds as number) * 1000).toISOString()
    : undefined
}
