import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasValue,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { PART_KINDS } from './constants.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

/** The signs of the messages of dartantic. */
const signs: FormatSigns = {
  title: 'messages of dartantic',
  required: [
    ['`role`: system, user or model', hasValue('role', 'system', 'user', 'model')],
    ['`parts`: a list', hasList('parts')],
  ],
  marks: [
    [
      'parts of the types Text, Data, Link, Tool or Thinking with `content`',
      hasItem(
        'parts',
        isEvery(
          isAny(...[...PART_KINDS.keys()].map((type) => hasValue('type', type as string))),
          hasKeys('content'),
        ),
      ),
    ],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: { message: ['metadata'], part: ['signature'], resultContent: [] },
  read: readMessages,
  write: writeMessages,
}
