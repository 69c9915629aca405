import type { Json } from '../../wire/json.ts'

/** A conversation as Markdown. */
export interface MarkdownRecord {
  markdown: string
  [column: string]: Json
}
