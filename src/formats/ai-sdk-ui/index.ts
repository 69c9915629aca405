import { Narration } from '../shared/narration.ts'
import type { UiEvent } from '../shared/narrator.ts'
import { eventStream, eventStreamHeaders, Pulled } from '../shared/pulled.ts'
import { LossReport } from '../shared/report.ts'
import type { UIMessageChunk } from './chunks.ts'
import { UIMessageNarrator } from './narrator.ts'
import type { UIMessageStreamOptions } from './options.ts'

export type { UiEvent } from '../shared/narrator.ts'
export type { LossListener } from '../shared/report.ts'
export type { ProviderMetadata, UIFinishReason, UIMessageChunk } from './chunks.ts'
export { answerMetadata, type MetadataEvent } from './metadata.ts'
export type { UIMessageStreamOptions } from './options.ts'

/**
 * The headers of a UI message stream.
 *
 * @example
 * new Response(toUIMessageStreamBytes(events), { headers: uiMessageStreamHeaders })
 */
export const uiMessageStreamHeaders: { readonly [name: string]: string } = Object.freeze({
  ...eventStreamHeaders,
  'x-vercel-ai-ui-message-stream': 'v1',
})

/**
 * The chunks of the Vercel AI SDK's UI message stream, version 1, that tell an answer; several answers, with the tool
 * messages between them, are the steps of one message.
 *
 * @example
 * for await (const chunk of toUIMessageStream(dialects.anthropic.decodeStream(body))) send(chunk)
 */
export function toUIMessageStream(
  events: Iterable<UiEvent> | AsyncIterable<UiEvent>,
  options: UIMessageStreamOptions = {},
): AsyncIterableIterator<UIMessageChunk> {
  const report = new LossReport('ai-sdk-ui', options.onLoss)
  return new Pulled(events, new Narration(new UIMessageNarrator(options, report), report, options.knownCalls))
}

/**
 * The same, framed as server-sent events and ready to send: the body of a response to `useChat`.
 *
 * @example
 * return new Response(toUIMessageStreamBytes(events), { headers: uiMessageStreamHeaders })
 */
export function toUIMessageStreamBytes(
  events: Iterable<UiEvent> | AsyncIterable<UiEvent>,
  options: UIMessageStreamOptions = {},
): ReadableStream<Uint8Array> {
  return eventStream(toUIMessageStream(events, options), '[DONE]')
}
