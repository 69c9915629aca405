import type { OutputSpec } from '../output/output-spec.ts'
import { isGeneratedMessage, isRefusal, checkOutput } from '../output/check-output.ts'
import { createJsonOutputMapper, mapTextToMetadata } from './event-mappers.ts'
import { toOutputRequest } from './native-output.ts'
import type { Orchestrator, Run, StepResult } from './orchestrator.ts'
import { runTurn } from './run-turn.ts'

/** The key of the id of the last message when the tool phase ended. */
const TOOL_PHASE_END_KEY = 'tool-phase-end'

/**
 * Returns the orchestrator for typed output of a model that supports a schema or tools, but not both: first
 * the model works with the tools, then the same conversation is sent again for JSON. The text that ends the
 * first phase is omitted from the conversation, since the JSON replaces it.
 */
export function createTwoPhaseOrchestrator(format: OutputSpec): Orchestrator {
  return {
    name: 'two-phases',
    step: (run) => (isToolPhaseDone(run) ? runOutputPhase(run, format) : runToolPhase(run)),
  }
}

/** Returns true after the tool phase, until the user adds a message that may need the tools again. */
function isToolPhaseDone({ data, conversation }: Run): boolean {
  const last = conversation.last()
  return (
    data.has(TOOL_PHASE_END_KEY) &&
    (data.get(TOOL_PHASE_END_KEY) === last?.id || (last !== undefined && isGeneratedMessage(last)))
  )
}

function runToolPhase(run: Run): Promise<StepResult> {
  return runTurn(run, {
    modelCall: { mapEvent: mapTextToMetadata },
    onFinalReply: ({ message }, finish) => {
      if (isRefusal(message, finish)) return { messages: [message], shouldContinue: false, finish }
      run.data.set(TOOL_PHASE_END_KEY, run.conversation.last()?.id ?? '')
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
