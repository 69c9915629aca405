import {
  dialects,
  InterlinguaError,
  translateRequest,
  translateResponse,
  translateStream,
  user,
} from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { connectMcp } from 'interlingua/agent/mcp'
import {
  fromConversations,
  fromMessages,
  fromTranscript,
  toConversation,
  toMessages,
} from 'interlingua/formats'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { createAgUiHandler, createUIChatHandler } from 'interlingua/handlers'
import { createGuardedFetch } from 'interlingua/node'
import { anthropic, demo, openai } from 'interlingua/providers'
import { postgresMemory } from 'interlingua/memory/postgres'
import { sqliteMemory } from 'interlingua/memory/sqlite'
import { memoryStorage } from 'interlingua/stores'
import { postgresStorage, postgresStreamLog } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage, sqliteStreamLog } from 'interlingua/stores/sqlite'
import { mockProvider, startMockServer } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'

/** Options with a name that does not exist; JavaScript callers are not warned by a compiler. */
const misspelled = (name: string, value: unknown, options: object = {}): never =>
  ({ ...options, [name]: value }) as never

const model = demo()
const agent = new Agent({ model })
const request = { model: 'claude-sonnet-5', messages: [user('Hi')] }
const body = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hi' }] }
const pair = { from: 'openai-chat', to: 'anthropic' } as const
const noBytes = new ReadableStream<Uint8Array>()
/** Addresses of no server: options are checked before a connection is made. */
const postgres = 'postgres://127.0.0.1:9/none'
const redis = 'redis://127.0.0.1:9'
const faults = (fault: object): object => ({ faults: [fault] })

/** A call, and the name that its error suggests. */
const calls: Record<string, [call: () => unknown, hint: string]> = {
  translateRequest: [() => translateRequest(body, misspelled('onLos', 'error', pair)), '`onLoss`'],
  translateResponse: [() => translateResponse({}, misspelled('onLos', 'error', pair)), '`onLoss`'],
  translateStream: [() => translateStream(noBytes, misspelled('onLos', 'error', pair)), '`onLoss`'],
  encodeRequest: [
    () => dialects.anthropic.encodeRequest(request, misspelled('flavour', 'vertex')),
    '`flavor`',
  ],
  decodeRequest: [() => dialects['openai-chat'].decodeRequest(body, misspelled('limit', {})), '`limits`'],
  decodeStream: [() => dialects.anthropic.decodeStream(noBytes, misspelled('limit', {})), '`limits`'],
  encodeStream: [() => dialects.anthropic.encodeStream([], misspelled('flavour', 'x')), '`flavor`'],
  tool: [() => tool(misspelled('needApproval', true, { name: 'remove' })), '`needsApproval`'],
  'tool of another library': [() => tool(misspelled('execute', () => 1, { name: 'x' })), '`run`'],
  'schema of another library': [() => tool(misspelled('inputSchema', {}, { name: 'x' })), '`input`'],
  asTool: [() => agent.asTool(misspelled('outputs', {}, { name: 'x', description: 'x' })), '`output`'],
  hooks: [() => new Agent({ model, hooks: misspelled('beforeTools', () => 'deny') }), '`beforeTool`'],
  connectMcp: [() => connectMcp(misspelled('cmd', 'npx')), '`command`'],
  createUIChatHandler: [
    () => createUIChatHandler(misspelled('storge', memoryStorage(), { agent })),
    '`storage`',
  ],
  createAgUiHandler: [() => createAgUiHandler(misspelled('storge', memoryStorage(), { agent })), '`storage`'],
  'options of a UI stream': [
    () => createUIChatHandler({ agent, stream: misspelled('errorTexts', () => '') }),
    '`errorText`',
  ],
  toUIMessageStream: [() => toUIMessageStream([], misspelled('onLos', 'error')), '`onLoss`'],
  toAgUi: [() => toAgUi([], misspelled('onLos', 'error', { threadId: 't', runId: 'r' })), '`onLoss`'],
  fromMessages: [() => fromMessages([], misspelled('form', 'langchain')), '`from`'],
  toMessages: [() => toMessages([], misspelled('onLos', 'error', { to: 'langchain' })), '`onLoss`'],
  fromConversations: [() => fromConversations([], misspelled('form', 'sharegpt')), '`from`'],
  toConversation: [
    () => toConversation(request, misspelled('onLos', 'error', { to: 'sharegpt' })),
    '`onLoss`',
  ],
  fromTranscript: [() => fromTranscript('{}', misspelled('form', 'codex')), '`from`'],
  createGuardedFetch: [() => createGuardedFetch(misspelled('maxByte', 1)), '`maxBytes`'],
  sqliteStorage: [() => sqliteStorage(':memory:', misspelled('serach', true)), '`search`'],
  sqliteStreamLog: [() => sqliteStreamLog(':memory:', misspelled('busyTimeout', 1)), '`busyTimeoutMs`'],
  postgresStorage: [() => postgresStorage(postgres, misspelled('conections', 1)), '`connections`'],
  postgresStreamLog: [() => postgresStreamLog(postgres, misspelled('conections', 1)), '`connections`'],
  redisStorage: [() => redisStorage({ url: redis }, misspelled('prefix', 'x')), '`keyPrefix`'],
  sqliteMemory: [() => sqliteMemory(':memory:', misspelled('sqliteVec', true)), '`useSqliteVec`'],
  postgresMemory: [() => postgresMemory(postgres, misspelled('conections', 1)), '`connections`'],
  startMockServer: [() => startMockServer(misspelled('prot', 1)), '`port`'],
  'a fault': [() => mockProvider(misspelled('faults', [{ type: 'cut', afterChunk: 1 }])), '`afterChunks`'],
  'the type of a fault': [() => mockProvider(faults({ type: 'stalled' })), '`stall`'],
}

