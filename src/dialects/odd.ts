import type { Message } from '../canonical/model/message.ts'
import type { Part } from '../canonical/model/part.ts'
import { sealedCopy } from '../wire/frozen.ts'
import { isObject, type Json } from '../wire/json.ts'
import { ODD, Settler } from './settle.ts'
import { type Carrier, hintsFor } from './unit.ts'

/** The conversation as it came, with what a provider would not take marked, so that it goes out again as it came. */
export function markOdd(messages: readonly Message[], slot: string): readonly Message[] {
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
      parts.has(at) ? marked(part, slot) : part,
    )
    return sealedCopy(marked({ ...message, content } as Message, parts.has(undefined) ? slot : undefined))
  })
}

/** The unit with a hint that it came like this. */
function marked<T extends Carrier>(unit: T, slot: string | undefined): T {
  if (slot === undefined) return unit
  const { $: odd, ...plain } = (unit.extra?.[slot] ?? {}) as {
    readonly $?: Json
    readonly [key: string]: Json
  }
  const groups = isObject(odd) ? odd : {}
  const hints = { ...hintsFor(unit, slot), [ODD]: true }
  return { ...unit, extra: { ...unit.extra, [slot]: { ...plain, $: { ...groups, hints } } } }
}
