import type { Extra } from '../../canonical/model/extra.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { type RepeatableValues, templateRepeats, expandRepeats } from '../../wire/repeated-values.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { HasExtra } from './residue-slots.ts'

/** The response with what hosts repeat of its id and model marked, so that a change of those reaches it. */
export function templateResponseRepeats(response: ChatResponse): ChatResponse {
  return freezeOwned(transformResponse(response, templateRepeats))
}

/** The response with what was marked as it is now. */
export function expandResponseRepeats(response: ChatResponse): ChatResponse {
  return transformResponse(response, expandRepeats)
}

type RepeatTransform = (value: Json, echoes: RepeatableValues) => Json | undefined

function transformResponse(response: ChatResponse, change: RepeatTransform): ChatResponse {
  const { id, model, usage } = response
  const echoes = { id, model }
  return {
    ...transformSlots(response, change, echoes, isResponseOnly),
    candidates: response.candidates.map((each) => transformSlots(each, change, echoes, isResponseOnly)),
    ...(usage !== undefined && { usage: transformSlots(usage, change, echoes, () => true) }),
  }
}

/** A message goes on into requests, where there is nothing to repeat: only what responses add is changed. */
function isResponseOnly(slot: string): boolean {
  return slot.includes('/')
}

function transformSlots<T extends HasExtra>(
  unit: T,
  change: RepeatTransform,
  echoes: RepeatableValues,
  isIncluded: (slot: string) => boolean,
): T {
  if (unit.extra === undefined) return unit
  const extra: Extra = Object.fromEntries(
    Object.entries(unit.extra).map(([slot, residue]) => {
      return [slot, isIncluded(slot) ? ((change(residue, echoes) ?? {}) as JsonObject) : residue]
    }),
  )
  return { ...unit, extra }
}
