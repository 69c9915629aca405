import type { ChatEvent } from '../../canonical/model/event.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'

/** The keys that name the model of a response, in all dialects and casings. */
const MODEL_KEYS = ['model', 'modelVersion', 'model_version'] as const

/** The keys of a stream payload that contain the object of the response. */
const RESPONSE_KEYS = ['response', 'message'] as const

/** Returns the event of a stream whose response names another model. Payloads of unknown types name it too. */
export function setEventModel(event: ChatEvent, model: string | undefined, dialect: string): ChatEvent {
  if (model === undefined) return event
  if (event.type === 'start') return { ...event, model }
  if (event.type !== 'opaque' || event.dialect !== dialect || !isObject(event.value)) return event
  const value: Record<string, JsonObject[string]> = setPayloadModel(event.value, model)
  for (const key of RESPONSE_KEYS) {
    const response = value[key]
    if (isObject(response)) value[key] = setPayloadModel(response, model)
  }
  return { ...event, value }
}

/** Returns a copy of a payload with another model, where it names one. */
function setPayloadModel(payload: JsonObject, model: string): Record<string, JsonObject[string]> {
  const copy = { ...payload }
  for (const key of MODEL_KEYS) if (typeof copy[key] === 'string' && copy[key] !== '') copy[key] = model
  return copy
}
