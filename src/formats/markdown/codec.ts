import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasText } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME, ROLE_HEADINGS } from './constants.ts'
import { readRecord } from './read.ts'
import { writeRecord } from './write.ts'

/** The signs of one transcript. */
const signs: FormatSigns = {
  title: 'Markdown transcripts',
  item: 'a transcript',
  required: [['`markdown`: a text', hasText('markdown')]],
  marks: [['`markdown`', hasText('markdown')]],
}

const ROLE_LINE = new RegExp(`^(${Object.values(ROLE_HEADINGS).join('|')})[ \\t]*$`, 'm')

/** Returns true for text with the heading of a message. */
function isTranscript(text: string): boolean {
  return ROLE_LINE.test(text)
}

/** The fields of parts that JSON in a fence contains. */
const PART_FIELDS = [
  'cache',
  'signature',
  'metadata',
  'citations',
  'detail',
  'transcript',
  'summary',
  'redacted',
  'executedBy',
] as const

/** The reader and the writer of one transcript. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: ['tools'],
  textKey: 'markdown',
  carries: {
    message: ['createdAt', 'parentId', 'origin', 'usage', 'finish', 'name', 'metadata'],
    part: PART_FIELDS,
    resultContent: PART_FIELDS,
  },
  readText: (text) => (isTranscript(text) ? { markdown: text } : undefined),
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one transcript. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
