import { NO_RESULT } from '../canonical/check/call-rules.ts'
import { derivedId } from '../canonical/check/names.ts'
import type { ToolMessage } from '../canonical/model/message.ts'
import type {
  MediaPart,
  TextPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../canonical/model/part.ts'
import { sealOwn } from '../wire/frozen.ts'
import { describeResult } from './shared/describe.ts'

/** What answers a call that nobody answered, under the id that the call goes by. */
export function noResult({ name }: ToolCallPart, id: string): ToolResultPart {
  return {
    type: 'tool-result',
    callId: id,
    name,
    content: [{ type: 'text', text: NO_RESULT }],
    isError: true,
  }
}

/** A tool message that nobody wrote. */
export function resultMessage(content: readonly ToolResultPart[]): ToolMessage {
  const id = derivedId(
    'orphan-call',
    content.map(({ callId }) => callId),
  )
  return sealOwn<ToolMessage>({ id, role: 'tool', content })
}

/** What the user says before what a tool showed. */
export const SHOWN = '[The tool showed this.]'

/** What stands in the result for it. */
export function shownBelow({ type, name }: MediaPart): TextPart {
  return { type: 'text', text: `[${[type, ...(name === undefined ? [] : [name])].join(', ')}: shown below]` }
}

/** A result that no call waits for, as the user would tell it: words first, then what can only be shown. */
export function inWords(result: ToolResultPart): readonly UserPart[] {
  return [{ type: 'text', text: describeResult(result) }, ...result.content.filter(isMedia)]
}

/** Content that is not words: it has a source. */
export function isMedia(part: ToolResultContent): part is MediaPart {
  return 'source' in part
}
