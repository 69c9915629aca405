import {
  type ChatRequest,
  type DialectName,
  dialects,
  toEvents,
  image,
  ProviderError,
  StreamError,
  system,
  text,
  textOf,
  toolCall,
  toolCallsOf,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../../src/client/scripted-model.ts'

const names = Object.keys(dialects) as DialectName[]
const usage = { inputTokens: 30, outputTokens: 12, totalTokens: 42 }
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })

const request: ChatRequest = {
  messages: [system('Be brief.'), user('How warm is it in Oslo?')],
  tools: [{ type: 'function', name: 'weather', input: { type: 'object' } }],
  maxOutputTokens: 100,
}

describe.each(names)('through %s', (dialect) => {
  test('the request is recorded as decoded by the receiver, with its body', async () => {
    const model = scripted(['Hello'], { dialect, name: 'some-model' })
    await model.generate(request)
    const [{ body, receivedRequest, sentRequest } = {}] = model.calls
    expect(body).toEqual(
      dialects[dialect].encodeRequest({ ...request, stream: false }, { model: 'some-model' }).value,
    )
    expect([...(receivedRequest?.messages ?? [])].map((each) => textOf(each))).toEqual([
      'Be brief.',
      'How warm is it in Oslo?',
    ])
    expect(receivedRequest).not.toBe(sentRequest)
    expect(receivedRequest).toMatchObject({ maxOutputTokens: 100, tools: [{ name: 'weather' }] })
  })

  test('whole and streamed responses are equal, without losses', async () => {
    const model = scripted(
      [
        ['Let me look.', call],
        ['Let me look.', call],
      ],
      { dialect, usage },
    )
    const whole = await model.generate(request)
    const streamed = await model.stream(request).reply
    for (const reply of [whole, streamed]) {
      expect(reply.text).toBe('Let me look.')
      expect(toolCallsOf(reply.message)).toMatchObject([{ name: 'weather', arguments: { city: 'Oslo' } }])
      expect(reply.finish).toMatchObject({ reason: 'tool-calls' })
      expect(reply.usage).toMatchObject(usage)
      expect(reply.losses.filter(({ severity }) => severity === 'loss')).toEqual([])
      expect(reply.message.origin).toMatchObject({ dialect })
    }
    expect(streamed.timing.firstEventMs).toBeDefined()
  })

  test('a provider error is encoded in the dialect and decoded again', async () => {
    const model = scripted([new ProviderError('Slow down', { kind: 'rate-limit', status: 429 })], { dialect })
    await expect(model.generate(request)).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'rate-limit',
      status: 429,
      dialect,
    })
  })

  test('an error in the middle of a stream is sent as an event', async () => {
    const error = new ProviderError('Too busy', { kind: 'overloaded', status: 529 })
    const model = scripted([{ reply: 'one two three', breakAfterEvents: 4, error }], { dialect })
    const caught: unknown = await model.stream(request).reply.catch((cause: unknown) => cause)
    if (!(caught instanceof StreamError)) throw new Error('no StreamError')
    expect(caught.message).toContain('Too busy')
    expect(caught.partial.candidates.map((each) => textOf(each))).toEqual(['one two '])
  })

  test('a lost connection is reported as one', async () => {
    const model = scripted([{ reply: 'one two three', breakAfterEvents: 4 }], { dialect })
    await expect(model.stream(request).reply).rejects.toMatchObject({ code: 'stream-cut' })
  })

  test('abort while the stream is silent', async () => {
    const model = scripted([{ reply: 'one two', eventDelayMs: 60_000 }], { dialect })
    const { reply } = model.stream(request, { signal: AbortSignal.timeout(5) })
    await expect(reply).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('losses are real', () => {
  test('a field that the dialect does not support is omitted, and the reply reports the loss', async () => {
    const model = scripted(['A cat.'], { dialect: 'ollama' })
    const picture = user(['What is this?', image('https://example.com/cat.png')])
    const { losses } = await model.generate({ messages: [picture] })
    const gone = losses.filter(({ severity }) => severity === 'loss')
    expect(gone.map(({ path }) => path)).toContain('/messages/0/content/1')
    const [sent] = [...(model.requests[0]?.messages ?? [])]
    expect(sent?.content.map(({ type }) => type)).not.toContain('image')
  })

  test('a setting that the model rejects is not sent', async () => {
    const model = scripted(['Hi'], {
      dialect: 'openai-chat',
      capabilities: { refusedSettings: ['temperature'] },
    })
    const { losses } = await model.generate({ ...request, temperature: 0.5 })
    expect(losses.map(({ rule }) => rule)).toContain('model-setting')
    expect(model.requests[0]).not.toHaveProperty('temperature')
  })

  test('a response part that the dialect does not support is lost, whole and streamed alike', async () => {
    const parts = [image(new Uint8Array([1]), { mediaType: 'image/png' }), text('4 °C')]
    const model = scripted([parts, parts], { dialect: 'anthropic' })
    const replies = [await model.generate(request), await model.stream(request).reply]
    for (const { losses, message } of replies) {
      expect(losses.some(({ severity }) => severity === 'loss')).toBe(true)
      expect(message.content.map(({ type }) => type)).toEqual(['text'])
    }
  })
})

test('a flavor encodes as its host expects', async () => {
  const model = scripted(['Hi'], { dialect: 'openai-chat', flavor: 'groq' })
  await model.generate(request)
  const { value } = dialects['openai-chat'].encodeRequest(
    { ...request, stream: false },
    { flavor: 'groq', model: 'scripted' },
  )
  expect(model.calls[0]?.body).toEqual(value)
})

test('raw bodies are included with includeRaw', async () => {
  const model = scripted(['Hi', 'Hi', 'Hi'], { dialect: 'anthropic' })
  const { raw } = await model.generate(request, { includeRaw: true })
  expect(raw).toMatchObject({ request: model.calls[0]?.body, response: { content: [{ text: 'Hi' }] } })
  expect(await model.generate(request)).not.toHaveProperty('raw')
  const streamed = await model.stream(request, { includeRaw: true }).reply
  expect(streamed.raw?.response).toMatch(/^event: message_start\ndata: [\s\S]*event: message_stop\n/)
  expect(await scripted(['Hi']).generate(request, { includeRaw: true })).not.toHaveProperty('raw')
})

test('scripted events are encoded and decoded, too', async () => {
  const { message } = await scripted(['Hi']).generate(request)
  const events = toEvents({ candidates: [message], usage })
  const model = scripted([{ events }, { events }], { dialect: 'gemini' })
  expect((await model.stream(request).reply).text).toBe('Hi')
  expect((await model.generate(request)).message.origin).toMatchObject({ dialect: 'gemini' })
})
