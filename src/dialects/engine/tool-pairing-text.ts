import { MISSING_RESULT_TEXT } from '../../canonical/check/tool-rules.ts'
import { deriveMessageId } from '../../wire/unique-names.ts'
import type { ToolMessage } from '../../canonical/model/message.ts'
import type {
  MediaPart,
  TextPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { describeResult } from './text-fallback.ts'

/** What answers a call that nobody answered, under the id that the call goes by. */
export function createNoResultPart({ name }: ToolCallPart, id: string): ToolResultPart {
  return {
    type: 'tool-result',
    callId: id,
    name,
    content: [{ type: 'text', text: MISSING_RESULT_TEXT }],
    isError: true,
  }
}

/** A tool message that nobody wrote. */
export function createResultMessage(content: readonly ToolResultPart[]): ToolMessage {
  const id = deriveMessageId(
    'orphan-call',
    content.map(({ callId }) => callId),
  )
  return freezeOwned<ToolMessage>({ id, role: 'tool', content })
}

/** What the user says before what a tool showed. */
export const MEDIA_INTRODUCTION = '[The tool showed this.]'

/** What stands in the result for it. */
export function createMediaReference({ type, name }: MediaPart): TextPart {
  return { type: 'text', text: `[${[type, ...(name === undefined ? [] : [name])].join(', ')}: shown below]` }
}

/** A result that no call waits for, as the user would tell it: words first, then what can only be shown. */
export function createResultTextFallback(result: ToolResultPart): readonly UserPart[] {
  return [{ type: 'text', text: describeResult(result) }, ...result.content.filter(isMediaPart)]
}

/** Content that is not words: it has a source. */
export function isMediaPart(part: ToolResultContent): part is MediaPart {
  return 'source' in part
}
