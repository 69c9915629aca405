import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { Message } from '../../canonical/model/message.ts'
import {
  type AssistantPart,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../../canonical/model/part.ts'
import { applyResidue } from '../../dialects/engine/residue-slots.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { MSG_IO_SLOT, NAME } from './constants.ts'
import { writeContent } from './parts.ts'
import { isHidden, joinTexts, listWrittenSignatures, writeExtra } from './reasoning.ts'

/** Writes messages of llm-msg-io: one for each message, and one for each tool result. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return messages.flatMap(({ message, path }) => {
    const raw = getKeptMessage(message, NAME)
    if (raw !== undefined) return [raw]
    const results = message.content.flatMap((part: Part, index): readonly JsonObject[] => {
      const at = child(child(path, 'content'), index)
      if (part.type === 'tool-result') return [writeToolMessage(part, at, report)]
      if (message.role === 'tool') report.add('foreign-opaque', at)
      return []
    })
    if (message.role !== 'tool') return [writeMessage(message, path, report), ...results]
    // The name of a tool message is that of its tool.
    if (message.name !== undefined) report.add('message-name', child(path, 'name'))
    return results
  })
}

function writeMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const parts = message.content as readonly AssistantPart[]
  const paths = new Map<Part, Path>(parts.map((part, index) => [part, child(child(path, 'content'), index)]))
  const written = listWrittenSignatures(parts)
  for (const part of parts) {
    const path = paths.get(part)
    if (part.signature !== undefined && !written.has(part))
      report.add('signature-dropped', child(path, 'signature'))
    // Only the hidden blocks of Claude are marked.
    if (part.type === 'reasoning' && part.redacted === true && !(written.has(part) && isHidden(part)))
      report.add('reasoning-mark', child(path, 'redacted'))
  }
  reportJoinedTexts(parts, written, paths, report)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const refusals = parts.filter((part) => part.type === 'refusal').map(({ text }) => text)
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  const signed = joinTexts(thoughts.filter((part) => written.has(part)))
  // The reader takes this text as a repetition of the blocks if it is equal to them, and otherwise as a part before them.
  const reasoning = joinTexts(thoughts.filter((part) => !written.has(part))) || signed
  const wire = omitUndefined({
    role: message.role,
    content: writeContent(message, parts, (part) => paths.get(part), report),
    reasoning: reasoning === '' ? undefined : reasoning,
    refusal: refusals.length === 0 ? undefined : refusals.join('\n'),
    tool_calls: calls.length === 0 ? undefined : calls.map(writeCall),
    id: message.id,
    name: message.name,
    extra: writeExtra(parts),
  }) as JsonObject
  return applyResidue(wire, message, MSG_IO_SLOT)
}

/** Reports texts of reasoning and refusals that become one text, or that the blocks of Claude will follow instead of precede. */
function reportJoinedTexts(
  parts: readonly AssistantPart[],
  written: ReadonlySet<Part>,
  paths: ReadonlyMap<Part, Path>,
  report: FormatReporter,
): void {
  for (const type of ['reasoning', 'refusal'] as const) {
    const texts = parts.filter((part) => part.type === type && !written.has(part))
    if (texts.length < 2) continue
    for (const part of texts) report.add('texts-concatenated', child(paths.get(part), 'text'))
  }
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const firstBlock = reasoning.findIndex((part) => written.has(part))
  for (const [index, part] of reasoning.entries())
    if (firstBlock !== -1 && index > firstBlock && !written.has(part))
      report.add('order-lost', paths.get(part))
}

/** Writes a call. */
export function writeCall(call: ToolCallPart): JsonObject {
  const { id, name } = call
  return applyResidue({ id, name, arguments: stringifyArguments(call) }, call, MSG_IO_SLOT)
}

/** Writes a result as a tool message. */
export function writeToolMessage(
  result: ToolResultPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  if (result.isError) report.add('error-as-text', path)
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const paths = new Map<Part, Path>(
    result.content.map((part, index) => [part, child(child(path, 'content'), index)]),
  )
  const wire = omitUndefined({
    role: 'tool',
    content: writeContent(result, result.content, (part) => paths.get(part), report),
    call_id: result.callId,
    name: result.name,
  }) as JsonObject
  return applyResidue(wire, result, MSG_IO_SLOT)
}
