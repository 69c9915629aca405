import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { HuggingFaceHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'huggingface'

/** The slot of residue. */
export const HUGGINGFACE_SLOT: Slot<HuggingFaceHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

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
