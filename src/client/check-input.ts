import { user } from '../canonical/build/messages.ts'
import { Messages } from '../canonical/collections/messages.ts'
import type { ModelInput } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { InterlinguaError } from '../errors.ts'
import { describeType, isObject } from '../wire/json.ts'

/** Returns the input as a valid request. JavaScript callers get an error that names the mistake. */
export function toChatRequest(input: ModelInput): ChatRequest {
  if (typeof input === 'string') return { messages: promptToMessages(input, '') }
  const messages: unknown = isObject(input) ? input.messages : undefined
  if (typeof messages === 'string') return { ...input, messages: promptToMessages(messages, '/messages') }
  checkMessages(messages)
  return input as ChatRequest
}

function promptToMessages(prompt: string, path: string): ChatRequest['messages'] {
  if (prompt.trim() !== '') return [user(prompt)]
  throw new InterlinguaError('invalid-value', 'The prompt is empty', {
    path,
    found: prompt === '' ? 'an empty string' : 'only white space',
    expected: 'text',
    hint: 'Pass the text of the user message.',
  })
}

function checkMessages(messages: unknown): void {
  if (messages instanceof Messages) return
  if (!isMessageList(messages)) throw invalidMessagesError('/messages', messages, 'a list of messages')
  const list = [...messages]
  const index = list.findIndex((message) => !isMessage(message))
  if (index === -1) return
  const expected = 'a message with `role` and a list of content parts'
  throw invalidMessagesError(`/messages/${index}`, list[index], expected)
}

/** Returns true for an array and for any other list with the members of `MessageList`. */
function isMessageList(value: unknown): value is Iterable<unknown> {
  if (Array.isArray(value)) return true
  return isObject(value) && Symbol.iterator in value && 'size' in value && typeof value['at'] === 'function'
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value['role'] === 'string' && Array.isArray(value['content'])
}

function invalidMessagesError(path: string, found: unknown, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-type', 'The `messages` of the request are invalid', {
    path,
    found: describeType(found),
    expected,
    hint: "Pass a prompt such as 'Hi', or build messages with { messages: [user('Hi')] } or Messages.of('Hi').",
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
