import type { EventMapper } from './orchestrator.ts'

/** Text as text, thoughts as thoughts; the rest is for those who read the events themselves. */
export const mapTextAndReasoning: EventMapper = (event) => {
  if (event.type === 'text-delta') return { text: event.text }
  if (event.type === 'reasoning-delta') return { thinking: event.text }
  return {}
}
