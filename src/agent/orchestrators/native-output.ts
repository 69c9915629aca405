import type { ChatRequest } from '../../canonical/model/request.ts'
import type { OutputFormat } from '../output/format.ts'
import { judge } from '../output/judge.ts'
import { partialOutput } from '../output/partial.ts'
import { plainly } from './narrate.ts'
import type { Narrate, Orchestrator } from './orchestrator.ts'
import { takeTurn } from './turn.ts'

/** Typed output of a model that takes a schema, with tools or without. */
export function nativeOutput(format: OutputFormat): Orchestrator {
  return {
    name: 'native-output',
    step: (run) =>
      takeTurn(run, {
        ask: { request: { output: schemaRequest(format) }, narrate: narrateJson(format) },
        conclude: ({ message }, finish) => judge(run, message, finish, format),
      }),
  }
}

/** The request for an answer in JSON. */
export function schemaRequest({ schema }: OutputFormat): NonNullable<ChatRequest['output']> {
  return { type: 'json', name: 'result', schema, strict: true }
}

/** Text that is JSON, shown as text and as the value that it comes to. */
export function narrateJson(format: OutputFormat): Narrate {
  const partial = partialOutput(format)
  return (event) => {
    if (event.type !== 'text-delta') return plainly(event)
    return { text: event.text, ...partial(event.text) }
  }
}
