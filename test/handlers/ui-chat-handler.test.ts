import { setTimeout } from 'node:timers/promises'
import {
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
  validateUIMessages,
} from 'ai'
import { textOf, validate } from 'interlingua'
import { createUiChatHandler, loadUIMessages } from 'interlingua/handlers'
import { memoryStorage, memoryStreamLog } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createChatAgent } from './chat-agent.ts'
import { BrowserChat } from './ui-chat-client.ts'

const textOfUi = (message: UIMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''

const toolPartsOf = (message: UIMessage | undefined): { readonly type: string; readonly state: string }[] =>
  message?.parts.filter(isToolUIPart) ?? []

function setUp(eventDelayMs = 0) {
  const { agent, effects } = createChatAgent(eventDelayMs)
  const storage = memoryStorage()
  const streams = memoryStreamLog()
  const errors: unknown[] = []
  const handler = createUiChatHandler({ agent, storage, streams, onError: (error) => errors.push(error) })
  const load = async (): Promise<UIMessage[]> => loadUIMessages({ storage, session: 'chat-1', agent })
  return { agent, effects, storage, streams, handler, errors, load }
}

describe('the chat of the AI SDK', () => {
  test('three turns with a tool, an approval and a tool of the client, and a reload in the middle', async () => {
    const { handler, storage, effects, load, errors } = setUp(4)
    const first = new BrowserChat(handler, 'chat-1')
    await first.sendMessage({ text: 'Weather today?' })
    expect(first.errors).toEqual([])
    expect(textOfUi(first.lastMessage)).toBe('Result: sunny')
    expect(toolPartsOf(first.lastMessage)).toMatchObject([
      { type: 'tool-weather', state: 'output-available', output: 'sunny' },
    ])

    await first.sendMessage({ text: 'Delete it' })
    expect(toolPartsOf(first.lastMessage)).toMatchObject([
      { type: 'tool-remove', state: 'approval-requested' },
    ])
    expect(effects).toEqual(['weather'])

    // The page is loaded again while the call waits for approval.
    const second = new BrowserChat(handler, 'chat-1', await load())
    expect(second.messages.map(({ id }) => id)).toEqual(first.messages.map(({ id }) => id))
    const [waiting] = toolPartsOf(second.lastMessage) as { state: string; approval?: { id: string } }[]
    expect(waiting?.state).toBe('approval-requested')
    await second.addToolApprovalResponse({ id: waiting?.approval?.id ?? '', approved: true })
    expect(lastAssistantMessageIsCompleteWithApprovalResponses({ messages: second.messages })).toBe(true)
    const running = second.sendMessage()
    await setTimeout(25)

    // The page is loaded again while the answer is written.
    const third = new BrowserChat(handler, 'chat-1', await load())
    await third.resumeStream()
    await running
    expect(third.statuses).toEqual([200])
    expect(textOfUi(third.lastMessage)).toBe('Result: removed')
    expect(third.lastMessage?.id).toBe(second.lastMessage?.id)
    expect(effects).toEqual(['weather', 'remove'])

    await third.sendMessage({ text: 'Where am I?' })
    const [locate] = toolPartsOf(third.lastMessage) as { state: string; toolCallId?: string }[]
    expect(locate?.state).toBe('input-available')
    await third.addToolOutput({ tool: 'locate', toolCallId: locate?.toolCallId ?? '', output: 'Oslo' })
    expect(lastAssistantMessageIsCompleteWithToolCalls({ messages: third.messages })).toBe(true)
    await third.sendMessage()
    expect(textOfUi(third.lastMessage)).toBe('Result: Oslo')
    expect(third.errors).toEqual([])
    expect(errors).toEqual([])

    const stored = await storage.messages('chat-1')
    expect(validate(stored)).toEqual([])
    const loaded = await load()
    expect(loaded.map(({ id }) => id)).toEqual(third.messages.map(({ id }) => id))
    expect(await validateUIMessages({ messages: loaded })).toHaveLength(6)
    await third.resumeStream()
    expect(third.statuses.at(-1)).toBe(204)
  })

  test('a denied call is not run, and shown as denied', async () => {
    const { handler, effects } = setUp()
    const chat = new BrowserChat(handler, 'chat-1')
    await chat.sendMessage({ text: 'Delete it' })
    const [part] = toolPartsOf(chat.lastMessage) as { approval?: { id: string } }[]
    await chat.addToolApprovalResponse({ id: part?.approval?.id ?? '', approved: false, reason: 'No.' })
    await chat.sendMessage()
    expect(chat.errors).toEqual([])
    expect(toolPartsOf(chat.lastMessage)).toMatchObject([{ state: 'output-denied' }])
    expect(effects).toEqual([])
  })

  test('a message is edited and an answer regenerated, as branches', async () => {
    const { handler, storage } = setUp()
    const chat = new BrowserChat(handler, 'chat-1')
    await chat.sendMessage({ text: 'One' })
    await chat.sendMessage({ text: 'Two' })
    await chat.regenerate()
    await chat.sendMessage({ text: 'Three', messageId: chat.messages[0]?.id ?? '' })
    await chat.sendMessage({ text: 'Four' })
    expect(chat.errors).toEqual([])
    const texts = [...(await storage.messages('chat-1'))]
      .filter(({ role }) => role === 'user')
      .map((message) => textOf(message))
    expect(texts).toEqual(['Three', 'Four'])
    expect(await storage.branches('chat-1')).toHaveLength(3)
  })
})
