import type { Message } from '../../canonical/model/message.ts'
import { type AssistantPart, type Part, type ToolCallPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { addHints } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { readGroupedResults } from '../engine/read-grouped-results.ts'
import { keepIfMisplaced, keepMessage } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readFinish, readUsage } from './answer-fields.ts'
import { readBlock } from './blocks.ts'
import { readCalls } from './calls.ts'
import { LANGCHAIN_SLOT, NAME } from './constants.ts'
import { type UnwrappedMessage, unwrapMessage } from './wrap-message.ts'
import { readProviderBlock } from './provider-calls.ts'
import { readToolMessage } from './tool-messages.ts'
import { writeMessages } from './write.ts'

/** Spellings of providers in the metadata of a response. */
const METADATA_KEYS = { finish_reason: ['stop_reason', 'done_reason'] } as const

/** Reads messages of LangChain. Consecutive tool messages become one message with all results. */
export const readMessages: MessagesReader = (items, path, context) => {
  const open = (wire: JsonObject, at?: Path): UnwrappedMessage => unwrapMessage(wire, at ?? child(path, 0))
  return readGroupedResults(items, path, {
    isResult: (wire) => TOOL_TYPES.has(open(wire).type),
    readFields: (wire) => ({ id: context.messageId(open(wire).data['id']) }),
    readResult: (wire, at) => readToolMessage(open(wire, at), wire),
    readMessage: (wire, at) => readMessage(open(wire, at), wire, at, context),
  })
}

/** The types of messages that are a tool result. */
const TOOL_TYPES: ReadonlySet<string | undefined> = new Set(['tool', 'function'])

const ROLES: { readonly [type: string]: Message['role'] } = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
}

function readMessage(
  envelope: UnwrappedMessage,
  wire: JsonObject,
  path: Path,
  context: ReadingContext,
): Message {
  const { type, data, form, isDeveloper } = envelope
  const role = isDeveloper ? 'developer' : ROLES[type ?? '']
  if (role === undefined) return keepMessage(NAME, wire, path, context)
  const { id, name, content, additional_kwargs: kwargs } = data
  const fields = {
    id: context.messageId(id),
    role,
    ...(typeof name === 'string' && { name }),
    content:
      role === 'assistant' ? readAnswer(envelope) : readParts(content, role, child(envelope.path, 'content')),
    ...(role === 'assistant' &&
      omitUndefined({
        usage: readUsage(data['usage_metadata']),
        finish: readFinish(data['response_metadata']),
      })),
  }
  const message = checkAndFreezeMessage(fields as unknown as Message, path)
  const hints = {
    form,
    ...(Array.isArray(content) && { blocks: true }),
    ...(isObject(kwargs) && Array.isArray(kwargs['tool_calls']) && { rawCalls: true }),
  }
  const aliases = METADATA_KEYS
  return attachMessageResidue(message, LANGCHAIN_SLOT, hints, wire, path, writeMessages, { aliases })
}

function readParts(content: Json | undefined, role: Message['role'], path: Path): readonly Part[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart({ type: 'text', text: content }, path)]
  if (!Array.isArray(content)) return []
  return content.map((block: Json, index) => {
    const at = child(path, index)
    return keepIfMisplaced(readBlock(block, at, role === 'assistant'), role, NAME, block, at)
  })
}

/** The content blocks that repeat a call, and the key of their arguments. */
const CALL_BLOCKS: ReadonlyMap<Json | undefined, string> = new Map([
  ['tool_use', 'input'],
  ['tool_call', 'args'],
  ['invalid_tool_call', 'args'],
])

/** Reads an answer: reasoning beside the content, the blocks with the calls at their place, then the other calls. */
function readAnswer({ data, path }: UnwrappedMessage): readonly AssistantPart[] {
  const { content, additional_kwargs: kwargs } = data
  const contentPath = child(path, 'content')
  const calls = new Map<string, ToolCallPart[]>()
  for (const call of readCalls(data, path)) {
    const sameId = calls.get(call.id)
    if (sameId === undefined) calls.set(call.id, [call])
    else sameId.push(call)
  }
  const blocks = Array.isArray(content) ? (content as readonly Json[]) : undefined
  const parts =
    blocks === undefined
      ? readParts(content, 'assistant', contentPath)
      : blocks.map((block, index) => readAnswerBlock(block, calls, child(contentPath, index)))
  return [
    ...readKwarg(kwargs, 'reasoning_content', 'reasoning', path),
    ...(parts as readonly AssistantPart[]),
    ...readKwarg(kwargs, 'refusal', 'refusal', path),
    ...[...calls.values()].flat(),
  ]
}

function readAnswerBlock(wire: Json, calls: ReadonlyMap<string, ToolCallPart[]>, path: Path): Part {
  if (!isObject(wire)) return readBlock(wire, path, true)
  const block = wire
  const { type, id } = block
  const call = CALL_BLOCKS.has(type) && typeof id === 'string' ? calls.get(id)?.shift() : undefined
  if (call !== undefined)
    return freezeOwned(
      addHints(call, LANGCHAIN_SLOT, { callBlock: type === 'tool_use' ? 'tool_use' : 'tool_call' }),
    )
  return readProviderBlock(block, path) ?? readBlock(block, path, true)
}

/** Reads text that a provider has beside the content. */
function readKwarg(
  kwargs: Json | undefined,
  key: string,
  type: 'reasoning' | 'refusal',
  path: Path,
): readonly AssistantPart[] {
  const given = isObject(kwargs) ? kwargs[key] : undefined
  if (typeof given !== 'string' || given === '') return []
  const part = checkAndFreezePart<AssistantPart>({ type, text: given }, path)
  return [freezeOwned(addHints(part, LANGCHAIN_SLOT, { kwarg: key }))]
}
