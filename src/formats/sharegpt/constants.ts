import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { EntryKind, ShareGptHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'sharegpt'

/** The slot of residue. */
export const SHAREGPT_SLOT: Slot<ShareGptHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/**
 * The kinds of entries by `from`, the written name of a kind first. Sources: `data/README.md` of LLaMA-Factory (human, gpt,
 * system, function_call, observation), the conversation formats of axolotl, and the names that published datasets use.
 */
export const ENTRY_KINDS: readonly (readonly [from: string, kind: EntryKind])[] = [
  ['system', 'system'],
  ['human', 'user'],
  ['user', 'user'],
  ['gpt', 'assistant'],
  ['assistant', 'assistant'],
  ['chatgpt', 'assistant'],
  ['model', 'assistant'],
  ['function_call', 'calls'],
  ['tool_call', 'calls'],
  ['observation', 'result'],
  ['tool', 'result'],
  ['function_response', 'result'],
  ['tool_response', 'result'],
]
