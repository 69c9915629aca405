import { type ContentInput, message as buildMessage } from '../build/messages.ts'
import type { AssistantMessage, Message, Role } from '../model/message.ts'

/** Changes to a message: new values, or `undefined` to take a field away. Id, time and role stay. */
export type MessageChanges<T extends Message = Message> = {
  readonly [K in Exclude<keyof T, 'id' | 'createdAt' | 'role' | 'content'>]?: T[K] | undefined
} & { readonly content?: ContentInput<T['content'][number]> }

/**
 * The message with some fields changed; its id and time stay.
 *
 * @example
 * edit(message, { name: 'Ada', content: ['Hello', image('https://example.com/cat.png')] })
 * edit(message, { metadata: { ...message.metadata, seen: true } })
 */
export function updateMessage<T extends Message>(message: T, changes: MessageChanges<T>): T {
  const { role, content, ...rest } = { ...message, ...changes }
  return buildMessage(role, content, keepCreation(message, rest)) as T
}

/** A builder dates what has no date: an edit must not. */
function keepCreation(message: Message, fields: object): object {
  return {
    createdAt: undefined,
    ...fields,
    id: message.id,
    ...(message.createdAt && { createdAt: message.createdAt }),
  }
}

/**
 * The message in another role. What only an answer has (origin, usage, finish) goes when it is no answer any more;
 * parts that the new role cannot hold are an error.
 *
 * @example
 * withRole(user('Be brief.'), 'developer')
 */
export function withRole(message: Message, role: Role): Message {
  if (message.role === role) return message
  const { origin: _origin, usage: _usage, finish: _finish, content, ...rest } = message as AssistantMessage
  return buildMessage(role, content, keepCreation(message, rest))
}

/**
 * The message with more content at its end.
 *
 * @example
 * addContent(user('Compare:'), image('https://example.com/a.png'), image('https://example.com/b.png'))
 */
export function addContent<T extends Message>(
  message: T,
  ...content: readonly (string | T['content'][number])[]
): T {
  return updateMessage(message, { content: [...message.content, ...content] } as unknown as MessageChanges<T>)
}
