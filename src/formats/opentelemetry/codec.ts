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
import { writeMessages } from './write.ts'

const MEDIA_TYPES = ['blob', 'uri', 'file'] as const

const hasContent = isEvery(hasValue('type', 'text', 'reasoning'), hasText('content'), isNot(hasKeys('text')))

/** The signs of the messages of spans, by the conventions of OpenTelemetry for generative AI. */
const signs: FormatSigns = {
  title: 'messages of OpenTelemetry spans',
  required: [
    ['`role`', hasText('role')],
    ['`parts`: a list', hasList('parts')],
  ],
  marks: [
    ['parts with `content` instead of text', hasItem('parts', hasContent)],
    ['a tool_call part', hasItem('parts', isEvery(hasValue('type', 'tool_call'), hasText('name')))],
    ['a tool_call_response part', hasItem('parts', hasValue('type', 'tool_call_response'))],
    [
      'a part of a server tool',
      hasItem('parts', isAny(hasObject('server_tool_call'), hasObject('server_tool_call_response'))),
    ],
    [
      'media with a `modality`',
      hasItem('parts', isEvery(hasValue('type', ...MEDIA_TYPES), hasText('modality'))),
    ],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['name', 'finish'],
    part: ['transcript', 'executedBy'],
    resultContent: ['transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
