import type { ToolMessage } from '../../canonical/model/message.ts'
import type { MediaPart, TextPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { deriveMessageId } from '../../wire/unique-names.ts'

/** Returns a tool message that is not in the conversation. */
export function createResultMessage(content: readonly ToolResultPart[]): ToolMessage {
  const id = deriveMessageId(
    'orphan-call',
    content.map(({ callId }) => callId),
  )
  return freezeOwned<ToolMessage>({ id, role: 'tool', content })
}

/** The text before media that were moved from a tool result to a user message. */
export const MEDIA_INTRODUCTION = '[The tool showed this.]'

/** Returns the text that replaces moved media in its tool result. */
export function createMediaReference({ type, name }: MediaPart): TextPart {
  return { type: 'text', text: `[${[type, ...(name === undefined ? [] : [name])].join(', ')}: shown below]` }
}
