import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints. Of a row: `layout` is the name of its layout, `answer` the number of messages in its last column,
 * `rejected` the rejected answer, `texts` are columns that contain a text, `tools` is the form of its tools, `image` is a column
 * with one image. Of a message: `reasoning` is the key of its reasoning, `list` is content that is a list. Of a call: `text` are arguments as
 * text, `flat` is a call without `function`. Of media: `key` is the key of its source, `unplaced` is an image of the column
 * without a block, `bytes` is an image as an object with bytes.
 */
export type HuggingFaceHintName =
  | 'layout'
  | 'answer'
  | 'rejected'
  | 'texts'
  | 'tools'
  | 'image'
  | 'reasoning'
  | 'list'
  | 'text'
  | 'flat'
  | 'key'
  | 'unplaced'
  | 'bytes'

/** A row of a dataset: messages in one or several columns, and tools. */
export interface HuggingFaceRow {
  messages?: JsonObject[]
  prompt?: JsonObject[] | string
  completion?: JsonObject[] | string
  chosen?: JsonObject[] | string
  rejected?: JsonObject[] | string
  tools?: JsonObject[] | string
  images?: Json[]
  [column: string]: Json | Json[] | JsonObject[] | undefined
}
