import {
  accumulate,
  assistant,
  type AssistantMessage,
  type ChatRequest,
  dialects,
  type DialectName,
  type Message,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { hashKey } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { ask, type GatewayHandler, startTestGateway, weather } from './upstreams.ts'

/** A signed answer of each provider that signs, and where its next request contains the signature. */
const SIGNED: { readonly [dialect in DialectName]?: AssistantMessage } = {
  anthropic: createAnswer('anthropic', 'reasoning'),
  'openai-responses': createAnswer('openai', 'reasoning'),
  gemini: createAnswer('google', 'call'),
}

function createAnswer(vendor: string, place: 'reasoning' | 'call'): AssistantMessage {
  const signature = { vendor, value: `c2lnbmVkLWJ5LXZlbmRvci0${vendor}AAAA` }
  const reasoning = { type: 'reasoning', text: 'The user asks for the weather.' } as const
  const call = {
    type: 'tool-call',
    id: 'call_1234',
    name: 'weather',
    arguments: { city: 'Oslo' },
  } as const
  return assistant([
    place === 'reasoning' ? attachSignature(reasoning, signature) : reasoning,
    place === 'call' ? attachSignature(call, signature) : call,
  ])
}

/** Holds a conversation of two turns as a client of a dialect does: it sends back what it has received. */
async function converse(
  gateways: readonly [first: GatewayHandler, second: GatewayHandler],
  client: DialectName,
  upstream: DialectName,
  stream: boolean,
): Promise<void> {
  const codec = dialects[client]
  const base = { model: `upstream-${upstream}`, tools: [weather], maxOutputTokens: 4000 }
  const messages: Message[] = [user('How is the weather in Oslo?')]
  const first: ChatRequest = { ...base, messages, stream }
  const response = await ask(gateways[0], client, first)
  expect(response.status).toBe(200)
  const answer = stream
    ? await accumulate(codec.decodeStream(response.body ?? new ReadableStream()))
    : codec.decodeResponse(await response.json()).value
  const [message] = answer.candidates
  if (message === undefined) throw new Error('The answer has no message')
  const [call] = message.content.filter((part) => part.type === 'tool-call')
  const history = [
    ...messages,
    message,
    toolResults(toolResult(call?.id ?? '', 'Sunny', { name: 'weather' })),
  ]
  const second = await ask(gateways[1], client, { ...base, messages: history, stream: false })
  expect([second.status, await second.json()]).toMatchObject([200, {}])
}

const SEAL_KEYS = ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=']

/** The dialects whose clients carry sealed state. */
const CARRYING: readonly DialectName[] = ['anthropic', 'gemini', 'openai-chat', 'openai-responses']

describe.each(CARRYING)('a client of %s', (client) => {
  test.each(Object.keys(SIGNED) as DialectName[])(
    'brings the signature of %s back after a restart of the gateway',
    async (upstream) => {
      const signed = SIGNED[upstream]
      const signature = signed?.content.find((part) => part.signature !== undefined)?.signature?.value ?? '-'
      const before = startTestGateway({ model: scripted([signed ?? 'none']) }, { sealKeys: SEAL_KEYS })
      const newKey = 'ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8='
      const after = startTestGateway({ model: scripted(['Sunny.']) }, { sealKeys: [newKey, ...SEAL_KEYS] })
      await converse([before.gateway, after.gateway], client, upstream, true)
      expect(JSON.stringify(after.mock.requests[0]?.body)).toContain(signature)
    },
  )

  test('with state of another gateway is answered, and the state is omitted', async () => {
    const before = startTestGateway({ model: scripted([SIGNED.anthropic ?? 'none']) })
    const after = startTestGateway({ model: scripted(['Sunny.']) })
    await converse([before.gateway, after.gateway], client, 'anthropic', false)
    const sent = JSON.stringify(after.mock.requests[0]?.body)
    expect(after.mock.requests[0]?.problems).toEqual([])
    expect(sent).not.toContain(client === 'anthropic' ? 'il1.' : 'c2lnbmVk')
    expect(sent).not.toContain('il1.')
  })
})

test('[S18] what is remembered of a call belongs to the key of its client', async () => {
  const keys = await Promise.all(
    ['alice', 'bob'].map(async (name) => ({ name, digest: await hashKey(`key-of-${name}`) })),
  )
  const { gateway, mock } = startTestGateway(
    { model: scripted([SIGNED.anthropic ?? 'none', 'Sunny.', 'Sunny.']) },
    { keys },
  )
  const as =
    (name: string) =>
    (request: Request): Promise<Response> => {
      request.headers.set('authorization', `Bearer key-of-${name}`)
      return gateway(request)
    }
  await converse([as('alice'), as('bob')], 'ollama', 'anthropic', false)
  expect(JSON.stringify(mock.requests[1]?.body)).not.toContain('c2lnbmVk')
})
