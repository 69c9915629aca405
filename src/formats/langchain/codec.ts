import { isObject, type JsonObject } from '../../wire/json.ts'
import {
  type FormatSigns,
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { toMessageType } from './message-type-names.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

const isConstructor = isEvery(hasValue('lc', 1), hasObject('kwargs'))

const isDict = isEvery(hasText('type'), hasObject('data', hasKeys('content')))

const isFlat = isEvery(
  (message: JsonObject) => toMessageType(message['type']) !== undefined,
  hasKeys('content'),
  isNot(hasKeys('role')),
)

/** Fields that only LangChain has beside a role. */
const hasOwnFields = isAny(
  hasObject('additional_kwargs'),
  hasObject('response_metadata'),
  hasObject('usage_metadata'),
)

/** A constructor of a class that is not a message, such as a prompt, is not read. */
const isMessageClass = ({ id }: JsonObject): boolean =>
  Array.isArray(id) && /Message(Chunk)?$/.test(typeof id.at(-1) === 'string' ? (id.at(-1) as string) : '')

/** The signs of LangChain messages in JavaScript and Python: dicts, constructors and plain fields. */
const signs: FormatSigns = {
  title: 'messages of LangChain',
  required: [
    [
      '`type` and `data`, `lc` and `kwargs` of a message class, or `type` and `content`',
      isAny(isDict, isEvery(isConstructor, isMessageClass), isFlat, isEvery(hasText('type'), hasOwnFields)),
    ],
    ['`content` that is a text or a list', (message) => hasReadableContent(message)],
  ],
  marks: [
    ['`lc` and `kwargs`', isConstructor],
    ['`type` and `data` with `content`', isDict],
    ['a `type` such as human or ai instead of a role', isFlat],
    ['`additional_kwargs` or `response_metadata`', isEvery(hasText('type'), hasOwnFields)],
  ],
}

function hasReadableContent(message: JsonObject): boolean {
  const { kwargs, data } = message
  const { content } = isObject(kwargs) ? kwargs : isObject(data) ? data : message
  return content === undefined || content === null || typeof content === 'string' || Array.isArray(content)
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['name', 'usage', 'finish'],
    part: ['cache', 'signature', 'citations', 'detail', 'transcript', 'summary', 'redacted', 'executedBy'],
    resultContent: ['cache', 'signature', 'citations', 'detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
