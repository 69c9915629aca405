import type { ChatRequest } from '../../canonical/model/request.ts'
import { checkOutput, isFeedbackMessage, isRefusal } from '../output/check-output.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { createPartialOutputReader } from '../output/read-output.ts'
import type { EventMapper, ModelCallOptions, Orchestrator, Run, StepResult } from './orchestrator.ts'
import { mapDeltaToChunkFields, mapTextDeltaToMetadata, runTurn } from './run-turn.ts'

/** Returns the orchestrator for typed output of a model that supports an output schema. */
export function createNativeOutputOrchestrator(format: OutputSpec): Orchestrator {
  return { name: 'native-output', step: (run) => runOutputTurn(run, format) }
}

/** The key of the id of the last message when the tool phase ended. */
const TOOL_PHASE_END_KEY = 'tool-phase-end'

/**
 * Returns the orchestrator for typed output of a model that supports a schema or tools, but not both: first
 * the model works with the tools, then the same conversation is sent again for JSON. The text that ends the
 * first phase is omitted from the conversation, since the JSON replaces it.
 */
export function createTwoPhaseOrchestrator(format: OutputSpec): Orchestrator {
  const withoutTools = { tools: undefined, toolChoice: undefined }
  return {
    name: 'two-phases',
    step: (run) => (isToolPhaseDone(run) ? runOutputTurn(run, format, withoutTools) : runToolPhase(run)),
  }
}

/** Returns true after the tool phase, until the user adds a message that may need the tools again. */
function isToolPhaseDone({ data, conversation }: Run): boolean {
  const last = conversation.last()
  return (
    data.has(TOOL_PHASE_END_KEY) &&
    (data.get(TOOL_PHASE_END_KEY) === last?.id || (last !== undefined && isFeedbackMessage(last)))
  )
}

function runToolPhase(run: Run): Promise<StepResult> {
  return runTurn(run, {
    modelCall: { mapEvent: mapTextDeltaToMetadata },
    onFinalReply: ({ message }, finish) => {
      if (isRefusal(message, finish)) return { messages: [message], shouldContinue: false, finish }
      run.data.set(TOOL_PHASE_END_KEY, run.conversation.last()?.id ?? '')
      return { messages: [], shouldContinue: true }
    },
  })
}

function runOutputTurn(
  run: Run,
  format: OutputSpec,
  changes: ModelCallOptions['request'] = {},
): Promise<StepResult> {
  const output: ChatRequest['output'] = { type: 'json', name: 'result', schema: format.schema, strict: true }
  return runTurn(run, {
    modelCall: { request: { output, ...changes }, mapEvent: createJsonOutputMapper(format) },
    onFinalReply: ({ message }, finish) => checkOutput(run, message, finish, format),
  })
}

/** Returns a mapper for text that is JSON: each chunk has the text and the value parsed so far. */
function createJsonOutputMapper(format: OutputSpec): EventMapper {
  const partial = createPartialOutputReader(format)
  return (event) => {
    if (event.type !== 'text-delta') return mapDeltaToChunkFields(event)
    return { text: event.text, ...partial(event.text) }
  }
}
