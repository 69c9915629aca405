import type { OutputFormat } from '../output/format.ts'
import { isRefusal, judge } from '../output/judge.ts'
import { narrateJson, schemaRequest } from './native-output.ts'
import { plainly } from './narrate.ts'
import type { Narrate, Orchestrator, Run, StepResult } from './orchestrator.ts'
import { takeTurn } from './turn.ts'

const PHASE = 'phase'

/**
 * Typed output of a model that takes a schema or tools, but not both: first it works with the tools, then it is asked the same
 * again for JSON. What it says in between is not part of the conversation, since the second answer takes its place.
 */
export function twoPhases(format: OutputFormat): Orchestrator {
  return {
    name: 'two-phases',
    step: (run) => (run.data.get(PHASE) === 'result' ? giveResult(run, format) : useTools(run)),
  }
}

function useTools(run: Run): Promise<StepResult> {
  return takeTurn(run, {
    ask: { narrate: withoutText },
    conclude: ({ message }, finish) => {
      if (isRefusal(message, finish)) return { messages: [message], goOn: false, finish }
      run.data.set(PHASE, 'result')
      return { messages: [], goOn: true }
    },
  })
}

function giveResult(run: Run, format: OutputFormat): Promise<StepResult> {
  const request = { output: schemaRequest(format), tools: undefined, toolChoice: undefined }
  return takeTurn(run, {
    ask: { request, narrate: narrateJson(format) },
    conclude: ({ message }, finish) => judge(run, message, finish, format),
  })
}

/** Text that is no part of a typed answer is told beside it. */
export const withoutText: Narrate = (event) =>
  event.type === 'text-delta' ? { metadata: { heldBack: event.text } } : plainly(event)
