import { assistant, type ChatRequest, dialects, type JsonObject, toEvents, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { payloads } from '../stream-payloads.ts'
import { collect, encodeStreamText, source } from '../stream-responses.ts'

const { 'openai-chat': chat } = dialects

const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
const response = { id: 'r', model: 'm', candidates: [assistant('Hi', { finish: { reason: 'stop' } })], usage }

const received = (fields: JsonObject): ChatRequest =>
  chat.decodeRequest({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], ...fields })
    .value

async function encoded(request?: ChatRequest) {
  const { text, losses } = await encodeStreamText('openai-chat', toEvents(response), request && { request })
  const isCounted = payloads(text).some((wire) => Object.hasOwn(wire as object, 'usage'))
  return { isCounted, rules: losses.map(({ rule }) => rule) }
}

describe('the usage chunk of a stream', () => {
  test.each([
    ['asks for it', received({ stream_options: { include_usage: true } }), true],
    ['declines it', received({ stream_options: { include_usage: false } }), false],
    ['has null options', received({ stream_options: null }), false],
    ['does not mention it', received({}), false],
    ['was not received', { model: 'm', messages: [user('Hi')] }, false],
  ] as const)('follows a request that %s', async (_name, request, isCounted) => {
    const rules = isCounted ? [] : ['usage-not-requested']
    expect(await encoded(request)).toEqual({ isCounted, rules })
  })

  test('is written if the request is not known', async () => {
    expect(await encoded()).toEqual({ isCounted: true, rules: [] })
  })

  test('is sent back as received, whatever the request asked for', async () => {
    const { text } = await encodeStreamText('openai-chat', toEvents(response))
    const events = await collect(chat.decodeStream(source(text)))
    const { text: again, losses } = await encodeStreamText('openai-chat', events, { request: received({}) })
    expect(again).toBe(text)
    expect(losses).toEqual([])
  })
})
