import {
  accumulate,
  assistant,
  type DialectName,
  dialects,
  type Message,
  system,
  textOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import type { GatewayConfig, RecordingOptions } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { type ConversationStorage, memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { ConversationRecorder } from '../../src/gateway/recording/conversation-recorder.ts'
import { ask, DIALECTS, startTestGateway, weather } from './upstreams.ts'

const answers = [
  assistant([
    attachSignature(
      { type: 'reasoning', text: 'I need the weather.' },
      { vendor: 'anthropic', value: 'c2lnbmF0dXJl' },
    ),
    { type: 'text', text: 'Let me see. ' },
    { type: 'tool-call', id: 'call_123456789', name: 'weather', arguments: { b: 1, a: 'Oslo' } },
  ]),
  'Sunny.',
  'You are welcome.',
]

function startRecording(options: Partial<RecordingOptions> = {}, config: Partial<GatewayConfig> = {}) {
  const storage = options.storage ?? memoryStorage()
  const errors: unknown[] = []
  const started = startTestGateway(
    { model: scripted([...answers, ...answers]) },
    { recording: { storage, ...options }, onError: (error) => errors.push(error), ...config },
  )
  return { ...started, storage, errors }
}

type Started = ReturnType<typeof startRecording>

/** Sends a history as a client of a dialect, and returns it with the answer as the client received it. */
async function send(
  { gateway }: Pick<Started, 'gateway'>,
  dialect: DialectName,
  messages: readonly Message[],
  stream = false,
): Promise<readonly Message[]> {
  const response = await ask(gateway, dialect, {
    model: 'upstream-anthropic',
    messages,
    tools: [weather],
    maxOutputTokens: 4000,
    stream,
  })
  expect(response.status).toBe(200)
  const codec = dialects[dialect]
  const answer = stream
    ? await accumulate(codec.decodeStream(response.body ?? new ReadableStream()))
    : codec.decodeResponse(await response.json()).value
  const [message] = answer.candidates
  if (message === undefined) throw new Error('The answer has no message')
  return [...messages, message]
}

function findCallId(history: readonly Message[]): string {
  const ids = history.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
  )
  return ids[0] ?? ''
}

async function readSessions(storage: ConversationStorage) {
  const { sessions } = await storage.sessions()
  return Promise.all(
    sessions.map(async ({ id, title, labels }) => ({
      title,
      labels,
      roles: [...(await storage.messages(id))].map(({ role }) => role).join(' '),
      branches: (await storage.branches(id)).map(({ length }) => length).toSorted((a, b) => a - b),
    })),
  )
}

const start = [system('Be brief.'), user('How is the weather in Oslo?')]

describe('recording', () => {
  test.each(DIALECTS)('a session of a client of %s becomes one conversation', async (dialect) => {
    const started = startRecording()
    let history = await send(started, dialect, start, true)
    const callId = findCallId(history)
    history = [...history, toolResults(toolResult(callId, 'Sunny', { name: 'weather' }))]
    history = await send(started, dialect, history)
    // The instructions of agent programs change in mid-session.
    history = [system('Be brief. It is noon.'), ...history.slice(1), user('Thanks')]
    await send(started, dialect, history)
    await started.gateway.close()
    expect(await readSessions(started.storage)).toEqual([
      {
        title: 'How is the weather in Oslo?',
        labels: [],
        roles: 'system user assistant tool assistant user assistant',
        branches: [7],
      },
    ])
    expect(started.errors).toEqual([])
    const [session] = (await started.storage.sessions()).sessions
    const [, , answer] = [...(await started.storage.messages(session?.id ?? ''))]
    expect(answer?.content[0]).toMatchObject({ type: 'reasoning', signature: { value: 'c2lnbmF0dXJl' } })
    expect(answer).toMatchObject({ origin: { provider: 'anthropic' } })
  })

  test('another question at the same place becomes a branch, a repeated request does not', async () => {
    const storage = memoryStorage()
    const first = startRecording({ storage }, {})
    const history = await send(first, 'openai-chat', start)
    const callId = findCallId(history)
    const result = toolResults(toolResult(callId, 'Sunny', { name: 'weather' }))
    await send(first, 'openai-chat', [...history, result])
    await first.gateway.close()
    // After a restart, with the same storage.
    const second = startRecording({ storage })
    await send(second, 'openai-chat', start)
    await send(second, 'openai-chat', [...history, result])
    await send(second, 'openai-chat', [...history, toolResults(toolResult(callId, 'Rain'))])
    await second.gateway.close()
    expect(await readSessions(storage)).toMatchObject([{ branches: [5, 5] }])
    expect([...first.errors, ...second.errors]).toEqual([])
  })

  test('stores what the redaction returns, and a share of the conversations', async () => {
    const redact = (message: Message): Message | undefined =>
      message.role === 'system'
        ? undefined
        : ({ ...message, content: [{ type: 'text', text: '…' }] } as Message)
    const redacted = startRecording({ redact })
    await send(redacted, 'anthropic', start)
    await redacted.gateway.close()
    const [session] = (await redacted.storage.sessions()).sessions
    const messages = [...(await redacted.storage.messages(session?.id ?? ''))]
    expect(messages.map((message) => textOf(message))).toEqual(['…', '…'])
    expect(JSON.stringify(session)).not.toContain('Oslo')
    const none = startRecording({ sampleRate: 0 })
    await send(none, 'anthropic', start)
    await none.gateway.close()
    expect(await readSessions(none.storage)).toEqual([])
  })

  test('sets the time after which a conversation is deleted', async () => {
    const started = startRecording({ retentionMs: 3_600_000 })
    await send(started, 'anthropic', start)
    await started.gateway.close()
    const [session] = (await started.storage.sessions()).sessions
    expect(Date.parse(session?.expiresAt ?? '')).toBeGreaterThan(Date.now())
  })

  test('keeps no more in memory than a limit if the storage is slow', async () => {
    let release = (): void => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const storage = memoryStorage()
    const slow: ConversationStorage = {
      ...storage,
      session: async (id) => {
        await isReleased
        return storage.session(id)
      },
    }
    const errors: unknown[] = []
    const recorder = new ConversationRecorder({ storage: slow }, (error) => errors.push(error), 100)
    const record = (text: string): void =>
      recorder.record({ client: '', request: { messages: [user(text)] }, answers: [assistant('Yes.')] })
    for (const text of ['a', 'b'.repeat(200), 'c']) record(text)
    expect(errors).toMatchObject([{ code: 'storage-unavailable' }])
    release()
    await recorder.flush()
    record('d')
    await recorder.flush()
    expect((await storage.sessions()).sessions).toHaveLength(3)
    expect(errors).toHaveLength(1)
  })

  test('that fails does not fail the answer', async () => {
    const storage = memoryStorage()
    await storage.close()
    const started = startRecording({ storage })
    await send(started, 'anthropic', start)
    await started.gateway.close()
    expect(started.errors).toMatchObject([{ code: 'storage-closed' }])
  })
})
