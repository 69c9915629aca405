import type { Part, ToolCallPart } from '../../canonical/model/part.ts'

/** Whether a part is a call that the application answers, not the provider. */
export function isOwnCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.executedBy === undefined
}
