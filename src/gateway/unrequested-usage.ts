import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { getHints, type Slot, defineSlot } from '../dialects/engine/residue-slots.ts'
import type { EngineHint } from '../dialects/engine/residue-hints.ts'
import { isObject } from '../wire/json.ts'

/** The dialects whose streams contain usage only if the request asks for it, and the field and the key that ask. */
const USAGE_SWITCHES: { readonly [dialect: string]: readonly [field: string, key: string] } = {
  'openai-chat': ['stream_options', 'include_usage'],
}

/** Tests whether a request of a dialect asks for the usage of its stream. */
export function asksForUsage(dialect: string, { extra }: ChatRequest): boolean {
  const [field = '', key = ''] = Object.hasOwn(USAGE_SWITCHES, dialect) ? (USAGE_SWITCHES[dialect] ?? []) : []
  const options = extra?.[dialect]?.[field]
  return field === '' || (isObject(options) && options[key] === true)
}

/**
 * Removes the residue of usage that has a wire event of its own: it is left to the encoder, which writes it only for a client that
 * asks. The gateway asks providers in any case, and clients that did not ask fail at an event without choices.
 */
export function withoutUsageEvent(event: ChatEvent, dialect: string): ChatEvent {
  const slot: Slot<EngineHint> = defineSlot(dialect)
  if (event.type !== 'usage' || event.extra === undefined || getHints(event, slot)['eventCount'] !== 1)
    return event
  const { [dialect]: _residue, ...extra } = event.extra
  return { ...event, extra }
}
