import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'langchain'

/**
 * The names of the hints: `form` is the serialized form of a message, `blocks` is a list for content that is one text,
 * `rawCalls` are calls that `additional_kwargs` repeats, `mediaForm` is the form of a media block, `callBlock` is the type of a
 * content block that repeats a call, `kwarg` is the key of `additional_kwargs` that contains reasoning or a refusal, and
 * `isFunction` is a call or a result of the time before tool calls.
 */
export type LangChainHintName =
  | 'form'
  | 'blocks'
  | 'rawCalls'
  | 'mediaForm'
  | 'callBlock'
  | 'kwarg'
  | 'isFunction'

/** The slot of residue. */
export const LANGCHAIN_SLOT: Slot<LangChainHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The serialized forms: `{ type, data }`, a constructor with `lc: 1`, and the fields beside the type. */
export type LangChainForm = 'dict' | 'constructor' | 'flat'

/** The types of LangChain messages, by their class. */
export const MESSAGE_CLASSES: { readonly [type: string]: string } = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
  function: 'FunctionMessage',
}

/** Other names of the types, in roles and in Python. */
const TYPE_ALIASES: { readonly [type: string]: string } = {
  user: 'human',
  assistant: 'ai',
  developer: 'system',
}

/** A stored message of LangChain: what `message.toDict()` and `message_to_dict` return. */
export interface StoredMessageJson {
  type: string
  data: { content: string | JsonObject[]; [field: string]: Json | JsonObject[] }
}

/** Returns the type of a message for a type, a class or a role; undefined for an unknown one. */
export function getMessageType(given: Json | undefined): string | undefined {
  if (typeof given !== 'string') return undefined
  const name = given.replace(/Message(Chunk)?$/, '').toLowerCase()
  const type = Object.hasOwn(TYPE_ALIASES, name) ? TYPE_ALIASES[name] : name
  return type !== undefined && Object.hasOwn(MESSAGE_CLASSES, type) ? type : undefined
}
