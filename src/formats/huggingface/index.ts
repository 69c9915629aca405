import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { HuggingFaceRow } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { HuggingFaceRow } from './types.ts'

/**
 * Rows of Hugging Face datasets, with the columns of TRL: `messages`, `prompt` and `completion`, or `prompt`, `chosen` and
 * `rejected`, with `tools` and `images`. Of a preference pair, the chosen answer is the current branch.
 *
 * @example
 * const [first] = huggingFace.fromConversations(await readFile('train.jsonl', 'utf8'))
 * const row = JSON.stringify(huggingFace.toConversation(first.value).value)
 */
export const huggingFace: ConversationFormat<typeof NAME, HuggingFaceRow> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
