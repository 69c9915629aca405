import { argumentsText } from '../../canonical/build/arguments.ts'
import type { AssistantMessage, ToolMessage } from '../../canonical/model/message.ts'
import { toolResultsOf } from '../../canonical/read/text.ts'
import type { Json } from '../../wire/json.ts'
import { ownCallsOf, wordsOf } from '../calls.ts'
import { OutputFailure } from '../errors.ts'
import type { OutputFormat } from '../output/format.ts'
import { failedTooOften, generated, isRefusal } from '../output/judge.ts'
import { partialOutput } from '../output/partial.ts'
import { readValue } from '../output/read.ts'
import { listIssues } from '../tools/prepare.ts'
import { type AgentTool, tool } from '../tools/tool.ts'
import type { Narrate, Orchestrator, Run, StepResult } from './orchestrator.ts'
import { takeTurn } from './turn.ts'
import { withoutText } from './two-phases.ts'

/** The tool through which a model without schemas gives its output. */
const RETURN_RESULT = 'return_result'

/**
 * Typed output of a model that takes no schema: one more tool takes the result. Calls beside it are answered as ever, and its
 * JSON takes the place of the text.
 */
export function returnResult(format: OutputFormat): Orchestrator {
  return {
    name: 'return-result',
    init: (run) => run.addTool(resultTool(format)),
    step: (run) =>
      takeTurn(run, {
        ask: { request: { toolChoice: 'required' }, narrate: narrateResult(format) },
        conclude: ({ message }, finish) => {
          if (isRefusal(message, finish)) return { messages: [message], goOn: false, finish }
          const issues = [{ path: '', message: `The tool ${RETURN_RESULT} was not called.` }]
          if (failedTooOften(run, format)) throw new OutputFailure(wordsOf(message), issues, [message])
          return {
            messages: [message, generated(`Give the result by calling ${RETURN_RESULT}.`)],
            goOn: true,
          }
        },
        answered: (message, results) => taken(run, format, message, results),
      }),
  }
}

function resultTool(format: OutputFormat): AgentTool {
  return tool<unknown>({
    name: RETURN_RESULT,
    description: 'Takes the final result. Call it once, when everything is known.',
    input: format.schema,
    run: async (input) => {
      const read = await readValue(input as Json, format)
      if ('issues' in read) throw new Error(`The result does not fit the schema. ${listIssues(read.issues)}`)
      return 'The result was taken.'
    },
  })
}

/** The output, where the tool took it; or that it failed once too often. */
async function taken(
  run: Run,
  format: OutputFormat,
  message: AssistantMessage,
  results: ToolMessage,
): Promise<StepResult | undefined> {
  const failed = new Set(toolResultsOf(results).flatMap(({ callId, isError }) => (isError ? callId : [])))
  const calls = ownCallsOf(message).filter(({ name }) => name === RETURN_RESULT)
  const [call = calls[0]] = calls.filter(({ id }) => !failed.has(id))
  if (call === undefined) return undefined
  const messages = [message, results]
  const read = await readValue(call.arguments ?? null, format)
  if (!failed.has(call.id) && 'output' in read) {
    run.emit({ text: read.output.text, output: read.output.json })
    return { messages, goOn: false, finish: { reason: 'stop' }, output: read.output }
  }
  const issues = 'issues' in read ? read.issues : [{ path: '', message: 'The result was not taken.' }]
  if (failedTooOften(run, format)) throw new OutputFailure(argumentsText(call), issues, messages)
  return undefined
}

/** The arguments of the result's call as the output so far. */
function narrateResult(format: OutputFormat): Narrate {
  const open = new Map<number, ReturnType<typeof partialOutput>>()
  return (event) => {
    if (event.type === 'part-start' && event.part.type === 'tool-call' && event.part.name === RETURN_RESULT) {
      open.set(event.index, partialOutput(format))
    }
    const partial = event.type === 'arguments-delta' ? open.get(event.index) : undefined
    return event.type === 'arguments-delta' && partial ? partial(event.json) : withoutText(event)
  }
}
