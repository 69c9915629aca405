import { Narration } from '../shared/narration.ts'
import type { UiEvent } from '../shared/narrator.ts'
import { eventStream, eventStreamHeaders, Pulled } from '../shared/pulled.ts'
import { LossReport } from '../shared/report.ts'
import type { AgUiEvent } from './events.ts'
import { AgUiNarrator } from './narrator.ts'
import type { AgUiOptions } from './options.ts'

export type { UiEvent } from '../shared/narrator.ts'
export type { LossListener } from '../shared/report.ts'
export type {
  AgUiContentPart,
  AgUiEvent,
  AgUiMetadata,
  AgUiOutcome,
  AgUiSource,
  AgUiTokenUsage,
} from './events.ts'
export type { AgUiOptions } from './options.ts'

/**
 * The headers of a stream of AG-UI events.
 *
 * @example
 * new Response(toAgUiBytes(events, { threadId, runId }), { headers: agUiHeaders })
 */
export const agUiHeaders: { readonly [name: string]: string } = eventStreamHeaders

/**
 * The AG-UI events that tell a run: one answer, or several with the tool messages between them.
 *
 * @example
 * for await (const event of toAgUi(dialects.anthropic.decodeStream(body), { threadId, runId })) send(event)
 */
export function toAgUi(
  events: Iterable<UiEvent> | AsyncIterable<UiEvent>,
  options: AgUiOptions,
): AsyncIterableIterator<AgUiEvent> {
  const report = new LossReport('ag-ui', options.onLoss)
  return new Pulled(events, new Narration(new AgUiNarrator(options, report), report))
}

/**
 * The same, framed as server-sent events and ready to send.
 *
 * @example
 * return new Response(toAgUiBytes(events, { threadId, runId }), { headers: agUiHeaders })
 */
export function toAgUiBytes(
  events: Iterable<UiEvent> | AsyncIterable<UiEvent>,
  options: AgUiOptions,
): ReadableStream<Uint8Array> {
  return eventStream(toAgUi(events, options))
}
