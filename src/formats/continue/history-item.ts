import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { anthropicDialect } from '../../dialects/anthropic/index.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/index.ts'
import {
  getOwnValue,
  isEqualJson,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { decodeMessages, omitKeys } from '../transcripts/session-builder.ts'
import { FAILED_STATUSES, ITEM_FIELDS, STATE_FIELDS } from './constants.ts'

/** Decodes the message of an item with the codec of Chat Completions, whose fields Continue has under other names. */
export function decodeItem(item: JsonObject, reasoning: readonly AssistantPart[]): readonly Message[] {
  const message = isObject(item['message']) ? item['message'] : {}
  const isAnswer = message['role'] === 'assistant'
  const wire = isAnswer
    ? [toAnswer(message), ...toResults(item)]
    : [toInput(message, itemsOf(item['contextItems']))]
  const messages = decodeMessages(openaiChatDialect, { messages: wire })
  const note = isObject(item['reasoning']) ? readStringOrEmpty(item['reasoning']['text']) : ''
  const hasReasoning = reasoning.length > 0 || note === ''
  const thought: readonly AssistantPart[] = hasReasoning ? reasoning : [{ type: 'reasoning', text: note }]
  return messages.map((each) =>
    each.role === 'assistant' ? { ...each, content: [...thought, ...each.content] } : each,
  )
}

/** Decodes a message of the role thinking with the codec of Anthropic, which checks the signature. */
export function decodeThinking(message: JsonObject): readonly Message[] {
  const { content, signature, redactedThinking } = message
  const block =
    typeof redactedThinking === 'string'
      ? { type: 'redacted_thinking', data: redactedThinking }
      : { type: 'thinking', thinking: readContentText(content), ...omitUndefined({ signature }) }
  return decodeMessages(anthropicDialect, { messages: [{ role: 'assistant', content: [block] }] })
}

function readContentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return itemsOf(content)
    .map((part) => (isObject(part) ? readStringOrEmpty(part['text']) : ''))
    .join('')
}

function toContent(content: Json | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return itemsOf(content).flatMap((part): readonly JsonObject[] => {
    if (!isObject(part)) return []
    const image = part['imageUrl']
    return isObject(image)
      ? [{ type: 'image_url', image_url: { url: getOwnValue(image, 'url') as Json } }]
      : [part]
  })
}

/** Continue sends what the user has attached before the text of the user. */
function toInput(message: JsonObject, contextItems: readonly Json[]): JsonObject {
  const { role, toolCallId } = message
  if (role === 'tool')
    return { role, tool_call_id: toolCallId ?? '', content: readContentText(message['content']) }
  const attached = contextItems.flatMap((each): readonly JsonObject[] => {
    const text = isObject(each) ? readStringOrEmpty(each['content']) : ''
    return text === '' ? [] : [{ type: 'text', text }]
  })
  return { role: role ?? 'user', content: [...attached, ...toContent(message['content'])] }
}

function toAnswer({ content, toolCalls }: JsonObject): JsonObject {
  const calls = itemsOf(toolCalls)
  return { role: 'assistant', content: toContent(content), ...(calls.length > 0 && { tool_calls: calls }) }
}

/** Returns the results of calls as messages of the role tool; calls that still run have none. */
function toResults(item: JsonObject): readonly JsonObject[] {
  return listStates(item).flatMap(({ toolCallId, status, output }): readonly JsonObject[] => {
    const word = readStringOrEmpty(status)
    const failure = Object.hasOwn(FAILED_STATUSES, word) ? FAILED_STATUSES[word] : undefined
    if (word !== 'done' && failure === undefined) return []
    const texts = itemsOf(output).map((each) => (isObject(each) ? readStringOrEmpty(each['content']) : ''))
    const text = texts.filter((each) => each !== '').join('\n\n')
    return [{ role: 'tool', tool_call_id: toolCallId ?? '', content: text === '' ? (failure ?? '') : text }]
  })
}

/** Returns the states of the calls of an answer; older versions have only one. */
export function listStates({ toolCallStates, toolCallState }: JsonObject): readonly JsonObject[] {
  const states = Array.isArray(toolCallStates) ? itemsOf(toolCallStates) : [toolCallState ?? null]
  return states.filter((state): state is JsonObject => isObject(state))
}

/** Returns what an item has besides the conversation. */
export function toNote(item: JsonObject): JsonObject {
  const calls = isObject(item['message']) ? itemsOf(item['message']['toolCalls']) : []
  const states = listStates(item).map((state) => ({
    ...omitKeys(state, [...STATE_FIELDS, 'toolCall']),
    // A state repeats the call of the message.
    ...(!calls.some((call) => isEqualJson(call, state['toolCall'])) &&
      omitUndefined({ toolCall: state['toolCall'] })),
    output: itemsOf(state['output']).map((each) => (isObject(each) ? omitKeys(each, ['content']) : each)),
  }))
  const context = itemsOf(item['contextItems']).map((each) =>
    isObject(each) ? omitKeys(each, ['content']) : each,
  )
  const message = isObject(item['message'])
    ? omitKeys(item['message'], ['content', 'role', 'toolCallId', 'toolCalls'])
    : {}
  return {
    ...omitKeys(item, ITEM_FIELDS),
    ...(Object.keys(message).length > 0 && { message }),
    ...(context.length > 0 && { contextItems: context }),
    ...(states.length > 0 && { toolCallStates: states }),
  }
}
