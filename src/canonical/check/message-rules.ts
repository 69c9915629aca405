import type { Message } from '../model/message.ts'
import { isEmptyContent } from '../read/state.ts'
import { pathTo } from './edit.ts'
import { touched } from './mark.ts'
import { freeNames, repeated } from './names.ts'
import { snapshot } from './pairing.ts'
import type { Rule } from './rule.ts'

/** A message that says nothing. */
export const emptyMessage: Rule = {
  id: 'empty-message',
  severity: 'warning',
  summary: 'A message says something.',
  check: (messages) =>
    messages.flatMap(({ content }, message) =>
      isEmptyContent(content) ? [{ path: pathTo({ message }), message: 'The message has no content' }] : [],
    ),
  repair: (messages, report) => {
    const kept = messages.filter((message, index) => {
      const empty = isEmptyContent(message.content)
      if (empty) report({ rule: emptyMessage.id, action: 'removed', path: pathTo({ message: index }) })
      return !empty
    })
    return kept.length === messages.length ? messages : snapshot(kept)
  },
}

/** A message with the id of one before it: the later one gets the first free `<id>_2`, `<id>_3`… */
export const duplicateId: Rule = {
  id: 'duplicate-id',
  severity: 'error',
  summary: 'Every message has an id of its own.',
  check: (messages) =>
    repeatedIds(messages).map((message) => ({
      path: pathTo({ message }),
      message: 'An earlier message has the same id',
    })),
  repair: (messages, report) => {
    const again = new Set(repeatedIds(messages))
    if (again.size === 0) return messages
    const freeId = freeNames(new Set(messages.map((message) => message.id)))
    return snapshot(
      messages.map((message, index) => {
        if (!again.has(index)) return message
        report({ rule: duplicateId.id, action: 'renamed', path: pathTo({ message: index }) })
        return touched(message, duplicateId.id, { id: freeId(message.id) })
      }),
    )
  },
}

function repeatedIds(messages: readonly Message[]): readonly number[] {
  return repeated([...messages.keys()], (index) => messages[index]?.id ?? '')
}
