import type { JsonObject } from '../../wire/json.ts'
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

/** Items of tools, which the Responses API has with `call_id` instead of `callId`. */
const CALL_TYPES = ['function_call', 'computer_call', 'shell_call', 'apply_patch_call', 'program'] as const

/** Items of tools that only this library has under these names. */
const OWN_TYPES = ['function_call_result', 'computer_call_result', 'hosted_tool_call'] as const

const ROLES = ['system', 'user', 'assistant'] as const

const isMessage = isEvery(
  isNot(hasKeys('data')),
  (item: JsonObject) => !Object.hasOwn(item, 'type') || item['type'] === 'message',
  hasValue('role', ...ROLES),
  isAny(hasText('content'), hasList('content')),
)

/** The signs of the items of the OpenAI Agents SDK, as histories and sessions contain them. */
const signs: FormatSigns = {
  title: 'items of the OpenAI Agents SDK',
  required: [
    [
      '`type` of an item, or `role` and `content` of a message',
      isAny(isMessage, isEvery(hasText('type'), isNot(hasValue('type', 'message')), isNot(hasKeys('role')))),
    ],
  ],
  marks: [
    ['an item of a tool with `callId`', isEvery(hasValue('type', ...CALL_TYPES), hasKeys('callId'))],
    ['a result or a hosted call', hasValue('type', ...OWN_TYPES)],
    [
      'reasoning with `content`',
      isEvery(hasValue('type', 'reasoning'), hasList('content'), isNot(hasKeys('summary'))),
    ],
    [
      'media of the types input_image or input_file',
      hasItem(
        'content',
        isAny(
          isEvery(hasValue('type', 'input_image'), hasKeys('image')),
          isEvery(hasValue('type', 'input_file'), hasKeys('file')),
        ),
      ),
    ],
    [
      'an answer without annotations',
      isEvery(
        hasValue('role', 'assistant'),
        hasText('status'),
        hasItem('content', isEvery(hasValue('type', 'output_text'), isNot(hasKeys('annotations')))),
      ),
    ],
    ['`providerData`', isEvery(hasKeys('providerData'), isNot(hasKeys('parts')))],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: [],
    part: ['signature', 'detail', 'transcript', 'summary', 'executedBy'],
    resultContent: ['signature', 'detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
