import type { Message } from '../model/message.ts'
import { isEmptyContent } from '../read/content-checks.ts'
import { createUniqueNamer, findRepeatedByName } from '../../wire/unique-names.ts'
import { snapshotMessages } from './call-pairing.ts'
import { markRepaired } from './repair-marks.ts'
import { createValidationRule, type MessagePosition, type Rule } from './validation-rule.ts'

/** Removes messages without content. */
const emptyMessageRule = createValidationRule({
  id: 'empty-message',
  severity: 'warning',
  summary: 'Every message has content.',
  problem: 'The message has no content',
  find: (messages) => listPositions(messages).filter(({ value }) => isEmptyContent(value.content)),
  repair: ({ messages, report }, found) => {
    for (const position of found) report('removed', position)
    const removed = new Set(found.map(({ message }) => message))
    return snapshotMessages(messages.filter((_message, index) => !removed.has(index)))
  },
})

/** Renames messages with the id of an earlier one to the first unused `<id>_2`, `<id>_3`… */
const duplicateMessageIdRule = createValidationRule({
  id: 'duplicate-id',
  severity: 'error',
  summary: 'Every message has a unique id.',
  problem: 'An earlier message has the same id',
  find: (messages) => findRepeatedByName(listPositions(messages), ({ value }) => value.id),
  repair: ({ rule, messages, report }, found) => {
    const uniqueId = createUniqueNamer(new Set(messages.map((message) => message.id)))
    const renamed = [...messages]
    for (const { message, value } of found) {
      report('renamed', { message })
      renamed[message] = markRepaired(value, rule, { id: uniqueId(value.id) })
    }
    return snapshotMessages(renamed)
  },
})

export const messageValidationRules: readonly Rule[] = [emptyMessageRule, duplicateMessageIdRule]

function listPositions(
  messages: readonly Message[],
): readonly (MessagePosition & { readonly value: Message })[] {
  return messages.map((value, message) => ({ message, value }))
}
