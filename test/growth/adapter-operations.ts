import { mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { type Message, textOf, user } from 'interlingua'
import { fromLanguageModel, toLanguageModel, uiMessageHistory } from 'interlingua/adapters/ai-sdk'
import { fromChatModel, toChatModel, toMessageHistory } from 'interlingua/adapters/langchain'
import { Agent } from 'interlingua/agent'
import { toMessages } from 'interlingua/formats'
import { readAgUiRunInput } from 'interlingua/formats/ag-ui'
import { readUIChatRequest } from 'interlingua/formats/ai-sdk-ui'
import { createAgUiHandler, createUIChatHandler, loadUIMessages } from 'interlingua/handlers'
import { inProcessMemory, recallMemories } from 'interlingua/memory'
import { agentTracing, traceStorage } from 'interlingua/otel'
import { scripted } from 'interlingua/providers'
import { memoryStorage, memoryStreamLog } from 'interlingua/stores'
import { onMessages, type Operation, withUniqueIds } from './operation.ts'

const model = scripted(() => 'Yes')
const agent = new Agent({ model, tracer: agentTracing({ agentName: 'measured' }) })

const toUIMessages = (messages: readonly Message[]) =>
  toMessages(withUniqueIds(messages), { to: 'ai-sdk-ui-messages' }).value

const createChatBody = (messages: readonly Message[]): object => ({
  id: 'c',
  trigger: 'submit-message',
  messages: toUIMessages([...messages, user('Now')]),
})

const createRunInput = (messages: readonly Message[]): object => ({
  threadId: 't',
  runId: 'r',
  state: {},
  messages: toMessages(withUniqueIds([...messages, user('Now')]), { to: 'ag-ui-messages' }).value,
  tools: [],
  context: [],
  forwardedProps: {},
})

/** Sends a body to a handler and reads its whole answer. */
async function call(handler: (request: Request) => Promise<Response>, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const request = new Request('http://localhost', { method: 'POST', headers, body: JSON.stringify(body) })
  await (await handler(request)).text()
}

/** Remembers every message, and recalls some. */
async function exerciseMemory(messages: readonly Message[]): Promise<void> {
  const memory = inProcessMemory()
  for (const message of messages) {
    const text = textOf(message).slice(0, 1000)
    if (text.trim() !== '') await memory.put({ tenant: 't', text })
  }
  await recallMemories(memory, { tenant: 't' })([...messages, user('Now')])
}

/** The functions between this library and others: adapters, handlers of chat requests, traces and memories. */
export const adapterOperations: readonly Operation[] = [
  onMessages('toLanguageModel', (messages) => {
    const prompt = toMessages(messages, { to: 'ai-sdk-model-messages' }).value
    return toLanguageModel(model).doGenerate({ prompt } as never)
  }),
  onMessages('fromLanguageModel', (messages) =>
    fromLanguageModel(toLanguageModel(model)).generate({ messages }),
  ),
  onMessages('uiMessageHistory', async (messages) => {
    const history = uiMessageHistory(memoryStorage(), 'chat')
    await history.save(toUIMessages(messages))
    await history.load()
  }),
  onMessages('toChatModel', async (messages) => {
    const stored = toMessages(messages, { to: 'langchain' }).value
    return (await toChatModel(model)).invoke(mapStoredMessagesToChatMessages(stored as never))
  }),
  onMessages('fromChatModel', async (messages) =>
    fromChatModel(await toChatModel(model)).generate({ messages }),
  ),
  onMessages('toMessageHistory', async (messages) => {
    const storage = memoryStorage()
    await storage.createSession({ id: 'chat' })
    await storage.append('chat', withUniqueIds(messages))
    await (await toMessageHistory(storage, 'chat')).getMessages()
  }),
  onMessages('readUIChatRequest', (messages) => readUIChatRequest(createChatBody(messages))),
  onMessages('readAgUiRunInput', (messages) => readAgUiRunInput(createRunInput(messages))),
  onMessages('createUIChatHandler', async (messages) => {
    const [storage, streams] = [memoryStorage(), memoryStreamLog()]
    await call(createUIChatHandler({ agent, storage, streams }), createChatBody(messages))
    await loadUIMessages({ storage, session: 'c', agent }).catch(() => undefined)
  }),
  onMessages('createAgUiHandler', (messages) =>
    call(createAgUiHandler({ agent, storage: memoryStorage() }), createRunInput(messages)),
  ),
  onMessages('traced agent', async (messages) => {
    const storage = traceStorage(memoryStorage())
    const { id } = await storage.createSession()
    await storage.append(id, withUniqueIds(messages))
    await agent.send([...(await storage.messages(id)), user('Now')])
  }),
  onMessages('inProcessMemory', exerciseMemory),
]
