import type { OutputSpec } from '../output/output-spec.ts'
import { createPartialOutputReader } from '../output/read-output.ts'
import type { EventMapper } from './orchestrator.ts'

/** Text as text, thoughts as thoughts; the rest is for those who read the events themselves. */
export const mapTextAndReasoning: EventMapper = (event) => {
  if (event.type === 'text-delta') return { text: event.text }
  if (event.type === 'reasoning-delta') return { thinking: event.text }
  return {}
}

/** Text that is no part of a typed answer is told beside it. */
export const mapTextToMetadata: EventMapper = (event) =>
  event.type === 'text-delta' ? { metadata: { heldBack: event.text } } : mapTextAndReasoning(event)

/** Text that is JSON, shown as text and as the value that it comes to. */
export function createJsonOutputMapper(format: OutputSpec): EventMapper {
  const partial = createPartialOutputReader(format)
  return (event) => {
    if (event.type !== 'text-delta') return mapTextAndReasoning(event)
    return { text: event.text, ...partial(event.text) }
  }
}
