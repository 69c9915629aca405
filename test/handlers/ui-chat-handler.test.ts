import { setTimeout } from 'node:timers/promises'
import type { UIMessage } from 'ai'
import { textOf, validate } from 'interlingua'
import { createUIChatHandler, loadUIMessages } from 'interlingua/handlers'
import { memoryStorage, memoryStreamLog } from 'interlingua/stores'
import { beforeAll, describe, expect, test } from 'vitest'
import { createChatAgent } from './chat-agent.ts'
import { AI_SDK_VERSIONS, type AiSdkModule, createBrowserChat } from './ui-chat-client.ts'

const textOfUi = (message: UIMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''

/** A tool part of a message, as far as the tests look at it. */
interface ToolPart {
  readonly type: string
  readonly state: string
  readonly toolCallId: string
  readonly approval?: { readonly id: string }
}

const toolPartsOf = (message: UIMessage | undefined): readonly ToolPart[] =>
  (message?.parts ?? []).flatMap((part) => ('toolCallId' in part ? part : []))

const idsOf = (messages: readonly UIMessage[]): readonly string[] => messages.map(({ id }) => id)

function setUp(eventDelayMs = 0) {
  const { agent, effects } = createChatAgent(eventDelayMs)
  const storage = memoryStorage()
  const errors: unknown[] = []
  const handler = createUIChatHandler({
    agent,
    storage,
    streams: memoryStreamLog(),
    onError: (error) => errors.push(error),
  })
  const load = (): Promise<UIMessage[]> => loadUIMessages({ storage, session: 'chat-1', agent })
  return { effects, storage, handler, errors, load }
}

describe.each(AI_SDK_VERSIONS)('the chat of the AI SDK, version %s', (_, load) => {
  let sdk: AiSdkModule
  beforeAll(async () => void (sdk = await load()))

  test('three turns with a tool, an approval and a tool of the client, and reloads in the middle', async () => {
    const server = setUp(4)
    const first = createBrowserChat(sdk, server.handler)
    await first.chat.sendMessage({ text: 'Weather today?' })
    expect(first.errors).toEqual([])
    expect(textOfUi(first.chat.lastMessage)).toBe('Result: sunny')
    const [weather] = toolPartsOf(first.chat.lastMessage)
    expect(weather).toMatchObject({ type: 'tool-weather', state: 'output-available', output: 'sunny' })

    await first.chat.sendMessage({ text: 'Delete it' })
    expect(toolPartsOf(first.chat.lastMessage)).toMatchObject([{ state: 'approval-requested' }])
    expect(server.effects).toEqual(['weather'])

    // The page is loaded again while the call waits for approval.
    const second = createBrowserChat(sdk, server.handler, await server.load())
    expect(idsOf(second.chat.messages)).toEqual(idsOf(first.chat.messages))
    const [waiting] = toolPartsOf(second.chat.lastMessage)
    expect(waiting?.state).toBe('approval-requested')
    await second.chat.addToolApprovalResponse({ id: waiting?.approval?.id ?? '', approved: true })
    expect(sdk.lastAssistantMessageIsCompleteWithApprovalResponses({ messages: second.chat.messages })).toBe(
      true,
    )
    const running = second.chat.sendMessage()
    await setTimeout(25)

    // The page is loaded again while the answer is written.
    const third = createBrowserChat(sdk, server.handler, await server.load())
    await third.chat.resumeStream()
    await running
    expect(third.errors).toEqual([])
    expect(third.statuses).toEqual([200])
    expect(textOfUi(third.chat.lastMessage)).toBe('Result: removed')
    expect(idsOf(third.chat.messages)).toEqual(idsOf(second.chat.messages))
    expect(server.effects).toEqual(['weather', 'remove'])

    await third.chat.sendMessage({ text: 'Where am I?' })
    const [locate] = toolPartsOf(third.chat.lastMessage)
    expect(locate?.state).toBe('input-available')
    await third.chat.addToolOutput({ tool: 'locate', toolCallId: locate?.toolCallId ?? '', output: 'Oslo' })
    expect(sdk.lastAssistantMessageIsCompleteWithToolCalls({ messages: third.chat.messages })).toBe(true)
    await third.chat.sendMessage()
    expect(textOfUi(third.chat.lastMessage)).toBe('Result: Oslo')
    expect([...third.errors, ...server.errors]).toEqual([])

    expect(validate(await server.storage.messages('chat-1'))).toEqual([])
    const loaded = await server.load()
    expect(idsOf(loaded)).toEqual(idsOf(third.chat.messages))
    expect(await sdk.validateUIMessages({ messages: loaded })).toHaveLength(6)
    await third.chat.resumeStream()
    expect(third.statuses.at(-1)).toBe(204)
  })

  test('a denied call is not run, and shown as denied', async () => {
    const { handler, effects } = setUp()
    const { chat, errors } = createBrowserChat(sdk, handler)
    await chat.sendMessage({ text: 'Delete it' })
    const [part] = toolPartsOf(chat.lastMessage)
    await chat.addToolApprovalResponse({ id: part?.approval?.id ?? '', approved: false, reason: 'No.' })
    await chat.sendMessage()
    expect(errors).toEqual([])
    expect(toolPartsOf(chat.lastMessage)).toMatchObject([{ state: 'output-denied' }])
    expect(effects).toEqual([])
  })

  test('a message is edited and an answer regenerated, as branches', async () => {
    const { handler, storage } = setUp()
    const { chat, errors } = createBrowserChat(sdk, handler)
    await chat.sendMessage({ text: 'One' })
    await chat.sendMessage({ text: 'Two' })
    await chat.regenerate()
    await chat.sendMessage({ text: 'Three', messageId: chat.messages[0]?.id ?? '' })
    await chat.sendMessage({ text: 'Four' })
    expect(errors).toEqual([])
    const users = [...(await storage.messages('chat-1'))].filter(({ role }) => role === 'user')
    expect(users.map((message) => textOf(message))).toEqual(['Three', 'Four'])
    expect(await storage.branches('chat-1')).toHaveLength(3)
  })
})
