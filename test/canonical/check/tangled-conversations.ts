import fc from 'fast-check'
import type { Message, Part } from 'interlingua'
import { callId } from '../../arbitraries.ts'

/** Conversations of calls and results of a few ids, so that every combination occurs. */
export function tangles(...kinds: readonly string[]): fc.Arbitrary<Message[]> {
  const role = fc.constantFrom<Message['role']>('user', 'assistant', 'assistant', 'tool', 'tool')
  const parts = fc.array(fc.tuple(callId, fc.constantFrom(...kinds)), { maxLength: 3 })
  const rows = fc.array(fc.tuple(role, parts), { maxLength: 7 })
  return rows.map((list) => list.map(([who, what], index) => createMessage(who, `m${index}`, what)))
}

function createMessage(
  role: Message['role'],
  id: string,
  parts: readonly (readonly [string, string])[],
): Message {
  const content = parts.map(([call, kind]): Part => {
    const repaired = kind === 'made up' && { metadata: { interlingua: { repaired: ['orphan-call'] } } }
    if (role === 'user') return { type: 'text', text: call }
    if (kind === 'opaque') return { type: 'opaque', dialect: 'none', value: call }
    if (role === 'tool' || kind === 'result')
      return { type: 'tool-result', callId: call, content: [], ...repaired }
    return {
      type: 'tool-call',
      id: call,
      name: 'x',
      arguments: {},
      ...(kind === 'provider' && { executedBy: kind }),
    }
  })
  return { id, role, content } as Message
}
