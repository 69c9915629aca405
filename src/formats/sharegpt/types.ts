import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'sharegpt'

/** The names of the hints: `column` is system text beside the messages, `list` are calls in a list, `from` is another role name. */
export type ShareGptHintName = 'column' | 'list' | 'from' | 'rejected'

/** The slot of residue. */
export const SHAREGPT_SLOT: Slot<ShareGptHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** What an entry is: a message of a role, calls, or the result of a call. */
type EntryKind = 'system' | 'user' | 'assistant' | 'calls' | 'result'

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

/** A message of a conversation. */
export interface ShareGptEntry {
  from: string
  value: string
  [field: string]: Json
}

/** A conversation of ShareGPT. */
export interface ShareGptRecord {
  conversations: ShareGptEntry[]
  system?: string
  tools?: string
  [column: string]: Json | JsonObject[] | ShareGptEntry[] | undefined
}
