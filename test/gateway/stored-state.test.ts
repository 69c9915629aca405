/**
 * Pins what version 1 of the gateway leaves with others: what clients carry for it, sealed, and what it writes to a shared state
 * (test/golden/gateway/v1-state.json). Later versions must read both.
 *
 * Until the first release the file may be rewritten deliberately, in a commit that says why; afterwards never. To rewrite it:
 *
 *     UPDATE_GOLDEN=1 npx vitest run test/gateway/stored-state.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ChatRequest,
  dialects,
  type DialectName,
  type Json,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import type { GatewayState } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { Sealer } from '../../src/gateway/state/sealer.ts'
import { createSignedAnswer, SIGNERS } from './signed-answer.ts'
import { ask, DIALECTS, startTestGateway, toHttpRequest, weather } from './upstreams.ts'

const path = join(import.meta.dirname, '../golden/gateway/v1-state.json')

/** The second turn of a client, after an answer whose provider wants its signature back. */
interface SecondTurn {
  readonly client: DialectName
  readonly upstream: DialectName
  readonly url: string
  readonly body: Json
  /** The shared state after the first turn. */
  readonly state: { readonly [key: string]: string }
}

interface GoldenState {
  readonly sealKey: string
  readonly sealed: string
  readonly opened: Json
  readonly turns: readonly SecondTurn[]
}

const SIGNATURE = 'c2lnbmVkLWJ5LXRoZS12ZW5kb3I'
const UPSTREAMS = Object.keys(SIGNERS) as DialectName[]

/** A shared state of which nothing expires. */
function createState(values: Map<string, string>): GatewayState {
  return {
    put: async (key, value) => void values.set(key, value),
    get: async (keys) =>
      new Map(keys.flatMap((key) => (values.has(key) ? [[key, values.get(key) ?? '']] : []))),
    add: async (_key, amounts) => amounts,
    close: async () => {},
  }
}

async function holdFirstTurn(
  client: DialectName,
  upstream: DialectName,
  sealKey: string,
): Promise<SecondTurn> {
  const call = toolCall({ id: 'call_1234', name: 'weather', arguments: { city: 'Oslo' } })
  const answer = createSignedAnswer(upstream, 'The user asks for the weather.', [call], SIGNATURE)
  const values = new Map<string, string>()
  const { gateway } = startTestGateway(
    { model: scripted([answer]) },
    { sealKeys: [sealKey], state: createState(values) },
  )
  const messages = [user('How is the weather in Oslo?')]
  const base: ChatRequest = {
    model: `upstream-${upstream}`,
    tools: [weather],
    maxOutputTokens: 4000,
    stream: false,
    messages,
  }
  const response = await ask(gateway, client, base)
  const [message] = dialects[client].decodeResponse(await response.json()).value.candidates
  const received = message?.content.find((part) => part.type === 'tool-call')
  if (message === undefined || received === undefined) throw new Error('The answer has no call')
  const result = toolResults(toolResult(received.id, 'Sunny', { name: 'weather' }))
  const request = toHttpRequest(client, { ...base, messages: [...messages, message, result] })
  return {
    client,
    upstream,
    url: request.url,
    body: (await request.json()) as Json,
    state: Object.fromEntries(values),
  }
}

if (process.env['UPDATE_GOLDEN'] !== undefined) {
  const sealKey = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const opened = [{ type: 'call', id: 'call_1234', signature: { vendor: 'google', value: SIGNATURE } }]
  const turns: SecondTurn[] = []
  for (const client of DIALECTS)
    for (const upstream of UPSTREAMS)
      if (client !== upstream) turns.push(await holdFirstTurn(client, upstream, sealKey))
  const golden: GoldenState = { sealKey, sealed: await new Sealer([sealKey]).seal(opened), opened, turns }
  writeFileSync(path, `${JSON.stringify(golden, null, 1)}\n`)
}

const golden = JSON.parse(readFileSync(path, 'utf8')) as GoldenState

test('a text that version 1 sealed is opened with its key', async () => {
  expect(await new Sealer([golden.sealKey]).open(golden.sealed)).toEqual(golden.opened)
})

test('the file has a turn of each client with each provider that signs', () => {
  const expected = DIALECTS.flatMap((client) =>
    UPSTREAMS.filter((upstream) => upstream !== client).map((upstream) => `${client} ${upstream}`),
  )
  expect(golden.turns.map(({ client, upstream }) => `${client} ${upstream}`)).toEqual(expected)
})

describe('the signature of the provider is sent again for what version 1 left', () => {
  test.each(golden.turns)('with a client of $client: $upstream', async ({ url, body, state }) => {
    const { gateway, mock } = startTestGateway(
      { model: scripted(['Sunny.']) },
      { sealKeys: [golden.sealKey], state: createState(new Map(Object.entries(state))) },
    )
    const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const response = await gateway(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
    expect([response.status, mock.requests[0]?.problems]).toEqual([200, []])
    expect(JSON.stringify(mock.requests[0]?.body)).toContain(SIGNATURE)
  })
})
