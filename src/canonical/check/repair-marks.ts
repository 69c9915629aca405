import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'

/** The rule whose repair makes results up. */
export const ORPHAN_CALL_RULE_ID = 'orphan-call'

/** Metadata that says which rules' repairs touched its owner: `interlingua.repaired`, beside what stood there. */
export function addRepairMark(rule: string, metadata: JsonObject = {}): JsonObject {
  const ours = isObject(metadata['interlingua']) ? metadata['interlingua'] : {}
  const repaired = readRepairMarks(metadata)
  return {
    ...metadata,
    interlingua: { ...ours, repaired: repaired.includes(rule) ? repaired : [...repaired, rule] },
  }
}

/** A message of our own with other fields, marked as touched by the rule. */
export function markRepaired(
  message: Message,
  rule: string,
  fields: { id?: string; content?: readonly Part[] } = {},
): Message {
  return freezeCopy({ ...message, ...fields, metadata: addRepairMark(rule, message.metadata) } as Message)
}

/** Whether a repair made this result up. */
export function isSynthesizedResult(part: Part): boolean {
  return readRepairMarks(part.metadata).includes(ORPHAN_CALL_RULE_ID)
}

function readRepairMarks(metadata: JsonObject | undefined): readonly string[] {
  const ours = metadata?.['interlingua']
  const repaired = isObject(ours) ? ours['repaired'] : undefined
  return Array.isArray(repaired) ? repaired.filter((rule) => typeof rule === 'string') : []
}
