import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from 'ai'
import type { RequestHandler } from 'interlingua/handlers'

/** The state of a chat in a browser, without a framework. */
class PlainChatState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[]

  constructor(messages: UIMessage[]) {
    this.messages = messages
  }

  pushMessage = (message: UIMessage): void => void (this.messages = [...this.messages, message])
  popMessage = (): void => void (this.messages = this.messages.slice(0, -1))
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

/** The client of `useChat` without React: the SDK's own chat, transport and stream reader, with a handler as server. */
export class BrowserChat extends AbstractChat<UIMessage> {
  readonly errors: Error[]
  readonly statuses: number[]

  constructor(handler: RequestHandler, id: string, messages: UIMessage[] = []) {
    const errors: Error[] = []
    const statuses: number[] = []
    super({
      id,
      state: new PlainChatState(messages),
      onError: (error) => void errors.push(error),
      transport: new DefaultChatTransport({
        api: 'http://localhost/api/chat',
        fetch: async (url, init) => {
          const response = await handler(new Request(url, init))
          statuses.push(response.status)
          return response
        },
      }),
    })
    this.errors = errors
    this.statuses = statuses
  }
}
