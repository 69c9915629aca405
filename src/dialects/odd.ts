import type { Message } from '../canonical/model/message.ts'
import type { Part } from '../canonical/model/part.ts'
import { sealOwn } from '../wire/frozen.ts'
import type { EngineHint } from './hints.ts'
import { Settler } from './settle.ts'
import { addHints, type Slot, slotOf } from './unit.ts'

/** The conversation as it came, with what a provider would not take marked, so that it goes out again as it came. */
export function markOdd(messages: readonly Message[], dialect: string): readonly Message[] {
  const slot: Slot<EngineHint> = slotOf(dialect)
  const odd = new Map<number, Set<number | undefined>>()
  const settler = new Settler(slot, (_rule, { message, part }) => {
    odd.set(message, (odd.get(message) ?? new Set()).add(part))
  })
  for (const [index, message] of messages.entries()) settler.add(message, index)
  settler.settle()
  if (odd.size === 0) return messages
  return messages.map((message, index) => {
    const parts = odd.get(index)
    if (parts === undefined) return message
    const content = (message.content as readonly Part[]).map((part, at) =>
      parts.has(at) ? addHints(part, slot, { preserveInvalid: true }) : part,
    )
    const kept = { ...message, content } as Message
    return sealOwn(parts.has(undefined) ? addHints(kept, slot, { preserveInvalid: true }) : kept)
  })
}
