import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant, toolCall, toolResults, user } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { inProcessMemory } from 'interlingua/memory'
import { scripted } from 'interlingua/providers'
import { type ConversationStorage, createKeyring, memoryStorage, memoryStreamLog } from 'interlingua/stores'
import { MemoryRowStore } from '../../src/stores/memory/memory-storage.ts'
import { createMemoryStreamBackend } from '../../src/stores/streams/memory-stream-log.ts'
import type { AdaptValue, CreateArguments } from './hostile-calls.ts'
import {
  conversationCalls,
  createStorageCalls,
  createStreamLogCalls,
  exportLines,
  fillStorage,
  memoryCalls,
} from './storage-calls.ts'

/** Calls of the methods of a result, by name; `''` is the result itself, if it is a function. */
type CallsByName = { readonly [name: string]: CreateArguments | undefined }

/** How the law calls a public function. */
export interface FunctionRow {
  /** Arguments with which it succeeds. */
  readonly given: CreateArguments
  /** Moves files that a hostile path would create into the folder of the test. */
  readonly adapt?: AdaptValue
  /** True if another row calls the same code: its methods are called in a soak only. */
  readonly isSoakOnly?: boolean
  /** Prepares its result, and returns the calls of its methods. */
  readonly describeResult?: (result: never) => Promise<CallsByName> | CallsByName
}

export const folder: string = mkdtempSync(join(tmpdir(), 'interlingua-hostile-'))
let files = 0
const newFile = (): string => join(folder, `file${++files}`)

/** Calls of a storage that encrypts: it cannot search. */
const describeEncrypted = async (storage: ConversationStorage): Promise<CallsByName> => ({
  ...(await describeStorage(storage)),
  search: undefined,
})

const movePath: AdaptValue = (value, path) =>
  path === '0' && typeof value === 'string' && value !== '' ? join(folder, value) : value

const describeStorage = async (storage: ConversationStorage): Promise<CallsByName> => {
  await fillStorage(storage)
  return createStorageCalls(await exportLines(storage))
}

const describeStreamLog = async (log: ReturnType<typeof memoryStreamLog>): Promise<CallsByName> => {
  const writer = await log.open('topic')
  await writer.append('data')
  return createStreamLogCalls(writer.id)
}

const describeMemory = (): CallsByName => memoryCalls

