import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { EngineHint } from './hints.ts'
import { ToolPairing } from './tool-pairing.ts'
import { addHints, type Slot, slotOf } from './residue-slots.ts'

/**
 * Marks what a provider would reject in a conversation of its own dialect, so that it is encoded unchanged. Other dialects
 * receive the repaired form.
 */
export function preserveInvalid(messages: readonly Message[], dialect: string): readonly Message[] {
  const slot: Slot<EngineHint> = slotOf(dialect)
  const invalidParts = new Map<number, Set<number | undefined>>()
  const pairing = new ToolPairing(slot, (_rule, { message, part }) => {
    invalidParts.set(message, (invalidParts.get(message) ?? new Set()).add(part))
  })
  for (const [index, message] of messages.entries()) pairing.add(message, index)
  pairing.flush()
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
