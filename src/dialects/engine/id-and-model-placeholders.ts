import type { Extra } from '../../canonical/model/extra.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import {
  type RepeatableValues,
  replaceRepeatsByPlaceholders,
  fillPlaceholders,
} from '../../wire/repeated-values.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { HasExtra } from '../../canonical/model/extra.ts'

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
