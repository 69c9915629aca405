import type { RunEvent } from 'interlingua'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import {
  toUIMessageStreamBytes,
  uiMessageStreamHeaders,
  type UIMessageStreamOptions,
} from 'interlingua/formats/ai-sdk-ui'

/** The state of a browser after it has read a stream. */
export interface Shown {
  readonly message: UIMessage | undefined
  readonly errors: readonly string[]
}

/** Reads a stream like `useChat`: with the SDK's transport, its chunk schema and its message reader. */
export async function show(
  events: Iterable<RunEvent> | AsyncIterable<RunEvent>,
  options: UIMessageStreamOptions = {},
  before?: UIMessage,
): Promise<Shown> {
  const body = toUIMessageStreamBytes(events, options)
  const transport = new DefaultChatTransport({
    api: 'http://localhost/chat',
    fetch: async () => new Response(body, { headers: uiMessageStreamHeaders }),
  })
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: 'chat',
    messageId: undefined,
    messages: [],
    abortSignal: undefined,
  })
  const errors: string[] = []
  let message: UIMessage | undefined = before
  const read = readUIMessageStream({
    stream,
    ...(before && { message: before }),
    onError: (error) => errors.push(error instanceof Error ? error.message : String(error)),
  })
  for await (const state of read) message = state
  return { message, errors }
}
