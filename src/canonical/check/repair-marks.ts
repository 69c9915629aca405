import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'

/** The id of the rule whose repair adds results. */
export const ORPHAN_CALL_RULE_ID = 'orphan-call'

/** Returns the metadata with the ids of the rules whose repairs changed its owner added to `interlingua.repaired`. */
export function addRepairMark(rules: string | readonly string[], metadata: JsonObject = {}): JsonObject {
  const ours = isObject(metadata['interlingua']) ? metadata['interlingua'] : {}
  const repaired = [...new Set([...readRepairMarks(metadata), ...[rules].flat()])]
  return { ...metadata, interlingua: { ...ours, repaired } }
}

/** Returns a frozen copy of the message with other fields, marked as changed by the rules. */
export function markRepaired(
  message: Message,
  rules: string | readonly string[],
  fields: { id?: string; content?: readonly Part[] } = {},
): Message {
  return freezeCopy({ ...message, ...fields, metadata: addRepairMark(rules, message.metadata) } as Message)
}

/** Returns true for a result that a repair added. */
export function isSynthesizedResult(part: Part): boolean {
  return readRepairMarks(part.metadata).includes(ORPHAN_CALL_RULE_ID)
}

function readRepairMarks(metadata: JsonObject | undefined): readonly string[] {
  const ours = metadata?.['interlingua']
  const repaired = isObject(ours) ? ours['repaired'] : undefined
  return Array.isArray(repaired) ? repaired.filter((rule) => typeof rule === 'string') : []
}
