import type { AssistantMessage, Message, ToolMessage } from '../../canonical/model/message.ts'
import type { Part, TextPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { reportUsageDetails } from '../engine/omitted-fields.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { writeOpenaiPart } from '../openai-shared/parts.ts'
import { LARAGENT_SLOT, PART_FORMAT } from './constants.ts'
import { writeCall, writeFields, writeToolMessage } from './tools.ts'

/** Writes messages of LarAgent: each result is a message, and so are the calls of an answer that has text. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return messages.flatMap(({ message, path }) => {
    if (message.role === 'tool') return writeResults(message, path, report)
    if (message.role === 'assistant')
      return [...writeAnswer(message, path, report), ...writeResults(message, path, report)]
    const parts = writeParts(message, path, report)
    const wire = { role: message.role, content: writeContent(message, parts), ...writeFields(message) }
    return [applyResidue(wire, message, LARAGENT_SLOT)]
  })
}

function writeResults(
  message: AssistantMessage | ToolMessage,
  path: Path,
  report: FormatReporter,
): readonly JsonObject[] {
  let fields = message.role === 'tool' ? message : undefined
  return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-result') {
      const wire = writeToolMessage(part, fields, at, report)
      if (part.signature !== undefined) report.add('signature-dropped', child(at, 'signature'))
      fields = undefined
      return [wire]
    }
    if (message.role === 'tool') report.add('foreign-opaque', at)
    return []
  })
}

function writeAnswer(message: AssistantMessage, path: Path, report: FormatReporter): readonly JsonObject[] {
  const calls = message.content.filter((part) => part.type === 'tool-call')
  const parts = writeParts(message, path, report)
  const signature = writeSignatures(message, calls, path, report)
  const { usage } = message
  if (usage !== undefined) reportUsageDetails(usage, path, report)
  const fields = {
    ...writeFields(message),
    ...(usage && {
      usage: {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.totalTokens,
      },
    }),
    ...(signature !== undefined && { extras: { thought_signature: signature } }),
  }
  const role = 'assistant'
  const entries = calls.map(writeCall)
  if (calls.length === 0)
    return [applyResidue({ role, content: writeContent(message, parts), ...fields }, message, LARAGENT_SLOT)]
  if (parts.length === 0 || getHints(message, LARAGENT_SLOT).together === true) {
    const content = parts.length === 0 && !isText(message) ? null : writeContent(message, parts)
    return [applyResidue({ role, content, tool_calls: entries, ...fields }, message, LARAGENT_SLOT)]
  }
  // LarAgent ignores the content of a message with calls.
  return [
    applyResidue({ role, content: writeContent(message, parts), ...fields }, message, LARAGENT_SLOT),
    { role, content: null, tool_calls: entries, message_uuid: `${message.id}_calls` },
  ]
}

const isText = (message: Message): boolean => getHints(message, LARAGENT_SLOT).form === 'text'

const isList = (message: Message): boolean => getHints(message, LARAGENT_SLOT).form === 'list'

/** Writes the parts of a message. Answers have only text. */
function writeParts(message: Message, path: Path, report: FormatReporter): readonly JsonObject[] {
  const parts: readonly Part[] = message.content
  const lastContent = parts.findLastIndex(({ type }) => type !== 'tool-call' && type !== 'tool-result')
  return parts.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-call' && index < lastContent) report.add('order-lost', at)
    if (message.role !== 'assistant' && part.signature !== undefined)
      report.add('signature-dropped', child(at, 'signature'))
    if ('source' in part && message.role === 'assistant' && !isList(message)) {
      report.add('dropped-media', at)
      return []
    }
    const block = writeOpenaiPart(part, at, report, PART_FORMAT)
    return block === undefined ? [] : [block]
  })
}

function writeContent(message: Message, parts: readonly JsonObject[]): Json {
  const [only] = parts
  if (isText(message)) {
    const text = parts.length === 1 && Object.keys(only ?? {}).length === 2 ? only?.['text'] : undefined
    if (parts.length === 0 || typeof text === 'string') return text ?? ''
  }
  if (message.role !== 'assistant' || isList(message) || parts.length > 1) return parts
  return only ?? ''
}

/** Reports the signatures that are not written, and returns the one that LarAgent has for the text of an answer. */
function writeSignatures(
  { content }: AssistantMessage,
  calls: readonly ToolCallPart[],
  path: Path,
  report: FormatReporter,
): string | undefined {
  const signedText: TextPart | undefined =
    calls.length === 0 ? content.findLast((part) => part.type === 'text') : undefined
  content.forEach((part: Part, index) => {
    if (part.signature === undefined || part.type === 'tool-result') return
    const at = child(child(child(path, 'content'), index), 'signature')
    const isWritten = (part === signedText || part.type === 'tool-call') && part.signature.vendor === 'google'
    if (!isWritten) report.add('signature-dropped', at)
    else if (!isSignatureValid(part)) report.add('stale-signature', at)
  })
  const { signature } = signedText ?? {}
  return signedText && signature?.vendor === 'google' && isSignatureValid(signedText)
    ? signature.value
    : undefined
}
