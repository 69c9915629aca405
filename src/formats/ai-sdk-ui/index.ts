import { ProtocolDriver } from '../shared/protocol-driver.ts'
import type { RunEvent } from '../../canonical/model/event.ts'
import { checkIterable } from '../../canonical/shape/shape.ts'
import { transformIterable } from '../../wire/iterable-source.ts'
import { toEventStream, eventStreamHeaders } from '../shared/to-event-stream.ts'
import { LossReporter } from '../shared/loss-reporter.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'
import { UIMessageWriter } from './ui-message-writer.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { UI_STREAM_OPTION_NAMES, type UIMessageStreamOptions } from './options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

export type { LossHandler } from '../shared/loss-reporter.ts'
export type { ProviderMetadata, UIFinishReason, UIMessageChunk } from './ui-message-chunk.ts'
export { buildMessageMetadata, type MetadataEvent } from './build-message-metadata.ts'
export type { UIMessageStreamOptions } from './options.ts'
export { type PostedUIMessage, readUIChatRequest, type UIChatRequest } from './read-chat-request.ts'
export type { ApprovalAnswer, OutputAnswer, ToolAnswer } from '../shared/tool-answers.ts'

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
 * Converts events to chunks of the Vercel AI SDK's UI message stream, version 1. Several responses, with the
 * tool messages between them, become the steps of one message.
 *
 * @example
 * for await (const chunk of toUIMessageStream(dialects.anthropic.decodeStream(body))) send(chunk)
 */
export function toUIMessageStream(
  events: Iterable<RunEvent> | AsyncIterable<RunEvent>,
  options: UIMessageStreamOptions = {},
): AsyncIterableIterator<UIMessageChunk> {
  return withTypedErrors(() => {
    checkOptions('toUIMessageStream()', options, UI_STREAM_OPTION_NAMES)
    const report = new LossReporter('ai-sdk-ui', options.onLoss)
    return transformIterable(
      checkIterable(events, 'a stream of events'),
      new ProtocolDriver(new UIMessageWriter(options, report), report, options.knownCalls),
    )
  }, [events, options])
}

/**
 * Converts events to a UI message stream, framed as server-sent events and ready to send: the body of a
 * response to `useChat`.
 *
 * @example
 * return new Response(toUIMessageStreamBytes(events), { headers: uiMessageStreamHeaders })
 */
export function toUIMessageStreamBytes(
  events: Iterable<RunEvent> | AsyncIterable<RunEvent>,
  options: UIMessageStreamOptions = {},
): ReadableStream<Uint8Array> {
  return toEventStream(toUIMessageStream(events, options), '[DONE]')
}
