import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { MarkdownRecord } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { MarkdownRecord } from './types.ts'

/**
 * Transcripts in Markdown that people can read and edit: a heading for each message, its text below, and any other part as JSON
 * in a fence. Text that contains headings or fences stays text.
 *
 * @example
 * const { value } = markdown.toConversation(request)
 * await writeFile('weather.md', value.markdown)
 */
export const markdown: ConversationFormat<typeof NAME, MarkdownRecord> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
