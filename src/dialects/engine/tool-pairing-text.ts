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

/** Creates the result of a call that has none, for the id under which the call is sent. */
export function createNoResultPart({ name }: ToolCallPart, id: string): ToolResultPart {
  return {
    type: 'tool-result',
    callId: id,
    name,
    content: [{ type: 'text', text: MISSING_RESULT_TEXT }],
    isError: true,
  }
}

/** Creates a tool message that is not in the conversation. */
export function createResultMessage(content: readonly ToolResultPart[]): ToolMessage {
  const id = deriveMessageId(
    'orphan-call',
    content.map(({ callId }) => callId),
  )
  return freezeOwned<ToolMessage>({ id, role: 'tool', content })
}

/** The text before media that was moved from a tool result to a user message. */
export const MEDIA_INTRODUCTION = '[Media from the tool result:]'

/** Creates the text that replaces moved media in a tool result. */
export function createMediaReference({ type, name }: MediaPart): TextPart {
  return { type: 'text', text: `[${[type, ...(name === undefined ? [] : [name])].join(', ')}: shown below]` }
}

/** Describes a result without a call as the content of a user message: its text, then its media. */
export function createResultTextFallback(result: ToolResultPart): readonly UserPart[] {
  return [{ type: 'text', text: describeResult(result) }, ...result.content.filter(isMediaPart)]
}

/** Returns true for media, which have a source. */
export function isMediaPart(part: ToolResultContent): part is MediaPart {
  return 'source' in part
}
