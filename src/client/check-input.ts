import { Messages } from '../canonical/collections/messages.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, isObject } from '../wire/json.ts'

/** The request, if it is one: those whose compiler does not look are told what is wrong, not where we tripped over it. */
export function checkRequest(request: ChatRequest): ChatRequest {
  const messages: unknown = isObject(request) ? request.messages : undefined
  if (messages instanceof Messages) return request
  if (!Array.isArray(messages)) throw invalidRequestError('/messages', messages, 'a list of messages')
  const at = messages.findIndex((message) => !isMessage(message))
  if (at !== -1)
    throw invalidRequestError(`/messages/${at}`, messages[at], 'a message, with a role and a list of parts')
  return request
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value['role'] === 'string' && Array.isArray(value['content'])
}

function invalidRequestError(path: string, found: unknown, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-type', 'The request holds something else than messages', {
    path,
    found: describeType(found),
    expected,
    hint: "Build them: { messages: [user('Hi')] }, or Messages.of('Hi').",
  })
}

/** The texts, if they are a list of texts. */
export function checkTexts(texts: readonly string[]): readonly string[] {
  const value: unknown = texts
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return texts
  throw new InterlinguaError('invalid-type', 'Only texts can be embedded', {
    found: describeType(value),
    expected: 'a list of texts',
    hint: "Give a list, even for one text: ['…'].",
  })
}
