// The rows of flavors are known rules of hosts. A unit that a host accepted against its row is sent back to it as received.
import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import { digestContent, toComparableContent } from '../../canonical/read/content-digest.ts'
import { digestJson } from '../../wire/digest.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions, Flavor } from '../engine/dialect.ts'
import { createNoReport, type EncodeContext } from '../engine/encode-context.ts'
import { addHints, getHints } from '../engine/residue-slots.ts'
import { isValidCallId } from '../shared/call-ids.ts'
import { DIALECT_SLOT } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHints } from './hints.ts'

/** Returns the hint for a unit that its host accepted against its row; it is used while the digest matches. */
export function createHostHint(flavor: Flavor, digest: string): OpenAIChatHints {
  return { acceptedByHost: { flavor, digest } }
}

/** Returns what the host of the context accepted of a unit; undefined if it is another host. */
function readHostHint(
  { acceptedByHost }: OpenAIChatHints,
  { options }: EncodeContext,
): JsonObject | undefined {
  const isSameHost = isObject(acceptedByHost) && acceptedByHost['flavor'] === options.flavor
  return isSameHost ? acceptedByHost : undefined
}

/** Returns the context for a unit: without the flavor if its host accepted the unit with this digest. */
export function getHostContext(
  hints: OpenAIChatHints,
  getDigest: () => string,
  context: EncodeContext,
): EncodeContext {
  const digest = readHostHint(hints, context)?.['digest']
  if (digest === undefined || digest !== getDigest()) return context
  const { flavor: _flavor, ...options } = context.options
  return { ...context, options }
}

/** Returns true if encoding for a host reports nothing and returns the received value. */
export function isFitForHost(
  { flavor }: DecodeOptions,
  wire: Json | undefined,
  encode: (context: EncodeContext) => Json | undefined,
): boolean {
  if (flavor === undefined) return true
  let isReported = false
  const report = (): void => {
    isReported = true
  }
  const made = encode({ ...createNoReport({ flavor }), report })
  return !isReported && made !== undefined && (wire === undefined || isEqualJson(made, wire))
}

export function digestMessage(message: Message): string {
  return digestJson(toComparableContent(message)).slice(0, 16)
}

export function digestResult(result: ToolResultPart): string {
  return digestContent(result).slice(0, 16)
}

/** Returns the context for a tool result. */
export function getResultContext(result: ToolResultPart, context: EncodeContext): EncodeContext {
  return getHostContext(getHints(result, DIALECT_SLOT), () => digestResult(result), context)
}

/** Marks the calls whose ids break the rule of the host that accepted them. */
export function markAcceptedCallIds(
  content: readonly AssistantPart[],
  { flavor }: DecodeOptions,
): readonly AssistantPart[] {
  const { callIdRule: rule } = getFlavor(flavor === undefined ? {} : { flavor })
  if (rule === undefined || flavor === undefined) return content
  return content.map((part) =>
    part.type === 'tool-call' && !isValidCallId(part.id, rule)
      ? addHints(part, DIALECT_SLOT, { acceptedByHost: { flavor } })
      : part,
  )
}

/** Returns true if the host of the context accepted the id of a call or result against its rule. */
export function hasHostAcceptedCallId(hints: OpenAIChatHints, context: EncodeContext): boolean {
  return readHostHint(hints, context) !== undefined
}

/** Marks the messages whose positions break the turn order of the host that accepted them. */
export function markAcceptedTurns(
  messages: readonly Message[],
  { flavor }: DecodeOptions,
): readonly Message[] {
  if (flavor === undefined || getFlavor({ flavor }).turnOrder !== 'strict') return messages
  return messages.map((message, index) => {
    const isAfterResults = message.role === 'user' && messages[index - 1]?.role === 'tool'
    const isPrefill = message.role === 'assistant' && index === messages.length - 1
    if (!isAfterResults && !isPrefill) return message
    const known = getHints(message, DIALECT_SLOT)['acceptedByHost']
    const acceptedByHost = { flavor, ...(isObject(known) && known), isTurnAccepted: true }
    return addHints(message, DIALECT_SLOT, { acceptedByHost })
  })
}

/** Returns true if the host of the context accepted the position of a message against its turn order. */
export function isTurnAccepted(message: Message | undefined, context: EncodeContext): boolean {
  const hints = getHints(message ?? {}, DIALECT_SLOT)
  return readHostHint(hints, context)?.['isTurnAccepted'] === true
}
