import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { EngineHint } from './residue-hints.ts'
import { ToolResultSorter } from './result-order.ts'
import { type RuleReporter, ToolPairing } from './tool-pairing.ts'
import { addHints, type Slot, toSlot } from './residue-slots.ts'

/**
 * Marks the calls, results and messages of a received conversation that break the rules of tool pairing, so
 * that they are sent as received.
 */
export function preserveInvalidToolPairing(
  messages: readonly Message[],
  dialect: string,
  { matchesByOrder = false }: { readonly matchesByOrder?: boolean } = {},
): readonly Message[] {
  if (isWellPaired(messages)) return messages
  const slot: Slot<EngineHint> = toSlot(dialect)
  const invalidParts = new Map<number, Set<number | undefined>>()
  const report: RuleReporter = (_rule, { message, part }) => {
    invalidParts.set(message, (invalidParts.get(message) ?? new Set()).add(part))
  }
  const pairing = new ToolPairing(slot, report)
  const order = matchesByOrder ? new ToolResultSorter(slot, report) : undefined
  for (const [index, message] of messages.entries())
    for (const paired of pairing.add(message, index)) order?.add(paired)
  for (const paired of pairing.flush()) order?.add(paired)
  order?.flush()
  if (invalidParts.size === 0) return messages
  return messages.map((message, index) => {
    const parts = invalidParts.get(index)
    if (parts === undefined) return message
    const content = (message.content as readonly Part[]).map((part, position) =>
      parts.has(position) ? addHints(part, slot, { preserveInvalid: true }) : part,
    )
    const marked = { ...message, content } as Message
    return freezeOwned(parts.has(undefined) ? addHints(marked, slot, { preserveInvalid: true }) : marked)
  })
}

/**
 * Returns true for a conversation, as most are, in which the results of each assistant message follow it at once, in the order of
 * its calls: no rule applies to it. Any other conversation may be valid, too.
 */
function isWellPaired(messages: readonly Message[]): boolean {
  const usedIds = new Set<string>()
  let calls: readonly string[] = NO_CALLS
  /** The number of calls of the last assistant message that have a result. */
  let answered = 0
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const part of message.content)
        if (part.type !== 'tool-result' || part.callId !== calls[answered++]) return false
      continue
    }
    if (answered !== calls.length || containsOpaque(message)) return false
    if (message.role !== 'assistant') continue
    const listed = listNewCalls(message, usedIds)
    if (listed === undefined) return false
    calls = listed
    answered = 0
  }
  return answered === calls.length
}

const NO_CALLS: readonly string[] = []

/** Lists the ids of the calls of a message; undefined if one is used already, or if the provider ran a call. */
function listNewCalls({ content }: AssistantMessage, usedIds: Set<string>): readonly string[] | undefined {
  let ids: string[] | undefined
  for (const part of content) {
    if (part.type === 'tool-result') return undefined
    if (part.type !== 'tool-call') continue
    if (part.executedBy !== undefined || usedIds.has(part.id)) return undefined
    usedIds.add(part.id)
    ;(ids ??= []).push(part.id)
  }
  return ids ?? NO_CALLS
}

/** Returns true for a message with unknown content, which may contain results. */
function containsOpaque({ content }: Message): boolean {
  for (const { type } of content) if (type === 'opaque') return true
  return false
}
