import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { isStf, readStf } from './stf-read.ts'
import { writeMessages } from './write.ts'

/** A call has its name and its arguments beside its id; OpenAI nests them in `function`. */
const isFlatCall = isEvery(hasText('name'), hasText('arguments'), isNot(hasKeys('function')))

/** The first line of an NDJSON file may contain only metadata. */
const isMetadata = isEvery(hasKeys('metadata'), isNot(hasKeys('role')))

/** The signs of the messages of llm-msg-io, in JSON and NDJSON files. */
const signs: FormatSigns = {
  title: 'messages of llm-msg-io',
  required: [
    ['`role`', isAny(hasText('role'), isMetadata)],
    ['`content` that is a text or a list', isAny(hasText('content'), hasList('content'), isMetadata)],
  ],
  marks: [
    ['`tool_calls` with a name beside the arguments', hasItem('tool_calls', isFlatCall)],
    ['the role tool with `call_id`', isEvery(hasValue('role', 'tool'), hasText('call_id'))],
    ['thought signatures in `extra`', hasObject('extra', hasObject('gemini', hasList('thought_signatures')))],
    ['thinking blocks in `extra`', hasObject('extra', hasObject('claude', hasList('thinking_blocks')))],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: { message: ['name'], part: ['signature', 'redacted'], resultContent: [] },
  readText: (text) => (isStf(text) ? readStf(text) : undefined),
  read: readMessages,
  write: writeMessages,
}
