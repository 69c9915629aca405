import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { toMessageType, MESSAGE_CLASSES } from './message-type-names.ts'
import type { LangChainForm } from './types.ts'

/** A message without its serialized form: its type and its fields. */
export interface UnwrappedMessage {
  readonly form: LangChainForm
  /** The type; undefined for a message that is not part of a conversation, such as a command to remove one. */
  readonly type: string | undefined
  /** True for system text of the role developer, which is a mark in LangChain. */
  readonly isDeveloper: boolean
  readonly data: JsonObject
  readonly path: Path
}

/** Opens a serialized message. A constructor is read as data: nothing is looked up by its id, and nothing is called. */
export function unwrapMessage(wire: JsonObject, path: Path): UnwrappedMessage {
  const { lc, id, kwargs, type, data } = wire
  if (lc === 1 && isObject(kwargs)) {
    const name = Array.isArray(id) ? (id.at(-1) as Json | undefined) : undefined
    return createEnvelope('constructor', name, kwargs, child(path, 'kwargs'))
  }
  if (isObject(data)) return createEnvelope('dict', type, data, child(path, 'data'))
  return createEnvelope('flat', type, wire, path)
}

function createEnvelope(
  form: LangChainForm,
  givenType: Json | undefined,
  data: JsonObject,
  path: Path,
): UnwrappedMessage {
  // A message of any role: its role is a field.
  const isGeneric = givenType === 'generic' || givenType === 'chat' || givenType === 'ChatMessage'
  const type = toMessageType(isGeneric ? data['role'] : givenType)
  const { additional_kwargs: kwargs } = data
  const isMarked = isObject(kwargs) && kwargs['__openai_role__'] === 'developer'
  return { form, type, isDeveloper: isMarked || givenType === 'developer', data, path }
}

/** Wraps the fields of a message in a serialized form. */
export function wrapMessage(form: Json | undefined, type: string, data: JsonObject): JsonObject {
  if (form === 'flat') return { ...data, type }
  if (form !== 'constructor') return { type, data }
  const id = ['langchain_core', 'messages', MESSAGE_CLASSES[type] ?? 'ChatMessage']
  return { lc: 1, type: 'constructor', id, kwargs: data }
}
