import { frozenCopy } from '../../wire/frozen.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'

/** The rule whose repair makes results up. */
export const ORPHAN_CALL = 'orphan-call'

/** Metadata that says which rules' repairs touched its owner: `interlingua.repaired`, beside what stood there. */
export function markOf(rule: string, metadata: JsonObject = {}): JsonObject {
  const ours = isObject(metadata['interlingua']) ? metadata['interlingua'] : {}
  const repaired = repairsOf(metadata)
  return {
    ...metadata,
    interlingua: { ...ours, repaired: repaired.includes(rule) ? repaired : [...repaired, rule] },
  }
}

/** A message of our own with other fields, marked as touched by the rule. */
export function touched(
  message: Message,
  rule: string,
  fields: { id?: string; content?: readonly Part[] } = {},
): Message {
  return frozenCopy({ ...message, ...fields, metadata: markOf(rule, message.metadata) } as Message)
}

/** Whether a repair made this result up. */
export function isSynthesized(part: Part): boolean {
  return repairsOf(part.metadata).includes(ORPHAN_CALL)
}

function repairsOf(metadata: JsonObject | undefined): readonly string[] {
  const ours = metadata?.['interlingua']
  const repaired = isObject(ours) ? ours['repaired'] : undefined
  return Array.isArray(repaired) ? repaired.filter((rule) => typeof rule === 'string') : []
}
