import { isObject, type JsonObject, getOwnValue } from '../../wire/json.ts'
import { updateMessage, type MessageChanges } from '../update/message.ts'
import type { Message, Role } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import type { MessageInput } from './message-input.ts'
import { Messages } from './messages.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Renders the parameters of a conversation, such as {@link renderMessages}. */
export type MessageRenderer = (messages: Messages, parameters?: JsonObject) => Messages

/** A placeholder: `{{name}}` or `{{order.total}}`. The bound keeps matching linear on hostile text. */
const PLACEHOLDER_PATTERN = /\{\{[ \t]{0,8}([\w.-]{1,128})[ \t]{0,8}\}\}/g

/** The application writes templates: text of a model or a tool is never rendered. */
const TEMPLATE_ROLES: ReadonlySet<Role> = new Set(['system', 'developer', 'user'])

/**
 * Replaces placeholders in the text of system, developer and user messages by parameters: `{{name}}`,
 * `{{order.total}}`. A placeholder without a value stays, and values are not rendered again. Render templates
 * before you add the text of a user, which could contain placeholders, too.
 *
 * @example
 * renderMessages(Messages.of().system('You help {{company}}.'), { company: 'Acme' })
 */
export function renderMessages(
  input: MessageInput | Iterable<MessageInput>,
  parameters: JsonObject = {},
): Messages {
  return withTypedErrors(
    () => Messages.from(Messages.from(input).map((message) => renderMessage(message, parameters))),
    [input, parameters],
  )
}

function renderMessage(message: Message, parameters: JsonObject): Message {
  if (!TEMPLATE_ROLES.has(message.role)) return message
  const content = message.content.map((part: Part) => renderPart(part, parameters))
  const same = content.every((part, index) => part === message.content[index])
  return same ? message : updateMessage(message, { content } as MessageChanges)
}

function renderPart(part: Part, parameters: JsonObject): Part {
  if (part.type !== 'text') return part
  const filled = part.text.replace(
    PLACEHOLDER_PATTERN,
    (placeholder, path: string) => readParameter(path, parameters) ?? placeholder,
  )
  return filled === part.text ? part : { ...part, text: filled }
}

/** Returns the value of a key, or at a dotted path of own keys, as text. */
function readParameter(path: string, parameters: JsonObject): string | undefined {
  let value: unknown = getOwnValue(parameters, path)
  if (value === undefined) {
    value = parameters
    for (const key of path.split('.')) value = isObject(value) ? getOwnValue(value, key) : undefined
  }
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}
