import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints: `starts` is a message that starts a request although a request precedes it; `instructions` is system
 * text that is a field of its request; `retry` is a retry prompt; `list` is content that is a list, although it is one text;
 * `standard` is base64 with the standard alphabet; `argsText` are arguments that are a text.
 */
export type PydanticHintName =
  | 'starts'
  | 'instructions'
  | 'retry'
  | 'list'
  | 'standard'
  | 'argsText'
  | 'textObject'

/** A part of a request or of a response. */
export type PydanticPartJson = { part_kind: string; [field: string]: Json | JsonObject | undefined }

/** A message of pydantic-ai, as `ModelMessagesTypeAdapter.dump_json` writes it. */
export type PydanticMessageJson =
  | { kind: 'request'; parts: PydanticPartJson[]; instructions?: string | null }
  | {
      kind: 'response'
      parts: PydanticPartJson[]
      usage?: JsonObject
      model_name?: string | null
      timestamp?: string
      provider_name?: string | null
      provider_response_id?: string | null
      finish_reason?: string | null
    }
