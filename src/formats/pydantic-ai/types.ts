import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'pydantic-ai'

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

/** The slot of residue of parts and responses. */
export const PYDANTIC_SLOT: Slot<PydanticHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The slot of residue of a request, on the first message that was read from it. */
export const REQUEST_SLOT: Slot<never> = /* @__PURE__ */ toSlot(`${NAME}/request`)

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
