import type { Orchestrator } from './orchestrator.ts'
import { takeTurn } from './turn.ts'

/** The loop that most runs need: ask, run the calls, ask again, until the model answers without calling. */
export const toolLoop: Orchestrator = {
  name: 'tool-loop',
  step: (run) =>
    takeTurn(run, { conclude: ({ message }, finish) => ({ messages: [message], goOn: false, finish }) }),
}
