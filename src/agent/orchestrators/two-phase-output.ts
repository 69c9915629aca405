import type { OutputSpec } from '../output/output-spec.ts'
import { isGeneratedMessage, isRefusal, checkOutput } from '../output/check-output.ts'
import { createJsonOutputMapper, mapTextToMetadata } from './event-mappers.ts'
import { toOutputRequest } from './native-output.ts'
import type { Orchestrator, Run, StepResult } from './orchestrator.ts'
import { runTurn } from './run-turn.ts'

/** Under which the last message is noted that was there when the tools were done with. */
const TOOLS_DONE_KEY = 'done-with-tools'

/**
 * Typed output of a model that takes a schema or tools, but not both: first it works with the tools, then it is asked the same
 * again for JSON. What it says in between is not part of the conversation, since the second answer takes its place.
 */
export function createTwoPhaseOrchestrator(format: OutputSpec): Orchestrator {
  return {
    name: 'two-phases',
    step: (run) => (isToolPhaseDone(run) ? runOutputPhase(run, format) : runToolPhase(run)),
  }
}

/** Whether the tools are done with: until the user says something more, for which they may be needed again. */
function isToolPhaseDone({ data, conversation }: Run): boolean {
  const last = conversation.last()
  return (
    data.has(TOOLS_DONE_KEY) &&
    (data.get(TOOLS_DONE_KEY) === last?.id || (last !== undefined && isGeneratedMessage(last)))
  )
}

function runToolPhase(run: Run): Promise<StepResult> {
  return runTurn(run, {
    modelCall: { mapEvent: mapTextToMetadata },
    onFinalReply: ({ message }, finish) => {
      if (isRefusal(message, finish)) return { messages: [message], shouldContinue: false, finish }
      run.data.set(TOOLS_DONE_KEY, run.conversation.last()?.id ?? '')
      return { messages: [], shouldContinue: true }
    },
  })
}

function runOutputPhase(run: Run, format: OutputSpec): Promise<StepResult> {
  const request = { output: toOutputRequest(format), tools: undefined, toolChoice: undefined }
  return runTurn(run, {
    modelCall: { request, mapEvent: createJsonOutputMapper(format) },
    onFinalReply: ({ message }, finish) => checkOutput(run, message, finish, format),
  })
}
