import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { writeBlock } from './blocks.ts'
import { MCP_SLOT } from './constants.ts'

/** Writes messages of MCP. Results are a user message of their own; system text is a field of the request. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return messages.flatMap(({ message, path }): readonly JsonObject[] => {
    if (message.role === 'system' || message.role === 'developer') {
      report.add('system-outside', child(path, 'content'))
      return []
    }
    if (message.role !== 'assistant') return [writeMessage(message, 'user', () => true, path, report)]
    const answer = writeMessage(message, 'assistant', ({ type }) => type !== 'tool-result', path, report)
    if (!message.content.some(({ type }) => type === 'tool-result')) return [answer]
    const results = writeBlocks(message, ({ type }) => type === 'tool-result', path, report)
    return [answer, { role: 'user', content: results }]
  })
}

function writeMessage(
  message: Message,
  role: 'user' | 'assistant',
  isIncluded: (part: Part) => boolean,
  path: Path,
  report: FormatReporter,
): JsonObject {
  const blocks = writeBlocks(message, isIncluded, path, report)
  const isList = getHints(message, MCP_SLOT).list === true
  const [only] = blocks
  const content: Json = blocks.length === 1 && only !== undefined && !isList ? only : blocks
  return applyResidue({ role, content }, message, MCP_SLOT)
}

function writeBlocks(
  message: Message,
  isIncluded: (part: Part) => boolean,
  path: Path,
  report: FormatReporter,
): readonly JsonObject[] {
  return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    if (!isIncluded(part)) return []
    const block = writeBlock(part, false, child(child(path, 'content'), index), report)
    return block === undefined ? [] : [block]
  })
}
