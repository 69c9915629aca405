import type { OutputSpec } from '../output/output-spec.ts'
import { createPartialOutputReader } from '../output/read-output.ts'
import type { EventMapper } from './orchestrator.ts'

/** Maps text and reasoning deltas. Other events are only available as the `event` of the chunk. */
export const mapTextAndReasoning: EventMapper = (event) => {
  if (event.type === 'text-delta') return { text: event.text }
  if (event.type === 'reasoning-delta') return { thinking: event.text }
  return {}
}

/** Maps text that is not part of a typed output to metadata. */
export const mapTextToMetadata: EventMapper = (event) =>
  event.type === 'text-delta' ? { metadata: { intermediateText: event.text } } : mapTextAndReasoning(event)

/** Returns a mapper for text that is JSON: each chunk has the text and the value parsed so far. */
export function createJsonOutputMapper(format: OutputSpec): EventMapper {
  const partial = createPartialOutputReader(format)
  return (event) => {
    if (event.type !== 'text-delta') return mapTextAndReasoning(event)
    return { text: event.text, ...partial(event.text) }
  }
}
