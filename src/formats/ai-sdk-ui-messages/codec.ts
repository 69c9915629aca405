import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

const hasTypedPart = hasItem('parts', hasText('type'))

/** Messages of version 4, which may have no parts. */
const isVersion4 = isAny(
  hasList('toolInvocations'),
  hasList('experimental_attachments'),
  hasValue('role', 'data'),
)

/** The signs of `UIMessage`, versions 4 to 7. Gemini, Pydantic AI and A2A have `parts`, too, but other ones. */
const signs: FormatSigns = {
  title: 'UI messages of the AI SDK',
  required: [
    ['`role`: system, user or assistant', hasValue('role', 'system', 'user', 'assistant', 'data')],
    ['a list of `parts`, each with a `type`', isAny(hasList('parts'), isVersion4, hasText('content'))],
  ],
  marks: [
    [
      '`parts` with a `type`',
      isEvery(
        hasTypedPart,
        hasKeys('role'),
        isNot(hasItem('parts', hasKeys('part_kind'))),
        isNot(hasKeys('messageId')),
      ),
    ],
    ['an `id` and empty `parts`', isEvery(hasKeys('id'), (message) => isEmptyList(message['parts']))],
    ['`toolInvocations`, attachments or the role data of version 4', isVersion4],
  ],
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['metadata'],
    part: ['cache', 'signature', 'citations', 'detail', 'transcript', 'summary', 'redacted', 'executedBy'],
    resultContent: ['citations', 'detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
