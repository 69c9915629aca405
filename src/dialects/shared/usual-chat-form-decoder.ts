import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { CallIdGenerator } from './call-ids.ts'
import {
  createUsualCall,
  createUsualMessage,
  createUsualResult,
  createUsualText,
  hasExactKeys,
} from './usual-parts.ts'

/** The usual forms of a dialect with one wire message for each message and each result, and calls in `tool_calls`. */
export interface UsualChatForms {
  readonly roles: ReadonlySet<Json | undefined>
  /** The keys of an assistant message with calls, and the parts before its calls; undefined if they are not in the usual form. */
  readonly messageWithCallsKeys: readonly string[]
  readonly readContentBesideCalls: (wire: JsonObject) => AssistantPart[] | undefined
  readonly callKeys: readonly string[]
  readonly argumentsForm: 'text' | 'object'
  /** Returns true for a call that is sent with this id and this name. */
  readonly isValidCall: (id: string, name: string) => boolean
  readonly resultKeys: readonly string[]
  /** The key for the name of the tool in `resultKeys`. */
  readonly resultNameKey?: string
  /** Returns true for a result that is sent with this id and this name. */
  readonly isValidResult: (callId: string, name: string | undefined) => boolean
}

const MESSAGE_KEYS = ['role', 'content']
const FUNCTION_KEYS = ['name', 'arguments']

/** Reads the text beside calls; `empty` is the content without text. Returns undefined for any other value. */
export function readTextBesideCalls(
  content: Json | undefined,
  empty: '' | null,
): AssistantPart[] | undefined {
  if (content === empty) return []
  const text = createUsualText(content)
  return text && [text]
}

/**
 * Decodes a message in the usual form, which has no residue; undefined for any other. With `ids`, the ids of its calls are
 * recorded.
 */
export function decodeUsualChatMessage(
  wire: Json,
  forms: UsualChatForms,
  options: DecodeOptions,
  ids?: CallIdGenerator,
): Message | undefined {
  if (!isObject(wire)) return undefined
  const { role, content, tool_calls: calls } = wire
  if (!forms.roles.has(role)) return undefined
  if (calls !== undefined) return decodeMessageWithCalls(wire, forms, options, ids)
  const text = hasExactKeys(wire, MESSAGE_KEYS) ? createUsualText(content) : undefined
  return text && createUsualMessage(role as Message['role'], [text], options)
}

function decodeMessageWithCalls(
  wire: JsonObject,
  forms: UsualChatForms,
  options: DecodeOptions,
  ids: CallIdGenerator | undefined,
): Message | undefined {
  const { role, tool_calls: calls } = wire
  if (role !== 'assistant' || !isList(calls) || calls.length === 0) return undefined
  const parts = hasExactKeys(wire, forms.messageWithCallsKeys)
    ? forms.readContentBesideCalls(wire)
    : undefined
  if (parts === undefined) return undefined
  for (const each of calls) {
    const call = decodeUsualCall(each, forms)
    if (call === undefined) return undefined
    parts.push(call)
  }
  if (ids !== undefined) for (const part of parts) if (part.type === 'tool-call') ids.recordId(part.id)
  return createUsualMessage(role, parts, options)
}

function decodeUsualCall(
  wire: Json,
  { callKeys, argumentsForm, isValidCall }: UsualChatForms,
): ToolCallPart | undefined {
  if (!isObject(wire) || !hasExactKeys(wire, callKeys)) return undefined
  const { id, type = 'function', function: body } = wire
  if (typeof id !== 'string' || type !== 'function' || !isObject(body)) return undefined
  const { name, arguments: received } = body
  if (typeof name !== 'string' || name === '' || !hasExactKeys(body, FUNCTION_KEYS)) return undefined
  const isUsual = argumentsForm === 'text' ? typeof received === 'string' : isObject(received)
  return isUsual && isValidCall(id, name)
    ? createUsualCall(id, name, received as string | JsonObject)
    : undefined
}

/** Decodes a tool message in the usual form, which has no residue; undefined for any other. */
export function decodeUsualChatResult(wire: JsonObject, forms: UsualChatForms): ToolResultPart | undefined {
  const { role, tool_call_id: id, content } = wire
  if (role !== 'tool' || typeof id !== 'string' || !hasExactKeys(wire, forms.resultKeys)) return undefined
  const name = forms.resultNameKey === undefined ? undefined : wire[forms.resultNameKey]
  if (name !== undefined && (typeof name !== 'string' || name === '')) return undefined
  return forms.isValidResult(id, name)
    ? createUsualResult(id, content, name === undefined ? undefined : { name })
    : undefined
}
