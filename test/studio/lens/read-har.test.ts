import { expect, test } from 'vitest'
import { LensSession } from '../../../src/studio/page/lens/lens-session.ts'
import { streamSamples } from '../../../src/studio/page/lens/lens-samples.ts'

const entry = (url: string, request: unknown, text: string, encoding?: string): object => ({
  time: 12.4,
  request: {
    method: 'POST',
    url,
    headers: [{ name: 'authorization', value: 'Bearer sk-secret' }],
    postData: { mimeType: 'application/json', text: JSON.stringify(request) },
  },
  response: { status: 200, content: { text, ...(encoding !== undefined && { encoding }) } },
})

const messages = [{ role: 'user', content: 'Weather in Oslo?' }]
const sse = streamSamples[0]?.text ?? ''
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-5.4',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Rain.' }, finish_reason: 'stop' }],
}

const har = {
  log: {
    version: '1.2',
    entries: [
      entry('https://example.com/pixel?key=sk-secret', { a: 1 }, ''),
      entry(
        'https://api.openai.com/v1/chat/completions',
        { model: 'gpt-5.4', messages },
        JSON.stringify(answer),
      ),
      entry(
        'https://api.anthropic.com/v1/messages?key=sk-secret',
        { model: 'claude-sonnet-5', max_tokens: 100, stream: true, messages },
        Buffer.from(sse).toString('base64'),
        'base64',
      ),
      entry('https://proxy.example.com/llm', { model: 'gpt-5.4', messages }, ''),
    ],
  },
}

test('the calls of models in a HAR file are listed without keys, and each body can be opened', async () => {
  const session = new LensSession()
  const input = JSON.stringify(har)
  const first = await session.analyze({ input, models: {} })
  expect(first.title).toBe('HAR file, 3 of 4 requests call a model')
  expect(first.choices.map(({ label }) => label)).toEqual([
    'request: POST api.openai.com/v1/chat/completions',
    'response: POST api.openai.com/v1/chat/completions',
    'request: POST api.anthropic.com/v1/messages',
    'response: POST api.anthropic.com/v1/messages',
    'request: POST proxy.example.com/llm',
  ])
  expect(JSON.stringify(first)).not.toContain('sk-secret')
  const kinds = await Promise.all(
    first.choices.map(async (_choice, choice) => {
      const { detections, kind, isStream } = await new LensSession().analyze({ input, choice, models: {} })
      return [detections[0]?.name, kind, isStream]
    }),
  )
  expect(kinds).toEqual([
    ['openai-chat', 'request', false],
    ['openai-chat', 'response', false],
    ['anthropic', 'request', false],
    ['anthropic', 'response', true],
    ['openai-chat', 'request', false],
  ])
})

test('the stream of a HAR file can be played', async () => {
  const session = new LensSession()
  await session.analyze({ input: JSON.stringify(har), choice: 3, models: {} })
  expect(session.readStream()).toBe(sse)
  await session.analyze({ input: JSON.stringify(har), choice: 0, models: {} })
  expect(session.readStream()).toBe('')
})
