import type { Extra } from '../../canonical/model/extra.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { type Echoes, markEchoes, resolveEchoes } from '../../wire/echoes.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Carrier } from '../unit.ts'

/** The response with what hosts repeat of its id and model marked, so that a change of those reaches it. */
export function markResponse(response: ChatResponse): ChatResponse {
  return sealOwn(changed(response, markEchoes))
}

/** The response with what was marked as it is now. */
export function resolveResponse(response: ChatResponse): ChatResponse {
  return changed(response, resolveEchoes)
}

type Change = (value: Json, echoes: Echoes) => Json | undefined

function changed(response: ChatResponse, change: Change): ChatResponse {
  const { id, model, usage } = response
  const echoes = { id, model }
  return {
    ...withSlots(response, change, echoes, isResponseOnly),
    candidates: response.candidates.map((each) => withSlots(each, change, echoes, isResponseOnly)),
    ...(usage !== undefined && { usage: withSlots(usage, change, echoes, () => true) }),
  }
}

/** A message goes on into requests, where there is nothing to repeat: only what responses add is changed. */
function isResponseOnly(slot: string): boolean {
  return slot.includes('/')
}

function withSlots<T extends Carrier>(
  unit: T,
  change: Change,
  echoes: Echoes,
  takes: (slot: string) => boolean,
): T {
  if (unit.extra === undefined) return unit
  const extra: Extra = Object.fromEntries(
    Object.entries(unit.extra).map(([slot, residue]) => {
      return [slot, takes(slot) ? ((change(residue, echoes) ?? {}) as JsonObject) : residue]
    }),
  )
  return { ...unit, extra }
}
