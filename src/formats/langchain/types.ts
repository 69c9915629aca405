import type { Json, JsonObject } from '../../wire/json.ts'

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

/** The serialized forms: `{ type, data }`, a constructor with `lc: 1`, and the fields beside the type. */
export type LangChainForm = 'dict' | 'constructor' | 'flat'

/** A stored message of LangChain: what `message.toDict()` and `message_to_dict` return. */
export interface StoredMessageJson {
  type: string
  data: { content: string | JsonObject[]; [field: string]: Json | JsonObject[] }
}
