import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { Part, ToolCallPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { type Json, type JsonObject, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { writeFinish, writeUsage } from './answer-fields.ts'
import { writeBlock } from './blocks.ts'
import { GEMINI_SIGNATURES, writeCallEntry, writeOpenaiCall } from './calls.ts'
import { LANGCHAIN_SLOT, NAME } from './constants.ts'
import { wrapMessage } from './wrap-message.ts'
import { isProviderResult, writeProviderCall, writeProviderResult } from './provider-calls.ts'
import { isSinglePlainText, writeToolMessage } from './tool-messages.ts'

const TYPES = { system: 'system', developer: 'system', user: 'human', assistant: 'ai' } as const

/** Writes messages of LangChain: one for each message, and one for each tool result. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return messages.flatMap(({ message, path }) => {
    const raw = getKeptMessage(message, NAME)
    if (raw !== undefined) return [raw]
    const isTool = message.role === 'tool'
    const results = writeResults(message, path, report)
    return isTool ? results : [writeMessage(message, path, report), ...results]
  })
}

/** Writes the results that are messages of their own: all but those of calls that the provider executed. */
function writeResults(message: Message, path: Path, report: FormatReporter): readonly JsonObject[] {
  const providerCalls = listProviderCalls(message)
  let isFirst = message.role === 'tool'
  // The name of a tool message is that of its tool.
  if (isFirst && message.name !== undefined) report.add('message-name', child(path, 'name'))
  return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type !== 'tool-result') {
      if (message.role === 'tool') report.add('foreign-opaque', at)
      return []
    }
    if (isProviderResult(part, providerCalls)) return []
    const id = isFirst ? message.id : undefined
    isFirst = false
    return [writeToolMessage(part, id, at, report)]
  })
}

function listProviderCalls({ content }: Message): ReadonlySet<string> {
  const ids = (content as readonly Part[]).flatMap((part) =>
    part.type === 'tool-call' && part.executedBy === 'provider' ? [part.id] : [],
  )
  return new Set(ids)
}

function writeMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const { id, name, role } = message
  const { form } = getHints(message, LANGCHAIN_SLOT)
  const data = {
    content: writeContent(message, path, report),
    additional_kwargs: writeKwargs(message, path, report),
    response_metadata:
      role === 'assistant' && message.finish ? { finish_reason: writeFinish(message.finish) } : {},
    ...(role === 'assistant' && writeAnswerFields(message)),
    ...(name !== undefined && { name }),
    id,
  }
  const type = role === 'tool' ? 'tool' : TYPES[role]
  return applyResidue(wrapMessage(form, type, data), message, LANGCHAIN_SLOT)
}

function listCalls({ content }: AssistantMessage): readonly ToolCallPart[] {
  return content.filter((part) => part.type === 'tool-call').filter((part) => part.executedBy === undefined)
}

function writeAnswerFields(message: AssistantMessage): JsonObject {
  const calls = listCalls(message)
  return {
    tool_calls: calls.filter(({ invalidArguments }) => invalidArguments === undefined).map(writeCallEntry),
    invalid_tool_calls: calls
      .filter(({ invalidArguments }) => invalidArguments !== undefined)
      .map(writeCallEntry),
    ...(message.usage && { usage_metadata: writeUsage(message.usage) }),
  }
}

/** Writes the fields of providers: marks, reasoning beside the content, calls that are repeated, and their signatures. */
function writeKwargs(message: Message, path: Path, report: FormatReporter): JsonObject {
  if (message.role === 'developer') return { __openai_role__: 'developer' }
  const kwargs: Record<string, Json> = {}
  const signatures = {}
  message.content.forEach((part: Part, index) => {
    const { kwarg } = getHints(part, LANGCHAIN_SLOT)
    if ('text' in part && typeof kwarg === 'string') kwargs[kwarg] = part.text
    if (part.type !== 'tool-call' || part.signature === undefined) return
    const at = child(child(child(path, 'content'), index), 'signature')
    if (!isSignatureValid(part)) report.add('stale-signature', at)
    else if (part.signature.vendor === 'google' && part.executedBy === undefined)
      setKey(signatures, part.id, part.signature.value)
    else report.add('signature-dropped', at)
  })
  if (Object.keys(signatures).length > 0) kwargs[GEMINI_SIGNATURES] = signatures
  if (message.role === 'assistant' && getHints(message, LANGCHAIN_SLOT).rawCalls === true)
    kwargs['tool_calls'] = listCalls(message).map(writeOpenaiCall)
  return kwargs
}

/** Writes the content: one text as it is, and anything else as blocks. */
function writeContent(message: Message, path: Path, report: FormatReporter): Json {
  const parts: readonly Part[] = message.content
  const providerCalls = listProviderCalls(message)
  const lastContent = parts.findLastIndex((part) => part.type !== 'tool-call' && part.type !== 'tool-result')
  const blocks = parts.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-call') return writeCallBlock(part, index < lastContent)
    if (part.type === 'tool-result')
      return isProviderResult(part, providerCalls) ? [writeProviderResult(part, at, report)] : []
    if (typeof getHints(part, LANGCHAIN_SLOT).kwarg === 'string') return []
    const block = writeBlock(part, at, report)
    return block === undefined ? [] : [block]
  })
  if (getHints(message, LANGCHAIN_SLOT).blocks === true) return blocks
  if (blocks.length === 0) return ''
  return isSinglePlainText(blocks) ? (blocks[0]?.['text'] as string) : blocks
}

/** Writes a call among the blocks if it was there, or if content follows it: calls beside the content have no position. */
function writeCallBlock(call: ToolCallPart, isFollowed: boolean): readonly JsonObject[] {
  if (call.executedBy === 'provider') return [writeProviderCall(call)]
  const { callBlock } = getHints(call, LANGCHAIN_SLOT)
  if (callBlock === undefined && !isFollowed) return []
  const { id, name, invalidArguments } = call
  if (callBlock === 'tool_use') return [{ type: 'tool_use', id, name, input: call.arguments ?? {} }]
  const type = invalidArguments === undefined ? 'tool_call' : 'invalid_tool_call'
  return [{ type, id, name, args: call.arguments ?? invalidArguments ?? '' }]
}
