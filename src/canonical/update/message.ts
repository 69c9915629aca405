import { type ContentInput, message as buildMessage } from '../build/messages.ts'
import type { AssistantMessage, Message, Role } from '../model/message.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { getContent } from '../read/message-content.ts'

/** Changes to a message: new values, or `undefined` to remove a field. Id, time and role cannot be changed. */
export type MessageChanges<T extends Message = Message> = {
  readonly [K in Exclude<keyof T, 'id' | 'createdAt' | 'role' | 'content'>]?: T[K] | undefined
} & { readonly content?: ContentInput<T['content'][number]> }

/**
 * Returns the message with some fields changed; its id and time stay.
 *
 * @example
 * updateMessage(message, { name: 'Ada', content: ['Hello', image('https://example.com/cat.png')] })
 * updateMessage(message, { metadata: { ...message.metadata, seen: true } })
 */
export function updateMessage<T extends Message>(message: T, changes: MessageChanges<T>): T {
  return withTypedErrors(() => {
    const { role, content, ...rest } = { ...message, ...changes }
    return buildMessage(role, content, keepCreation(message, rest)) as T
  }, [message, changes])
}

/** Keeps the id and time of the message; `createdAt: undefined` prevents the builder from adding the current time. */
function keepCreation(message: Message, fields: object): object {
  return { ...fields, id: message.id, createdAt: message.createdAt }
}

/**
 * Returns the message with another role. Fields that only assistant messages have (origin, usage, finish) are
 * removed for other roles. A part that the new role cannot contain is an error.
 *
 * @example
 * withRole(user('Be brief.'), 'developer')
 */
export function withRole(message: Message, role: Role): Message {
  return withTypedErrors(() => {
    if (message.role === role) return message
    const { origin: _origin, usage: _usage, finish: _finish, content, ...rest } = message as AssistantMessage
    return buildMessage(role, content, keepCreation(message, rest))
  }, [message, role])
}

/**
 * Returns the message with content added at its end.
 *
 * @example
 * addContent(user('Compare:'), image('https://example.com/a.png'), image('https://example.com/b.png'))
 */
export function addContent<T extends Message>(
  message: T,
  ...content: readonly (string | T['content'][number])[]
): T {
  return withTypedErrors(
    () =>
      updateMessage(message, {
        content: [...getContent(message), ...content],
      } as unknown as MessageChanges<T>),
    [message, ...content],
  )
}