const identity = { newId: (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`, now: Date.now }
const keys = createKeyring({ default: { current: 'k', keys: { k: randomBytes(32) } } })
const storageOptions = () => ({ tenant: 'default', encryption: { keys }, ...identity })
const streamOptions = () => ({
  tenant: 'acme',
  maxEvents: 10,
  maxBytes: 1_000,
  retentionMs: 1_000,
  leaseMs: 500,
})
const memoryOptions = () => ({ now: Date.now, limits: { maxMemories: 9 } })

const createAgent = (): Agent =>
  new Agent({
    model: scripted(() => 'Hello'),
    tools: [tool({ name: 'look', input: { type: 'object' }, run: () => 'seen' })],
  })

const chat = {
  messages: [user('Hi'), assistant([toolCall({ id: 'c', name: 'look', arguments: {} })]), toolResults([])],
}

const storage = memoryStorage()
await fillStorage(storage)

const mcpClient = {
  listTools: async () => ({ tools: [{ name: 'look', inputSchema: { type: 'object' } }] }),
  callTool: async () => ({ content: [] }),
  close: async () => undefined,
}

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

/** Functions whose result has methods, or that need arguments of a certain form, by entry and name. */
export const functionRows: { readonly [entry: string]: { readonly [name: string]: FunctionRow } } = {
  './stores': {
    memoryStorage: { given: () => [storageOptions()], describeResult: describeEncrypted },
    createStorage: {
      isSoakOnly: true,
      given: () => [new MemoryRowStore(), storageOptions()],
      describeResult: describeEncrypted,
    },
    replicated: {
      given: () => [[memoryStorage(), memoryStorage()], { onError: () => undefined }],
      describeResult: describeStorage,
    },
    memoryStreamLog: { given: () => [streamOptions()], describeResult: describeStreamLog },
    createStreamLog: {
      isSoakOnly: true,
      given: () => [
        createMemoryStreamBackend(),
        { ...streamOptions(), tenant: 'default', encryption: { keys } },
      ],
      describeResult: describeStreamLog,
    },
    createKeyring: {
      given: () => [{ default: { current: 'k', keys: { k: randomBytes(32) } } }],
      describeResult: () => ({ currentKeyId: () => ['default'], key: () => ['default', 'k'] }),
    },
    Conversation: {
      given: () => [{ agent: createAgent(), storage, session: 's', whenBusy: 'enqueue', maxWaitMs: 5 }],
      describeResult: () => conversationCalls,
    },
    summarize: {
      given: () => [{ agent: createAgent(), maxTokens: 10, keepTokens: 5, instruction: 'Sum up' }],
      describeResult: () => ({ '': () => [chat.messages] }),
    },
    keepLast: { given: () => [4], describeResult: () => ({ '': () => [chat.messages] }) },
    dropToolTraffic: {
      given: () => [{ turns: 2 }],
      describeResult: () => ({ '': () => [chat.messages] }),
    },
    tokenBudget: { given: () => [{ tokens: 9 }], describeResult: () => ({ '': () => [chat.messages] }) },
    chainStrategies: {
      given: () => [(messages: never) => ({ messages, trimmed: [] })],
      describeResult: () => ({ '': () => [chat.messages] }),
    },
    estimateTokens: { given: () => [user('Hi')] },
  },
  './stores/jsonl': {
    jsonlStorage: {
      isSoakOnly: true,
      given: () => [newFile(), storageOptions()],
      adapt: movePath,
      describeResult: describeEncrypted,
    },
  },
  './stores/sqlite': {
    sqliteStorage: {
      isSoakOnly: true,
      given: () => [':memory:', { busyTimeoutMs: 10, migrate: true, search: true, tenant: 'default' }],
      adapt: movePath,
      describeResult: describeStorage,
    },
    sqliteStreamLog: {
      given: () => [':memory:', { ...streamOptions(), busyTimeoutMs: 10 }],
      adapt: movePath,
      describeResult: describeStreamLog,
    },
  },
  './memory': {
    inProcessMemory: { given: () => [memoryOptions()], describeResult: describeMemory },
    memoryTools: { given: () => [inProcessMemory(), { tenant: 'ada', maxTokens: 9, filter: {} }] },
    recallMemories: {
      given: () => [inProcessMemory(), { tenant: 'ada', maxTokens: 9, minScore: 0 }],
      describeResult: () => ({ '': () => [chat.messages] }),
    },
  },
  './memory/sqlite': {
    sqliteMemory: {
      isSoakOnly: true,
      given: () => [':memory:', { ...memoryOptions(), busyTimeoutMs: 10 }],
      adapt: movePath,
      describeResult: describeMemory,
    },
  },
  './agent/mcp': {
    connectMcp: {
      given: () => [{ client: mcpClient }, { prefix: 'a', limits: { maxTools: 5 }, timeoutMs: 5 }],
      describeResult: () => ({ tools: () => [{}], refresh: () => [{}] }),
    },
  },
  './testing/providers': {
    mockProvider: {
      given: () => [{ models: ['m'], faults: [null], recordings: [], requiresKey: false }],
      describeResult: () => ({
        fetch: () => [new Request('http://localhost/v1/chat/completions', { method: 'POST', body: '{}' })],
      }),
    },
    startMockServer: { given: () => [{ host: '127.0.0.1', port: 0, requiresKey: true }] },
    findRequestProblems: {
      given: () => [
        'anthropic',
        { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
        {},
      ],
    },
  },
  './handlers': {
    createUiChatHandler: {
      given: () => [handlerOptions()],
      describeResult: () => ({ '': () => [uiRequest(uiBody)] }),
    },
    createAgUiHandler: {
      given: () => [handlerOptions()],
      describeResult: () => ({ '': () => [uiRequest(agUiBody)] }),
    },
    loadUIMessages: {
      // Methods of a storage are code of the caller, so they are not replaced.
      given: () => [
        {
          storage: Object.assign(Object.create(null) as object, storage),
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
  },
}
