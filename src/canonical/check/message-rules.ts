import type { Message } from '../model/message.ts'
import { isEmptyContent } from '../read/content-checks.ts'
import { toMessagePath } from './repair-results.ts'
import { markRepaired } from './repair-marks.ts'
import { createUniqueNames, findRepeated } from '../../wire/unique-names.ts'
import { snapshotMessages } from './call-pairing.ts'
import type { Rule } from './rule.ts'

/** Removes messages without content. */
export const emptyMessageRule: Rule = {
  id: 'empty-message',
  severity: 'warning',
  summary: 'Every message has content.',
  check: (messages) =>
    messages.flatMap(({ content }, message) =>
      isEmptyContent(content)
        ? [{ path: toMessagePath({ message }), message: 'The message has no content' }]
        : [],
    ),
  repair: (messages, report) => {
    const kept = messages.filter((message, index) => {
      const empty = isEmptyContent(message.content)
      if (empty)
        report({ rule: emptyMessageRule.id, action: 'removed', path: toMessagePath({ message: index }) })
      return !empty
    })
    return kept.length === messages.length ? messages : snapshotMessages(kept)
  },
}

/** Renames messages with the id of an earlier one to the first unused `<id>_2`, `<id>_3`… */
export const duplicateMessageIdRule: Rule = {
  id: 'duplicate-id',
  severity: 'error',
  summary: 'Every message has a unique id.',
  check: (messages) =>
    findRepeatedIds(messages).map((message) => ({
      path: toMessagePath({ message }),
      message: 'An earlier message has the same id',
    })),
  repair: (messages, report) => {
    const repeated = new Set(findRepeatedIds(messages))
    if (repeated.size === 0) return messages
    const uniqueId = createUniqueNames(new Set(messages.map((message) => message.id)))
    return snapshotMessages(
      messages.map((message, index) => {
        if (!repeated.has(index)) return message
        report({
          rule: duplicateMessageIdRule.id,
          action: 'renamed',
          path: toMessagePath({ message: index }),
        })
        return markRepaired(message, duplicateMessageIdRule.id, { id: uniqueId(message.id) })
      }),
    )
  },
}

function findRepeatedIds(messages: readonly Message[]): readonly number[] {
  return findRepeated([...messages.keys()], (index) => messages[index]?.id ?? '')
}
