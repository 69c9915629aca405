import type { Extra, HasExtra } from '../../canonical/model/extra.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import {
  type RepeatableValues,
  replaceRepeatsByPlaceholders,
  fillPlaceholders,
} from '../../wire/canonical-value-placeholders.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import type { StreamCodec } from './stream-codec.ts'

/** The keys that name the model of a response, in all dialects and casings. */
const MODEL_KEYS = ['model', 'modelVersion', 'model_version'] as const

/** The keys of a stream payload that contain the object of the response. */
const RESPONSE_KEYS = ['response', 'message'] as const

/** Reports the model of an answer to a format without a field for it, unless the caller chose the name that clients see. */
export function reportOmittedModel(
  { omitsModel }: Pick<StreamCodec, 'omitsModel'>,
  { model }: Pick<ChatResponse, 'model'>,
  chosen: string | undefined,
  context: EncodeContext,
): void {
  if (omitsModel && model !== undefined && chosen === undefined)
    context.report('response-model', child(undefined, 'model'))
}

/** Returns the event of a stream whose response names another model. Payloads of unknown types name it too. */
export function setEventModel(event: ChatEvent, model: string | undefined, dialect: string): ChatEvent {
  if (model === undefined) return event
  if (event.type === 'start') return { ...event, model }
  if (event.type !== 'opaque' || event.dialect !== dialect || !isObject(event.value)) return event
  return { ...event, value: setPayloadModel(event.value, model) }
}

/** Returns a payload with another model, where it or the response in it names one. */
export function setPayloadModel(payload: JsonObject, model: string | undefined): JsonObject {
  if (model === undefined) return payload
  const copy: Record<string, Json> = { ...payload }
  for (const key of MODEL_KEYS) if (typeof copy[key] === 'string' && copy[key] !== '') copy[key] = model
  for (const key of RESPONSE_KEYS) {
    const response = copy[key]
    if (isObject(response)) copy[key] = setPayloadModel(response, model)
  }
  return copy
}

/**
 * Replaces the values in residue that repeat the response's id or model by placeholders, so that they follow
 * a change of the id or model.
 */
export function replaceIdAndModelByPlaceholders(response: ChatResponse): ChatResponse {
  return transformResponse(response, replaceRepeatsByPlaceholders)
}

/** Replaces the placeholders by the current id and model. */
export function fillIdAndModelPlaceholders(response: ChatResponse): ChatResponse {
  return transformResponse(response, fillPlaceholders)
}

type RepeatTransform = (value: Json, values: RepeatableValues) => Json | undefined

function transformResponse(response: ChatResponse, transform: RepeatTransform): ChatResponse {
  const { id, model, usage } = response
  const values = { id, model }
  return {
    ...transformSlots(response, transform, values, isResponseOnly),
    candidates: response.candidates.map((each) => transformSlots(each, transform, values, isResponseOnly)),
    ...(usage !== undefined && { usage: transformSlots(usage, transform, values, () => true) }),
  }
}

/**
 * Returns true for residue of responses. Other residue of a message is also sent in requests, where there is
 * no id or model to repeat.
 */
function isResponseOnly(slot: string): boolean {
  return slot.includes('/')
}

function transformSlots<T extends HasExtra>(
  unit: T,
  transform: RepeatTransform,
  values: RepeatableValues,
  isIncluded: (slot: string) => boolean,
): T {
  if (unit.extra === undefined) return unit
  const extra: Extra = Object.fromEntries(
    Object.entries(unit.extra).map(([slot, residue]) => {
      return [slot, isIncluded(slot) ? ((transform(residue, values) ?? {}) as JsonObject) : residue]
    }),
  )
  return { ...unit, extra }
}
