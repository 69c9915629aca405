import type { ChatState, ChatStatus, UIMessage } from 'ai'
import type * as AiSdk from 'ai'
import { existsSync } from 'node:fs'
import type { RequestHandler } from 'interlingua/handlers'

/** The package `ai` of one version. */
export type AiSdkModule = typeof AiSdk

const NEWER = new URL('../../tools/ui-clients/node_modules/ai/dist/index.js', import.meta.url)

/** The versions of the AI SDK that are installed: the other ones with `npm ci` in tools/ui-clients. */
export const AI_SDK_VERSIONS: readonly [string, () => Promise<AiSdkModule>][] = [
  ['6', () => import('ai')],
  ...(existsSync(NEWER) ? [['7', () => import(NEWER.href)] as [string, () => Promise<AiSdkModule>]] : []),
]

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

/** A chat of the SDK, with what its client saw. */
export interface BrowserChat {
  readonly chat: InstanceType<AiSdkModule['AbstractChat']>
  readonly errors: readonly Error[]
  readonly statuses: readonly number[]
}

/** Creates the client of `useChat` without React: the SDK's chat, transport and stream reader, with a handler as server. */
export function createBrowserChat(
  sdk: AiSdkModule,
  handler: RequestHandler,
  messages: UIMessage[] = [],
): BrowserChat {
  const errors: Error[] = []
  const statuses: number[] = []
  class Chat extends sdk.AbstractChat<UIMessage> {}
  const chat = new Chat({
    id: 'chat-1',
    state: new PlainChatState(messages),
    onError: (error) => void errors.push(error),
    transport: new sdk.DefaultChatTransport({
      api: 'http://localhost/api/chat',
      fetch: async (url, init) => {
        const response = await handler(new Request(url, init))
        statuses.push(response.status)
        return response
      },
    }),
  })
  return { chat, errors, statuses }
}
