import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { user } from 'interlingua'
import { inProcessMemory } from 'interlingua/memory'
import { type ConversationStorage, createKeyring, memoryStorage, type StreamLog } from 'interlingua/stores'
import { InMemoryRowStore } from '../../src/stores/in-memory/memory-storage.ts'
import { createInMemoryStreamBackend } from '../../src/stores/streams/memory-stream-log.ts'
import { adapterRows } from './adapter-rows.ts'
import type { AdaptValue } from './hostile-calls.ts'
import { type CallsByName, chat, createAgent, type FunctionRow, storage } from './row-values.ts'
import {
  conversationCalls,
  createStorageCalls,
  createStreamLogCalls,
  exportLines,
  fillStorage,
  memoryCalls,
} from './storage-calls.ts'

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

const describeStreamLog = async (log: StreamLog): Promise<CallsByName> => {
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

const mcpClient = {
  listTools: async () => ({ tools: [{ name: 'look', inputSchema: { type: 'object' } }] }),
  callTool: async () => ({ content: [] }),
  close: async () => undefined,
}

/** Functions whose result has methods, or that need arguments of a certain form, by entry and name. */
export const functionRows: { readonly [entry: string]: { readonly [name: string]: FunctionRow } } = {
  './stores': {
    memoryStorage: { given: () => [storageOptions()], describeResult: describeEncrypted },
    createStorage: {
      isSoakOnly: true,
      given: () => [new InMemoryRowStore(), storageOptions()],
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
        createInMemoryStreamBackend(),
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
  './gateway': {
    createGateway: {
      given: () => [{ routes: [{ model: '*', to: 'ollama:*' }], maxBodyBytes: 10 }],
    },
  },
  './gateway/node': {
    startGateway: { given: () => [{ routes: [] }, { host: '127.0.0.1', port: 0 }] },
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
  ...adapterRows,
}
