import type { ToolCallPart, ToolResultPart, UserPart } from '../model/part.ts'
import { isMediaPart, textOf } from '../read/message-content.ts'

/** Returns the error result for a call that has none. */
export function createMissingResult({ name }: ToolCallPart, callId: string): ToolResultPart {
  return {
    type: 'tool-result',
    callId,
    name,
    content: [{ type: 'text', text: 'No result was recorded for this call.' }],
    isError: true,
  }
}

/** Returns a tool result as text, with the name of its tool. */
export function describeResult(result: ToolResultPart): string {
  return `[${result.name ?? 'result'}: ${textOf(result, '\n')}]`
}

/** Returns the content of a user message for a result that answers no open call: its description, then its media. */
export function describeUnpairedResult(result: ToolResultPart): readonly UserPart[] {
  return [{ type: 'text', text: describeResult(result) }, ...result.content.filter(isMediaPart)]
}