describe('an unknown option is refused with the name that was meant', () => {
  test.each(Object.entries(calls))('%s', async (_name, [call, hint]) => {
    const error: unknown = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InterlinguaError)
    expect((error as InterlinguaError).hint).toContain(hint)
  })
})

/** A call with a value that its option does not accept, and what the error says to pass. */
const wrongValues: Record<string, [call: () => unknown, hint: string]> = {
  'onLoss of translateRequest': [
    () => translateRequest(body, misspelled('onLoss', 'throw', pair)),
    "'allow' or 'error' or a function",
  ],
  'onLoss of translateResponse': [() => translateResponse({}, misspelled('onLoss', 'eror', pair)), "'error'"],
  'onLoss of translateStream': [
    () => translateStream(noBytes, misspelled('onLoss', true, pair)),
    "'allow' or 'error' or a function",
  ],
  'onLoss of encodeRequest': [
    () => dialects.anthropic.encodeRequest(request, misspelled('onLoss', 'Error')),
    "'error'",
  ],
  'onLoss of a provider': [() => anthropic('m', misspelled('onLoss', 'throw')), "'error'"],
  'onLoss of toMessages': [
    () => toMessages([], misspelled('onLoss', 'throw', { to: 'langchain' })),
    "'error'",
  ],
  'onLoss of toConversation': [
    () => toConversation(request, misspelled('onLoss', 'throw', { to: 'sharegpt' })),
    "'error'",
  ],
  'onLoss of toUIMessageStream': [() => toUIMessageStream([], misspelled('onLoss', 'throw')), "'error'"],
  'onLoss of toAgUi': [
    () => toAgUi([], misspelled('onLoss', 'throw', { threadId: 't', runId: 'r' })),
    "'error'",
  ],
  foreignReasoning: [
    () => dialects.anthropic.encodeRequest(request, misspelled('foreignReasoning', 'dropp')),
    "'drop'",
  ],
  unsupported: [
    () => dialects.anthropic.encodeRequest(request, misspelled('unsupported', { media: 'remove' })),
    "'text' or 'drop'",
  ],
  state: [() => openai('m', misspelled('state', 'encrypt')), "'encrypted'"],
  auth: [() => openai('m', misspelled('auth', 'basic')), "'bearer'"],
  fetch: [() => openai('m', misspelled('fetch', 'x')), 'a function'],
  headers: [() => openai('m', misspelled('headers', new Headers({ 'x-a': 'b' }))), 'Object.fromEntries'],
  promptCaching: [() => anthropic('m', misspelled('promptCaching', 'no')), 'true or false'],
  purpose: [() => openai.embedding('m').embed(['a'], misspelled('purpose', 'documents')), "'document'"],
  'a hook': [() => new Agent({ model, hooks: misspelled('onEnd', 5) }), 'a function'],
  approve: [() => new Agent({ model, approve: 'always' as never }), 'a function'],
  needsApproval: [() => tool(misspelled('idempotent', 'yes', { name: 'x' })), 'true or false'],
  onError: [() => createUIChatHandler(misspelled('onError', 'log', { agent })), 'a function'],
  'a signal in place of the options': [
    () => model.generate('Hi', new AbortController().signal as never),
    'an object with any of `signal`',
  ],
}

describe('a value that an option does not accept is refused, never ignored', () => {
  test.each(Object.entries(wrongValues))('%s', async (_name, [call, hint]) => {
    const error: unknown = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InterlinguaError)
    expect((error as InterlinguaError).hint).toContain(hint)
  })
})

describe('an option that is checked when a request arrives', () => {
  test('is reported to `onError`', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown): void => void errors.push(error)
    const handler = createUIChatHandler(() => misspelled('storge', memoryStorage(), { agent, onError }))
    const { status } = await handler(new Request('http://localhost/api/chat', { method: 'POST', body: '{}' }))
    expect(status).toBe(500)
    expect(errors).toMatchObject([{ code: 'unexpected-field', hint: 'Use `storage`.' }])
  })
})

describe('a value of the wrong type is an error of the library', () => {
  test('an AbortController in place of its signal', async () => {
    const signal = new AbortController() as never
    const expected = { code: 'invalid-type', hint: 'Pass `controller.signal` of an AbortController.' }
    await expect(model.generate('Hi', { signal })).rejects.toMatchObject(expected)
    await expect(agent.send('Hi', { signal })).rejects.toMatchObject(expected)
    await expect(agent.stream('Hi', { signal }).result).rejects.toMatchObject(expected)
  })

  test('an object in place of a list of tools', () => {
    const tools = { weather: tool({ name: 'weather' }) } as never
    expect(() => new Agent({ model, tools })).toThrow(
      expect.objectContaining({ code: 'invalid-type', path: '/tools' }),
    )
  })
})
