import type { ChatRequest } from '../../canonical/model/request.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { checkOutput } from '../output/check-output.ts'
import { createJsonOutputMapper } from './event-mappers.ts'
import type { Orchestrator } from './orchestrator.ts'
import { runTurn } from './run-turn.ts'

/** Typed output of a model that takes a schema, with tools or without. */
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

/** The request for an answer in JSON. */
export function toOutputRequest({ schema }: OutputSpec): NonNullable<ChatRequest['output']> {
  return { type: 'json', name: 'result', schema, strict: true }
}
