import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'huggingface'

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

/** The slot of residue. */
export const HUGGINGFACE_SLOT: Slot<HuggingFaceHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The columns of a row that contain its messages. */
export interface RowLayout {
  readonly name: string
  /** The columns of the current branch, one after another. */
  readonly columns: readonly string[]
  /** The column of the other branch, which starts where the last column of the current branch starts. */
  readonly rejected?: string
}

/**
 * The layouts of rows, in the order in which they are looked for: a pair may also contain its chosen conversation as `messages`.
 * Source: "Dataset formats and types" of the documentation of TRL.
 */
export const ROW_LAYOUTS: readonly RowLayout[] = [
  { name: 'preference', columns: ['prompt', 'chosen'], rejected: 'rejected' },
  { name: 'implicit-preference', columns: ['chosen'], rejected: 'rejected' },
  { name: 'messages', columns: ['messages'] },
  { name: 'prompt-completion', columns: ['prompt', 'completion'] },
  { name: 'prompt', columns: ['prompt'] },
]

/** The layouts whose columns may contain a text instead of messages. */
export const TEXT_LAYOUTS: readonly RowLayout[] = /* @__PURE__ */ ROW_LAYOUTS.filter(
  ({ columns }) => columns.length > 1,
)

/** The role of a column that contains a text. */
export const TEXT_ROLES: { readonly [column: string]: string } = {
  prompt: 'user',
  completion: 'assistant',
  chosen: 'assistant',
  rejected: 'assistant',
}

/**
 * The keys of reasoning, the written one first. Source: the chat templates of Qwen3, GLM and DeepSeek (`reasoning_content`),
 * of gpt-oss and LFM2 (`thinking`), and of Gemma (`reasoning`).
 */
export const REASONING_KEYS = ['reasoning_content', 'thinking', 'reasoning'] as const

/** The keys under which a block of media has its source. Source: `apply_chat_template` of transformers. */
export const SOURCE_KEYS = ['url', 'image', 'audio', 'video', 'path', 'base64'] as const

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
