import { throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { getOwnValue, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { toPlainInput } from '../engine/to-plain-input.ts'
import type { ToolAnswer } from '../shared/tool-answers.ts'

/** A message as the client sent it. Only `id` and `role` are checked. */
export interface PostedUIMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly [field: string]: Json
}

/** The body that `useChat` posts. All of it is untrusted. */
export interface UIChatRequest {
  /** The id of the chat. */
  readonly id: string
  readonly trigger: 'submit-message' | 'regenerate-message'
  /** The message that is edited or regenerated. */
  readonly messageId?: string
  readonly messages: readonly PostedUIMessage[]
  /** The answers of the last message about tool calls. They include outputs that the client only repeats. */
  readonly answers: readonly ToolAnswer[]
  /** The whole body, with the fields that the application added. */
  readonly body: JsonObject
}

const TRIGGERS: readonly unknown[] = ['submit-message', 'regenerate-message']
const ROLES: readonly unknown[] = ['system', 'user', 'assistant']

/**
 * Reads the body that `useChat` posts (versions 5 to 7 of the AI SDK). Its `messages` stay as the client sent them:
 * convert them with `aiSdkUiMessages.fromMessages` and pass the result to `sanitize`. A body with one `message` is
 * accepted, too.
 *
 * @example
 * const { id, messages, trigger, answers } = readUIChatRequest(await request.json())
 */
export function readUIChatRequest(body: unknown): UIChatRequest {
  return withTypedErrors(() => {
    const plain = toPlainInput(body)
    if (!isObject(plain)) return throwWrongType(plain, undefined, 'the body of a chat request: an object')
    const { id, trigger = 'submit-message', messageId, message } = plain
    if (!TRIGGERS.includes(trigger))
      throwInvalid('invalid-value', child(undefined, 'trigger'), 'another value', TRIGGERS.join(' or '))
    const isSingle = plain['messages'] === undefined && message !== undefined
    const path = child(undefined, isSingle ? 'message' : 'messages')
    const list = isSingle ? [message] : plain['messages']
    if (!Array.isArray(list)) return throwWrongType(list, path, 'a list of messages')
    const messages = list.map((each: Json, index) => readMessage(each, isSingle ? path : child(path, index)))
    return {
      id: readId(id, child(undefined, 'id')),
      trigger: trigger as UIChatRequest['trigger'],
      ...(typeof messageId === 'string' && { messageId }),
      messages,
      answers: readAnswers(messages.at(-1)),
      body: plain,
    }
  }, [body])
}

function readMessage(value: Json, path: Path): PostedUIMessage {
  if (!isObject(value)) return throwWrongType(value, path, 'a message: an object')
  const { id, role } = value
  if (!ROLES.includes(role))
    throwInvalid('unknown-role', child(path, 'role'), 'another role', ROLES.join(' or '))
  return { ...value, id: readId(id, child(path, 'id')), role: role as PostedUIMessage['role'] }
}

function readId(value: unknown, path: Path): string {
  if (typeof value === 'string' && value !== '') return value
  return throwWrongType(value, path, 'an id: a non-empty string')
}

/** Returns the answers about the tool calls of the last message. */
function readAnswers(last: PostedUIMessage | undefined): readonly ToolAnswer[] {
  if (last?.role !== 'assistant') return []
  return itemsOf(last['parts']).flatMap((part) => (isObject(part) ? readAnswer(part) : []))
}

function readAnswer(part: JsonObject): readonly ToolAnswer[] {
  const { toolCallId: callId, state, approval, output = null, errorText } = part
  if (typeof callId !== 'string') return []
  if (state === 'approval-responded' && isObject(approval)) {
    const id = getOwnValue(approval, 'id')
    const reason = getOwnValue(approval, 'reason')
    if (typeof id !== 'string') return []
    const isApproved = getOwnValue(approval, 'approved') === true
    return [{ type: 'approval', id, callId, isApproved, ...(typeof reason === 'string' && { reason }) }]
  }
  if (state === 'output-available' && part['preliminary'] !== true)
    return [{ type: 'output', callId, output, isError: false }]
  if (state === 'output-error') return [{ type: 'output', callId, output: errorText ?? '', isError: true }]
  return []
}
