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

const MEDIA_TYPES = ['blob', 'uri', 'file'] as const

const hasContent = isEvery(hasValue('type', 'text', 'reasoning'), hasText('content'), isNot(hasKeys('text')))

/** The signs of the messages of spans, by the conventions of OpenTelemetry for generative AI. */
export const signs: FormatSigns = {
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
