import { scripted } from 'interlingua/providers'
import { memoryStreamLog } from 'interlingua/stores'
import { createAgent, type FunctionRow, storage } from './row-values.ts'

/** Without the prototype of plain objects: methods of a storage are code of the caller, so they are not replaced. */
const ownStorage: object = Object.assign(Object.create(null) as object, storage)

const chatModel = { invoke: async () => ({}), stream: async () => [], _llmType: () => 'fake' }

const uiRequest = (body: unknown): Request =>
  new Request('http://localhost/chat', { method: 'POST', body: JSON.stringify(body) })
const uiBody = { id: 's', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }
const agUiBody = {
  threadId: 's',
  runId: 'r',
  messages: [{ id: 'u', role: 'user', content: 'Hi' }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
}
const handlerOptions = () => ({
  agent: createAgent(),
  storage,
  streams: memoryStreamLog(),
  stopOnDisconnect: true,
  createSessions: true,
  maxBodyBytes: 1_000,
  sanitize: {},
  conversation: {},
  onError: () => undefined,
})

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const languageModel = {
  specificationVersion: 'v3',
  provider: 'p',
  modelId: 'm',
  doGenerate: async () => ({ content: [], finishReason: { unified: 'stop' }, usage, warnings: [] }),
  doStream: async () => ({ stream: new ReadableStream({ start: (controller) => controller.close() }) }),
}

/** The rows of handlers and adapters, by entry and name. */
export const adapterRows: { readonly [entry: string]: { readonly [name: string]: FunctionRow } } = {
  './handlers': {
    createUIChatHandler: {
      given: () => [handlerOptions()],
      describeResult: () => ({ '': () => [uiRequest(uiBody)] }),
    },
    createAgUiHandler: {
      given: () => [handlerOptions()],
      describeResult: () => ({ '': () => [uiRequest(agUiBody)] }),
    },
    loadUIMessages: {
      given: () => [
        {
          storage: ownStorage,
          session: 's',
          agent: createAgent(),
        },
      ],
    },
  },
  './adapters/ai-sdk': {
    toLanguageModel: {
      given: () => [scripted(() => 'Hello'), { supportedUrls: {} }],
      describeResult: () => ({
        doGenerate: () => [
          { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] },
        ],
        doStream: () => [{ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] }],
      }),
    },
    fromLanguageModel: {
      given: () => [languageModel, { capabilities: {} }],
      describeResult: () => ({ generate: () => ['Hi', {}], stream: () => ['Hi', {}] }),
    },
    uiMessageHistory: {
      given: () => [ownStorage, 's'],
      describeResult: () => ({ load: undefined, save: () => [uiBody.messages], clear: undefined }),
    },
  },
  './adapters/langchain': {
    fromChatModel: { given: () => [chatModel, { name: 'm', provider: 'p', capabilities: {} }] },
    toChatModel: { given: () => [scripted(() => 'Hello'), {}] },
    toMessageHistory: { given: () => [ownStorage, 's'] },
  },
}
