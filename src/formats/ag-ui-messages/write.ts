import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { stringifyContent, toPlainContent } from '../engine/result-content.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import { AG_UI_SLOT, NAME } from './constants.ts'
import { writeContent } from './content-parts.ts'
import { writeSignedFields } from './own-metadata.ts'

/** Writes messages of AG-UI: one for each message, for each part of reasoning, and for each tool result. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return messages.flatMap(({ message, path }): readonly JsonObject[] => {
    const whole = getKeptMessage(message, NAME)
    if (whole !== undefined) return [whole]
    const results = writeResults(message, path, report)
    if (message.role === 'tool') return results
    if (message.role !== 'assistant') return [writeMessage(message, path, report)]
    const reasoning = writeReasoningMessages(message, path, report)
    const isAnswer =
      reasoning.length === 0 ||
      message.name !== undefined ||
      message.metadata !== undefined ||
      message.content.some(({ type }) => type !== 'reasoning' && type !== 'tool-result') ||
      getHints(message, AG_UI_SLOT).answer === true
    return [...reasoning, ...(isAnswer ? [writeMessage(message, path, report)] : []), ...results]
  })
}

/** Writes a message without its reasoning and its results, which are messages of their own. */
export function writeMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const { id, role, name, metadata } = message
  const isList = getHints(message, AG_UI_SLOT).parts === true
  const content =
    message.role === 'user'
      ? { content: writeContent(message.content, isList, path, report) }
      : message.role === 'assistant'
        ? writeAnswer(message.content, path, report)
        : { content: joinTexts(message.content, path, report) ?? '' }
  return applyResidue(
    omitUndefined({ id, role, ...content, name, metadata }) as JsonObject,
    message,
    AG_UI_SLOT,
  )
}

function writeAnswer(parts: readonly Part[], path: Path, report: FormatReporter): JsonObject {
  const at = (index: number): Path => child(child(path, 'content'), index)
  const firstCall = parts.findIndex(({ type }) => type === 'tool-call')
  const firstOther = parts.findIndex(({ type }) => type !== 'reasoning')
  const toolCalls = parts.flatMap((part, index): readonly JsonObject[] => {
    if (part.type === 'reasoning' && firstOther !== -1 && index > firstOther)
      report.add('order-lost', at(index))
    if (part.type === 'text' && firstCall !== -1 && index > firstCall) report.add('order-lost', at(index))
    if ('source' in part) report.add('dropped-media', at(index))
    return part.type === 'tool-call' ? [writeCall(part, at(index), report)] : []
  })
  return omitUndefined({
    content: joinTexts(parts, path, report),
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
  })
}

/** Returns the texts of a message as one text; undefined if there are none. */
function joinTexts(parts: readonly Part[], path: Path, report: FormatReporter): string | undefined {
  const texts: string[] = []
  const paths: Path[] = []
  parts.forEach((part, index) => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'opaque') report.add('foreign-opaque', at)
    if (part.type !== 'text' && part.type !== 'refusal') return
    if (part.type === 'refusal') report.add('refusal-as-text', at)
    if (part.signature !== undefined) report.add('signature-dropped', child(at, 'signature'))
    texts.push(part.text)
    paths.push(child(at, 'text'))
  })
  if (texts.length > 1) for (const at of paths) report.add('texts-concatenated', at)
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function writeReasoningMessages(
  { id, content }: Message,
  path: Path,
  report: FormatReporter,
): readonly JsonObject[] {
  const parts: readonly Part[] = content
  return parts.flatMap((part, index): readonly JsonObject[] =>
    part.type === 'reasoning'
      ? [writeReasoning(part, `${id}-${index}`, child(child(path, 'content'), index), report)]
      : [],
  )
}

/** Writes reasoning as a message. Reasoning that was read from AG-UI has its own id. */
export function writeReasoning(
  part: ReasoningPart,
  id: string,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { summary, redacted } = part
  const wire = {
    id: getHints(part, AG_UI_SLOT).id ?? id,
    role: 'reasoning',
    content: part.text,
    ...writeSignedFields(part, omitUndefined({ summary, redacted }), path, report),
  }
  return applyResidue(wire, part, AG_UI_SLOT)
}

/** Writes a call. */
export function writeCall(call: ToolCallPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { id, name, executedBy } = call
  const wire = {
    id,
    type: 'function',
    function: { name, arguments: stringifyArguments(call) },
    ...writeSignedFields(call, omitUndefined({ executedBy }), path, report),
  }
  return applyResidue(wire, call, AG_UI_SLOT)
}

function writeResults(message: Message, path: Path, report: FormatReporter): readonly JsonObject[] {
  const isTool = message.role === 'tool'
  if (isTool && message.name !== undefined) report.add('message-name', child(path, 'name'))
  if (isTool && message.metadata !== undefined) report.add('metadata-dropped', child(path, 'metadata'))
  return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (isTool && part.type === 'opaque') report.add('foreign-opaque', at)
    if (part.type !== 'tool-result') return []
    return [writeToolMessage(part, isTool && index === 0 ? message.id : `${message.id}-${index}`, at, report)]
  })
}

/** Writes a result as a tool message. A result that was read from AG-UI has its own id. */
export function writeToolMessage(
  result: ToolResultPart,
  id: string,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { callId, content, isError, name } = result
  if (name !== undefined) report.add('provider-result-name', child(path, 'name'))
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const hints = getHints(result, AG_UI_SLOT)
  const plain = toPlainContent(
    { ...result, content: content.filter((part) => part.type === 'text') },
    path,
    report,
  )
  const wire = omitUndefined({
    id: hints.id ?? id,
    role: 'tool',
    toolCallId: callId,
    content: writeContent(content, hints.parts === true, path, report),
    error: isError ? stringifyContent(plain) : undefined,
  }) as JsonObject
  return applyResidue(wire, result, AG_UI_SLOT)
}
