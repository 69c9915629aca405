import { Messages } from '../canonical/collections/messages.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, isObject } from '../wire/json.ts'

/** Returns the request if it is valid. JavaScript callers get an error that names the mistake. */
export function checkRequest(request: ChatRequest): ChatRequest {
  const messages: unknown = isObject(request) ? request.messages : undefined
  if (messages instanceof Messages) return request
  if (!Array.isArray(messages)) throw invalidRequestError('/messages', messages, 'a list of messages')
  const index = messages.findIndex((message) => !isMessage(message))
  if (index === -1) return request
  const expected = 'a message with `role` and a list of content parts'
  throw invalidRequestError(`/messages/${index}`, messages[index], expected)
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value['role'] === 'string' && Array.isArray(value['content'])
}

function invalidRequestError(path: string, found: unknown, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-type', 'The `messages` of the request are invalid', {
    path,
    found: describeType(found),
    expected,
    hint: "Build messages with { messages: [user('Hi')] } or Messages.of('Hi').",
  })
}

/** Returns the texts if they are a list of strings. */
export function checkTexts(texts: readonly string[]): readonly string[] {
  const value: unknown = texts
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return texts
  throw new InterlinguaError('invalid-type', 'The texts to embed are invalid', {
    found: describeType(value),
    expected: 'a list of strings',
    hint: "Pass a list, even for a single text: ['…'].",
  })
}
