import { ProtocolDriver } from '../shared/protocol-driver.ts'
import type { RunEvent } from '../../canonical/model/event.ts'
import { checkIterable } from '../../canonical/shape/shape.ts'
import { transformIterable } from '../../wire/iterable-source.ts'
import { toEventStream, eventStreamHeaders } from '../shared/to-event-stream.ts'
import { LossReporter } from '../shared/loss-reporter.ts'
import { AgUiWriter } from './ag-ui-writer.ts'
import type { AgUiEvent } from './ag-ui-event.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { AG_UI_OPTION_NAMES, type AgUiOptions } from './options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

export type { LossHandler } from '../shared/loss-reporter.ts'
export type {
  AgUiContentPart,
  AgUiEvent,
  AgUiInterrupt,
  AgUiMetadata,
  AgUiOutcome,
  AgUiSource,
  AgUiTokenUsage,
} from './ag-ui-event.ts'
export type { AgUiOptions } from './options.ts'
export { type AgUiClientTool, type AgUiRunInput, readAgUiRunInput } from './read-run-input.ts'
export type { ApprovalAnswer, OutputAnswer, ToolAnswer } from '../shared/tool-answers.ts'

/**
 * The headers of a stream of AG-UI events.
 *
 * @example
 * new Response(toAgUiBytes(events, { threadId, runId }), { headers: agUiHeaders })
 */
export const agUiHeaders: { readonly [name: string]: string } = eventStreamHeaders

/**
 * Converts the events of a run to AG-UI events: one response, or several with the tool messages between them.
 *
 * @example
 * for await (const event of toAgUi(dialects.anthropic.decodeStream(body), { threadId, runId })) send(event)
 */
export function toAgUi(
  events: Iterable<RunEvent> | AsyncIterable<RunEvent>,
  options: AgUiOptions,
): AsyncIterableIterator<AgUiEvent> {
  return withTypedErrors(() => {
    checkOptions('toAgUi()', options, AG_UI_OPTION_NAMES)
    const report = new LossReporter('ag-ui', options.onLoss)
    return transformIterable(
      checkIterable(events, 'a stream of events'),
      new ProtocolDriver(new AgUiWriter(options, report), report, options.knownCalls),
    )
  }, [events, options])
}

/**
 * Converts the events of a run to AG-UI events, framed as server-sent events and ready to send.
 *
 * @example
 * return new Response(toAgUiBytes(events, { threadId, runId }), { headers: agUiHeaders })
 */
export function toAgUiBytes(
  events: Iterable<RunEvent> | AsyncIterable<RunEvent>,
  options: AgUiOptions,
): ReadableStream<Uint8Array> {
  return toEventStream(toAgUi(events, options))
}
