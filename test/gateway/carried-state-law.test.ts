import {
  accumulate,
  assistant,
  type AssistantMessage,
  type ChatRequest,
  dialects,
  type DialectName,
  type Message,
  ProviderError,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { scripted, type ScriptedModel } from 'interlingua/providers'
import { mockProvider, type MockProvider } from 'interlingua/testing/providers'
import { createGateway, type Gateway } from 'interlingua/gateway'
import { describe, expect, test } from 'vitest'
import { createSignedAnswer, SIGNERS } from './signed-answer.ts'
import { ask, createTestConfig, DIALECTS, TARGETS, weather } from './upstreams.ts'

/** The cities of the calls of each turn; the last turn has none. */
const TURNS: readonly (readonly string[])[] = [['Oslo', 'Bergen'], ['Rome'], []]

/** Returns the signature of a turn. It has characters that a careless client or gateway would change. */
function createSignature(dialect: DialectName, turn: number): string | undefined {
  const vendor = SIGNERS[dialect]?.[0]
  return vendor && btoa(`${vendor} signed turn ${turn}: ?>~÷`).padEnd(64, '=')
}

/** The answer of a provider in a turn: signed reasoning, and calls at the same time. */
function createTurn(dialect: DialectName, turn: number): AssistantMessage {
  const cities = TURNS[turn] ?? []
  if (cities.length === 0) return assistant('Take an umbrella.')
  const calls = cities.map((city, index) =>
    toolCall({ id: `call_${turn}${index}`, name: 'weather', arguments: { city } }),
  )
  return createSignedAnswer(
    dialect,
    `${dialect} thinks in turn ${turn}.`,
    calls,
    createSignature(dialect, turn) ?? '',
  )
}

/** Returns the signatures in the history of a request, in order. */
function readSignatures({ messages }: ChatRequest): readonly string[] {
  return [...messages].flatMap(({ content }) =>
    content.flatMap((part) => (part.signature === undefined ? [] : [part.signature.value])),
  )
}

/** The double of all providers: each refuses a history without the signatures of its vendor. */
class SigningProvider {
  /** The signatures that were sent, by vendor. */
  readonly #issued = new Map<string, string[]>()
  readonly model: ScriptedModel = scripted((request) => this.#answer(request))
  readonly mock: MockProvider = mockProvider({ model: this.model })
  /** The state may be lost: then no signature arrives, instead of each one. */
  isForgetful = false

  #answer(request: ChatRequest): AssistantMessage {
    const dialect = this.mock.requests.at(-1)?.dialect ?? 'ollama'
    const turn = [...request.messages].filter(({ role }) => role === 'assistant').length
    const vendor = SIGNERS[dialect]?.[0] ?? dialect
    const issued = this.#issued.get(vendor) ?? []
    const received = readSignatures(request).filter((value) => value !== PLACEHOLDER)
    const expected = this.isForgetful && received.length === 0 ? [] : issued
    if (JSON.stringify(received) !== JSON.stringify(expected))
      throw new ProviderError(`Invalid signatures: ${received.join()} instead of ${expected.join()}`, {
        kind: 'invalid-request',
        status: 400,
      })
    const value = createSignature(dialect, turn)
    const isSigned = (TURNS[turn] ?? []).length > 0 && value !== undefined
    this.#issued.set(vendor, isSigned ? [...issued, value] : issued)
    return createTurn(dialect, turn)
  }
}

/** What Google accepts in place of a signature for the calls of other models. */
const PLACEHOLDER = 'skip_thought_signature_validator'

/** A client that sends back what it has received; some drop what they do not know. */
interface HistoryClient {
  readonly name: string
  readonly dialect: DialectName
  readonly keep?: (message: AssistantMessage) => AssistantMessage
}

const CLIENTS: readonly HistoryClient[] = [
  ...DIALECTS.map((dialect) => ({ name: dialect, dialect })),
  {
    name: 'openai-chat without unknown fields',
    dialect: 'openai-chat',
    keep: (message) =>
      assistant(
        toolCallsOf(message).map(({ id, name, arguments: given = {} }) =>
          toolCall({ id, name, arguments: given }),
        ),
      ),
  },
]

/** Holds a conversation of three turns, each with an upstream and a gateway of its own. */
async function converse(
  { dialect, keep = (message) => message }: HistoryClient,
  upstreams: readonly DialectName[],
  gateways: readonly Gateway[],
  isStreamed: (turn: number) => boolean,
): Promise<void> {
  const codec = dialects[dialect]
  let messages: readonly Message[] = [user('How is the weather?')]
  for (const [turn, cities] of TURNS.entries()) {
    const stream = isStreamed(turn)
    const gateway = gateways[turn % gateways.length]
    if (gateway === undefined) throw new Error('There is no gateway')
    // Clients use the names of the models that they know, whatever answers.
    const model = `${MODEL_NAMES[dialect] ?? 'gpt-5.5'}-on-${upstreams[turn] ?? 'ollama'}`
    const response = await ask(gateway, dialect, {
      model,
      tools: [weather],
      maxOutputTokens: 4000,
      messages,
      stream,
    })
    if (response.status !== 200) throw new Error(`Turn ${turn} of ${model}: ${await response.text()}`)
    const answer = stream
      ? await accumulate(codec.decodeStream(response.body ?? new ReadableStream()))
      : codec.decodeResponse(await response.json()).value
    const [message = assistant('')] = answer.candidates
    const calls = toolCallsOf(message)
    expect(calls.map((call) => call.arguments)).toEqual(cities.map((city) => ({ city })))
    const results = calls.map(({ id, name }) => toolResult(id, 'Sunny', { name }))
    messages = [...messages, keep(message), ...(results.length > 0 ? [toolResults(results)] : [])]
  }
}

const MODEL_NAMES: { readonly [dialect in DialectName]?: string } = {
  anthropic: 'claude-sonnet-5',
  gemini: 'gemini-3.5-flash',
  'gemini-interactions': 'gemini-3.5-flash',
}

const SEAL_KEYS = ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=']

function startGateways(count: number): {
  readonly provider: SigningProvider
  readonly gateways: readonly Gateway[]
} {
  const provider = new SigningProvider()
  const routes = DIALECTS.map((dialect) => ({ model: `*-on-${dialect}`, to: TARGETS[dialect] }))
  const config = { ...createTestConfig(provider.mock), routes, sealKeys: SEAL_KEYS }
  return { provider, gateways: Array.from({ length: count }, () => createGateway(config)) }
}

/** Without SOAK, each conversation alternates between streams and whole answers. */
const STREAMING: readonly ((turn: number) => boolean)[] = process.env['SOAK']
  ? [() => true, () => false]
  : [(turn) => turn % 2 === 0]

/** The dialects whose clients carry sealed state; for the others the gateway remembers calls, until it restarts. */
const CARRYING: readonly string[] = [
  'anthropic',
  'gemini',
  'gemini-interactions',
  'openai-chat',
  'openai-responses',
]

describe.each(CLIENTS)('a client of $name', (client) => {
  test.each(DIALECTS)('returns the signatures of %s byte for byte', async (upstream) => {
    for (const isStreamed of STREAMING) {
      const { gateways } = startGateways(1)
      await converse(client, [upstream, upstream, upstream], gateways, isStreamed)
    }
  })

  test.each(DIALECTS)('returns the signatures of %s after another provider answered', async (upstream) => {
    const index = DIALECTS.indexOf(upstream)
    // Without SOAK, each client has another one for the same upstream.
    const distance = 1 + (CLIENTS.indexOf(client) % (DIALECTS.length - 1))
    const others = process.env['SOAK'] ? DIALECTS : [DIALECTS[(index + distance) % DIALECTS.length]]
    for (const other of others)
      for (const isStreamed of STREAMING) {
        const { gateways } = startGateways(1)
        await converse(client, [upstream, other ?? upstream, upstream], gateways, isStreamed)
      }
  })

  test.each(DIALECTS)('continues with %s after restarts of the gateway', async (upstream) => {
    for (const isStreamed of STREAMING) {
      const { provider, gateways } = startGateways(TURNS.length)
      provider.isForgetful = !CARRYING.includes(client.name)
      await converse(client, [upstream, upstream, upstream], gateways, isStreamed)
    }
  })
})
