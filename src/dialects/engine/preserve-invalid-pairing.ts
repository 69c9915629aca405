import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeList, freezeOwned } from '../../wire/frozen-json.ts'
import { isPairedConversation } from './paired-messages.ts'
import type { EngineHint } from './residue-hints.ts'
import { ToolResultSorter } from './tool-result-sorter.ts'
import { type RuleReporter, ToolPairing } from './tool-pairing.ts'
import { addHints, type Slot, defineSlot } from './residue-slots.ts'

/**
 * Marks the calls, results and messages of a received conversation that break the rules of tool pairing, so
 * that they are sent as received.
 */
export function preserveInvalidToolPairing(
  messages: readonly Message[],
  dialect: string,
  { matchesByOrder = false }: { readonly matchesByOrder?: boolean } = {},
): readonly Message[] {
  const list = freezeList(messages)
  // Most conversations are: no rule applies to them.
  if (isPairedConversation(list)) return list
  const slot: Slot<EngineHint> = defineSlot(dialect)
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
  if (invalidParts.size === 0) return list
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
