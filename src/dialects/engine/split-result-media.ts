import { isMediaPart } from '../../canonical/read/message-content.ts'
import type {
  MediaPart,
  TextPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../canonical/model/part.ts'

/** The text before media that were moved from a tool result to a user message. */
const MEDIA_INTRODUCTION: TextPart = { type: 'text', text: '[The tool showed this.]' }

/** A result with texts in place of its media, and the content of the user message that shows the media. */
export interface SplitResult {
  readonly result: ToolResultPart
  readonly userContent: readonly UserPart[]
}

/** Separates media that a result cannot contain; undefined if there are none. */
export function splitMediaFromResult(
  result: ToolResultPart,
  shouldMoveToUser: (part: MediaPart, result: ToolResultPart) => boolean,
): SplitResult | undefined {
  if (!result.content.some(isMediaPart)) return undefined
  const isMoved = (each: ToolResultContent): each is MediaPart =>
    isMediaPart(each) && shouldMoveToUser(each, result)
  if (!result.content.some(isMoved)) return undefined
  const content = result.content.map((each) => (isMoved(each) ? createMediaReference(each) : each))
  return {
    result: { ...result, content },
    userContent: [MEDIA_INTRODUCTION, ...result.content.filter(isMoved)],
  }
}

/** Returns the text that replaces moved media in its tool result. */
function createMediaReference({ type, name }: MediaPart): TextPart {
  return { type: 'text', text: `[${name === undefined ? type : `${type}, ${name}`}: shown below]` }
}
