import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { AssistantMessage, ToolMessage } from '../../canonical/model/message.ts'
import { toolResultsOf } from '../../canonical/read/message-content.ts'
import type { Json } from '../../wire/json.ts'
import { applicationCallsOf, modelTextOf } from '../assistant-content.ts'
import { OutputFailure } from '../run-errors.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { recordOutputFailure, createFeedbackMessage, isRefusal } from '../output/check-output.ts'
import {
  createPartialOutputReader,
  type PartialOutputReader,
  readOutputValue,
} from '../output/read-output.ts'
import { formatIssues } from '../tools/prepare-calls.ts'
import { type AgentTool, tool } from '../tools/tool.ts'
import type { EventMapper, Orchestrator, Run, StepResult } from './orchestrator.ts'
import { mapTextDeltaToMetadata, runTurn } from './run-turn.ts'

/** The name of the tool that a model without schema support calls to return its output. */
const RESULT_TOOL_NAME = 'return_result'

/**
 * Returns the orchestrator for typed output of a model that does not support an output schema: the model
 * returns the output as the arguments of an additional tool. Other tool calls run as usual.
 */
export function createReturnResultOrchestrator(format: OutputSpec): Orchestrator {
  return {
    name: 'return-result',
    init: (run) => run.addTool(createResultTool(format)),
    step: (run) =>
      runTurn(run, {
        modelCall: { request: { toolChoice: 'required' }, mapEvent: createResultCallMapper(format) },
        onFinalReply: ({ message }, finish) => {
          if (isRefusal(message, finish)) return { messages: [message], shouldContinue: false, finish }
          const issues = [{ path: '', message: `The tool ${RESULT_TOOL_NAME} was not called.` }]
          if (recordOutputFailure(run, format))
            throw new OutputFailure(modelTextOf(message), issues, [message])
          return {
            messages: [message, createFeedbackMessage(`Return the result by calling ${RESULT_TOOL_NAME}.`)],
            shouldContinue: true,
          }
        },
        onToolResults: (message, results) => readResultCall(run, format, message, results),
      }),
  }
}

function createResultTool(format: OutputSpec): AgentTool {
  return tool<unknown>({
    name: RESULT_TOOL_NAME,
    description: 'Returns the final result. Call it once, when the result is complete.',
    input: format.schema,
    run: async (input) => {
      const read = await readOutputValue(input as Json, format)
      if ('issues' in read)
        throw new Error(`The result does not conform to the schema. ${formatIssues(read.issues)}`)
      return 'The result was accepted.'
    },
  })
}

/** Returns the step that ends the run if the output was accepted; throws after too many failures. */
async function readResultCall(
  run: Run,
  format: OutputSpec,
  message: AssistantMessage,
  results: ToolMessage,
): Promise<StepResult | undefined> {
  const failed = new Set(toolResultsOf(results).flatMap(({ callId, isError }) => (isError ? callId : [])))
  const calls = applicationCallsOf(message).filter(({ name }) => name === RESULT_TOOL_NAME)
  const [call = calls[0]] = calls.filter(({ id }) => !failed.has(id))
  if (call === undefined) return undefined
  const messages = [message, results]
  const read = await readOutputValue(call.arguments ?? null, format)
  if (!failed.has(call.id) && 'output' in read) {
    run.emit({ text: read.output.text, output: read.output.json })
    return { messages, shouldContinue: false, finish: { reason: 'stop' }, output: read.output }
  }
  const issues = 'issues' in read ? read.issues : [{ path: '', message: 'The result was not accepted.' }]
  if (recordOutputFailure(run, format)) throw new OutputFailure(stringifyArguments(call), issues, messages)
  return undefined
}

/** Returns a mapper that shows the arguments of the result tool as partial output. */
function createResultCallMapper(format: OutputSpec): EventMapper {
  const open = new Map<number, PartialOutputReader>()
  return (event) => {
    const isCallStart = event.type === 'part-start' && event.part.type === 'tool-call'
    if (isCallStart && event.part.name === RESULT_TOOL_NAME)
      open.set(event.index, createPartialOutputReader(format))
    const read = event.type === 'arguments-delta' ? open.get(event.index) : undefined
    return event.type === 'arguments-delta' && read ? read(event.json) : mapTextDeltaToMetadata(event)
  }
}
