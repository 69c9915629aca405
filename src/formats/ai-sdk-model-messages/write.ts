import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { buildPartMetadata } from '../ai-sdk-shared/provider-metadata.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { MODEL_SLOT } from './constants.ts'
import { writePart } from './parts.ts'
import { writeToolResult } from './tool-results.ts'

/** Writes messages as model messages, each as one message. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const callNames = new Map<string, string>()
  return messages.map(({ message, path }) => {
    for (const part of message.content) if (part.type === 'tool-call') callNames.set(part.id, part.name)
    const isSystem = message.role === 'system' || message.role === 'developer'
    const wire = isSystem
      ? writeSystemMessage(message, path, report)
      : { role: message.role, content: writeContent(message, path, callNames, report) }
    return applyResidue(wire, message, MODEL_SLOT)
  })
}

function writeSystemMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  if (message.role === 'developer') report.add('developer-role', child(path, 'role'))
  const contentPath = child(path, 'content')
  let providerOptions: JsonObject | undefined
  const texts = message.content.flatMap((part: Part, index) => {
    const at = child(contentPath, index)
    if (part.type !== 'text') {
      report.add('foreign-opaque', at)
      return []
    }
    providerOptions = { ...providerOptions, ...buildPartMetadata(part, at, report) }
    return [part.text]
  })
  if (texts.length > 1) report.add('texts-concatenated', contentPath)
  const hasOptions = providerOptions !== undefined && Object.keys(providerOptions).length > 0
  return { role: 'system', content: texts.join('\n\n'), ...(hasOptions && { providerOptions }) } as JsonObject
}

/** Writes the parts of a message: a text that was read as the content itself is written so again. */
function writeContent(
  message: Message,
  path: Path,
  callNames: ReadonlyMap<string, string>,
  report: FormatReporter,
): Json {
  const parts = message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-result') return [writeToolResult(part, callNames.get(part.callId), at, report)]
    const wire = writePart(part, at, report)
    return wire === undefined ? [] : [wire]
  })
  if (getHints(message, MODEL_SLOT).textContent !== true) return parts
  if (parts.length === 0) return ''
  const [only] = parts
  const isText = parts.length === 1 && only?.['type'] === 'text' && Object.keys(only).length === 2
  return isText ? (only['text'] as Json) : parts
}
