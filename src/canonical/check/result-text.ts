import type { MediaPart, ToolCallPart, ToolResultContent, ToolResultPart, UserPart } from '../model/part.ts'
import { textOf } from '../read/message-content.ts'

/** The content of a result that is added for a call without one. */
const MISSING_RESULT_TEXT = 'No result was recorded for this call.'

/** Returns the error result for a call that has none. */
export function createMissingResult({ name }: ToolCallPart, callId: string): ToolResultPart {
  return {
    type: 'tool-result',
    callId,
    name,
    content: [{ type: 'text', text: MISSING_RESULT_TEXT }],
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

/** Returns true for media: parts of a result that have a source. */
export function isMediaPart(part: ToolResultContent): part is MediaPart {
  return 'source' in part
}
