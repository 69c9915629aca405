import type { ChatRequest } from '../../canonical/model/request.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { checkOutput } from '../output/check-output.ts'
import { createJsonOutputMapper } from './event-mappers.ts'
import type { Orchestrator } from './orchestrator.ts'
import { runTurn } from './run-turn.ts'

/** Returns the orchestrator for typed output of a model that supports an output schema. */
export function createNativeOutputOrchestrator(format: OutputSpec): Orchestrator {
  return {
    name: 'native-output',
    step: (run) =>
      runTurn(run, {
        modelCall: { request: { output: toOutputRequest(format) }, mapEvent: createJsonOutputMapper(format) },
        onFinalReply: ({ message }, finish) => checkOutput(run, message, finish, format),
      }),
  }
}

/** Returns the `output` setting of a request for JSON. */
export function toOutputRequest({ schema }: OutputSpec): NonNullable<ChatRequest['output']> {
  return { type: 'json', name: 'result', schema, strict: true }
}
