import type { OutputFormat } from '../output/format.ts'
import { isGenerated, isRefusal, judge } from '../output/judge.ts'
import { narrateJson, schemaRequest } from './native-output.ts'
import { plainly } from './narrate.ts'
import type { Narrate, Orchestrator, Run, StepResult } from './orchestrator.ts'
import { takeTurn } from './turn.ts'

/** Under which the last message is noted that was there when the tools were done with. */
const DONE_WITH = 'done-with-tools'

/**
 * Typed output of a model that takes a schema or tools, but not both: first it works with the tools, then it is asked the same
 * again for JSON. What it says in between is not part of the conversation, since the second answer takes its place.
 */
export function twoPhases(format: OutputFormat): Orchestrator {
  return {
    name: 'two-phases',
    step: (run) => (isDone(run) ? giveResult(run, format) : useTools(run)),
  }
}

/** Whether the tools are done with: until the user says something more, for which they may be needed again. */
function isDone({ data, conversation }: Run): boolean {
  const last = conversation.last()
  return (
    data.has(DONE_WITH) && (data.get(DONE_WITH) === last?.id || (last !== undefined && isGenerated(last)))
  )
}

function useTools(run: Run): Promise<StepResult> {
  return takeTurn(run, {
    ask: { narrate: withoutText },
    conclude: ({ message }, finish) => {
      if (isRefusal(message, finish)) return { messages: [message], goOn: false, finish }
      run.data.set(DONE_WITH, run.conversation.last()?.id ?? '')
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
