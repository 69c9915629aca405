import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { DartanticHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'dartantic'

/** The slot of residue. */
export const DARTANTIC_SLOT: Slot<DartanticHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The field of the metadata with the text and the signature of a thinking block of Anthropic. */
export const THINKING_BLOCK_FIELD = '_anthropic_thinking_block'

/** The field of the metadata with the reasoning of versions without thinking parts. */
export const THINKING_FIELD = 'thinking'

/** The kinds of parts, by the names of versions 1 and 2 and by those of version 3, which uses genai_primitives. */
export const PART_KINDS: ReadonlyMap<unknown, 'text' | 'thinking' | 'data' | 'link' | 'tool'> = new Map([
  ['Text', 'text'],
  ['TextPart', 'text'],
  ['Thinking', 'thinking'],
  ['ThinkingPart', 'thinking'],
  ['Data', 'data'],
  ['DataPart', 'data'],
  ['Link', 'link'],
  ['LinkPart', 'link'],
  ['Tool', 'tool'],
  ['ToolPart', 'tool'],
])
