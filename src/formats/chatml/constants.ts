import type { Message } from '../../canonical/model/message.ts'
import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import { createMarkerEscapes, type MarkerEscapes } from '../engine/marker-escapes.ts'
import type { ChatMlHintName, TaggedContentKind } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'chatml'

/** The slot of residue. */
export const CHATML_SLOT: Slot<ChatMlHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The marker before the role of a turn. */
export const TURN_START = '<|im_start|>'

/** The marker after a turn. */
export const TURN_END = '<|im_end|>'

/**
 * The tags of content. Sources: the chat templates of Qwen2.5 and Qwen3, and the Hermes function calling format of
 * Nous Research.
 */
export const TAGS = {
  reasoning: 'think',
  call: 'tool_call',
  result: 'tool_response',
  tools: 'tools',
} as const

const TURN_MARKERS = [TURN_START, TURN_END, '<|endoftext|>']

const toTags = (...tags: readonly string[]): readonly string[] =>
  tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`])

/** The escapes of the markers that are structure in a place: a system text may describe how to write calls. */
export const markerEscapes: { readonly [place in TaggedContentKind]: MarkerEscapes } = {
  system: /* @__PURE__ */ createMarkerEscapes([...TURN_MARKERS, ...toTags(TAGS.tools)]),
  user: /* @__PURE__ */ createMarkerEscapes([...TURN_MARKERS, ...toTags(TAGS.result)]),
  assistant: /* @__PURE__ */ createMarkerEscapes([...TURN_MARKERS, ...toTags(TAGS.reasoning, TAGS.call)]),
  result: /* @__PURE__ */ createMarkerEscapes([...TURN_MARKERS, ...toTags(TAGS.result)]),
  plain: /* @__PURE__ */ createMarkerEscapes(TURN_MARKERS),
}

/** The heading of the tools in the system turn. */
export const TOOLS_HEADING = '# Tools'

/** The written roles. A turn with results has the role of the user, as Qwen writes it. */
export const ROLE_NAMES: { readonly [role in Message['role']]: string } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

/** The canonical roles of turns. A turn with another role is kept as it is. */
export const CHATML_ROLES: { readonly [name: string]: Message['role'] } = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
}
