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
import { demo } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider } from 'interlingua/testing/providers'
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
