import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part, TextPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { child, getKey, type Path } from '../../wire/json-pointer.ts'
import { createMediaText } from './content-fallback.ts'
import type { EncodeContext } from './encode-context.ts'
import type { MessageWithPath } from './tool-pairing.ts'

/** States which results require their media; see `ConversationWriter`. */
interface MediaRequirements {
  requiresMedia?(result: ToolResultPart): boolean
}

/** Returns true for media of a kind that the model does not accept. */
export function isRefusedByModel(part: Part, { refusedMedia }: Capabilities): boolean {
  return refusedMedia !== undefined && isMediaPart(part) && refusedMedia.includes(part.type)
}

/** Returns true if a message, or a tool result in it, contains media that the model does not accept. */
export function hasMediaRefusedByModel({ content }: Message, facts: Capabilities): boolean {
  const isRefused = (part: Part): boolean => isRefusedByModel(part, facts)
  return (content as readonly Part[]).some(
    (part) => isRefused(part) || (part.type === 'tool-result' && part.content.some(isRefused)),
  )
}

/**
 * Returns a message with descriptions in place of the media that its model does not accept; the same message if it contains no
 * such media. Results that require their media keep it.
 */
export function describeRefusedMedia(
  placed: MessageWithPath,
  writer: MediaRequirements,
  context: EncodeContext,
): MessageWithPath {
  const { message, path } = placed
  const { facts } = context
  if (path === undefined || facts.refusedMedia === undefined || !hasMediaRefusedByModel(message, facts))
    return placed
  const positions: number[] = []
  const content = (message.content as readonly Part[]).flatMap((part, index): readonly Part[] => {
    const partPath = child(child(path, 'content'), index)
    const kept =
      part.type !== 'tool-result'
        ? describePart(part, partPath, context)
        : writer.requiresMedia?.(part) === true
          ? [part]
          : [{ ...part, content: describeParts(part.content, child(partPath, 'content'), context) }]
    for (const _part of kept) positions.push(Number(getKey(partPath)))
    return kept
  })
  return {
    message: { ...message, content } as Message,
    path: { ...path, originalPositions: positions },
  }
}

function describeParts(
  parts: readonly ToolResultContent[],
  path: Path,
  context: EncodeContext,
): readonly ToolResultContent[] {
  return parts.flatMap((part, index) => describePart(part, child(path, index), context))
}

function describePart<T extends Part>(
  part: T,
  path: Path,
  context: EncodeContext,
): readonly (T | TextPart)[] {
  if (!isMediaPart(part) || !isRefusedByModel(part, context.facts)) return [part]
  const text = createMediaText(part, path, context, 'model-media')
  return text === undefined ? [] : [{ type: 'text', text, ...(part.cache && { cache: part.cache }) }]
}
