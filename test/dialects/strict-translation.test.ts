import {
  accumulate,
  type ChatResponse,
  dialects,
  type DialectName,
  InterlinguaError,
  type JsonObject,
  textOf,
  toolCallsOf,
  translateRequest,
  translateResponse,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { getStreamCodec } from '../../src/dialects/engine/define-dialect.ts'
import { hasCorpus, recorded } from '../recorded-exchanges.ts'
import { plainAnswers } from './bodies/plain-answers.ts'
import { plainRequests } from './bodies/plain-requests.ts'
import { collect, framed as frameAll, source, toStreamText } from './stream-responses.ts'
import { pairs, subjects } from './dialect-table.ts'
import { shareOf } from './pair-shares.ts'

/** The payloads of a stream, framed as their format frames them. */
function framed(name: DialectName, payloads: readonly JsonObject[]): string {
  const { framing } = getStreamCodec(dialects[name])
  return frameAll(name, payloads) + (framing.end ?? '')
}

async function translatedStream(text: string, from: DialectName, to: DialectName): Promise<string> {
  const { body } = translateStream(source(text), { from, to, onLoss: 'error' })
  return toStreamText(to, await collect(body))
}

/** Returns the text and the calls of a response, without ids: some formats have none. */
function contentOf({ candidates }: ChatResponse): unknown {
  return candidates.map((message) => [
    textOf(message),
    toolCallsOf(message).map(({ name, arguments: input }) => ({ name, input })),
  ])
}

/**
 * Returns true for one candidate of text and calls of local tools that finished normally; redacted reasoning
 * is allowed.
 */
function isPlain({ candidates }: ChatResponse): boolean {
  const [message, ...others] = candidates
  if (message === undefined || others.length > 0 || message.content.length === 0) return false
  const isWhole = ['stop', 'tool-calls'].includes(message.finish?.reason ?? '')
  return isWhole && message.finish?.stopSequence === undefined && message.content.every(isPlainPart)
}

function isPlainPart(part: ChatResponse['candidates'][number]['content'][number]): boolean {
  if (part.type === 'text') return part.citations === undefined
  if (part.type === 'tool-call') return part.executedBy === undefined && part.arguments !== undefined
  return part.type === 'reasoning' && part.text === ''
}

/** Data that a request asked for, or that only a router adds: omitting it is a loss. */
const asked =
  /logprobs|groundingMetadata|citations(?!": ?\[\])|search_results|provider_metadata|container|server_name|caller|parsed/

interface Recordings {
  readonly responses: readonly (readonly [id: string, body: unknown])[]
  readonly streams: readonly (readonly [id: string, text: string])[]
}

const recordings = new Map<DialectName, Promise<Recordings>>()

/** The recorded plain responses of a dialect, found once. */
function plainRecordings(name: DialectName): Promise<Recordings> {
  const known = recordings.get(name) ?? findPlain(name)
  recordings.set(name, known)
  return known
}

async function findPlain(name: DialectName): Promise<Recordings> {
  const vendors = subjects.find((subject) => subject.name === name)?.row.vendors ?? []
  const responses: [string, unknown][] = []
  const streams: [string, string][] = []
  for (const { id, vendor, response, stream } of recorded(name)) {
    if (!vendors.includes(vendor)) continue
    if (typeof response === 'object' && response !== null && !asked.test(JSON.stringify(response)))
      if (isPlain(dialects[name].decodeResponse(response).value)) responses.push([id, response])
    if (stream === null || asked.test(stream)) continue
    const answer = await accumulate(dialects[name].decodeStream(source(stream))).catch(() => undefined)
    if (answer !== undefined && isPlain(answer)) streams.push([id, stream])
  }
  return { responses, streams }
}

const kinds = ['text', 'call'] as const

describe.each(pairs)("with onLoss: 'error', from $name", (pair) => {
  const [from, to] = [pair.from.name, pair.to.name]

  test.each(kinds)('a plain response is accepted: %s', (kind) => {
    const { whole } = plainAnswers[from][kind]
    const { value } = translateResponse(whole, { from, to, onLoss: 'error' })
    const expected = contentOf(dialects[from].decodeResponse(whole).value)
    expect(contentOf(dialects[to].decodeResponse(value).value)).toEqual(expected)
  })

  test.each(kinds)('a plain response is accepted as a stream: %s', async (kind) => {
    const { streamed, whole } = plainAnswers[from][kind]
    const text = await translatedStream(framed(from, streamed), from, to)
    const expected = contentOf(dialects[from].decodeResponse(whole).value)
    expect(contentOf(await accumulate(dialects[to].decodeStream(source(text))))).toEqual(expected)
  })

  test.each(['text', 'tools'] as const)('a plain request is accepted: %s', (kind) => {
    const options = { from, to, onLoss: 'error' } as const
    expect(() => translateRequest(plainRequests[from][kind], options)).not.toThrow()
  })

  test.skipIf(!hasCorpus)('recorded plain responses are accepted', async () => {
    const plain = await plainRecordings(from)
    const [responses, streams] = [shareOf(pair, plain.responses), shareOf(pair, plain.streams)]
    for (const [id, response] of responses)
      expect(() => translateResponse(response, { from, to, onLoss: 'error' }), id).not.toThrow()
    for (const [id, stream] of streams)
      await expect(translatedStream(stream, from, to), id).resolves.not.toBe('')
    expect(responses.length + streams.length).toBeGreaterThanOrEqual(10)
  })
})

describe("with onLoss: 'error', a real loss is rejected", () => {
  test.each([
    ['part', (part: JsonObject) => [part, { mystery: { secret: 'x' } }]],
    ['key of a part', (part: JsonObject) => [{ ...part, mystery: 'x' }]],
  ])('an unknown %s of a Gemini stream', async (_name, change) => {
    const [first, ...rest] = plainAnswers.gemini.text.streamed
    const content = { role: 'model', parts: change({ text: 'It is' }) }
    const changed = [{ ...first, candidates: [{ content, index: 0 }] }, ...rest]
    await expect(translatedStream(framed('gemini', changed), 'gemini', 'anthropic')).rejects.toMatchObject({
      code: 'loss-refused',
    })
  })

  const refused = (act: () => unknown): unknown => {
    try {
      act()
    } catch (error) {
      return error instanceof InterlinguaError ? error.path : error
    }
    return undefined
  }
  const answer = plainAnswers['openai-chat'].text.whole
  const [choice] = answer['choices'] as readonly JsonObject[]
  const request = plainRequests['openai-chat'].text

  test.each([
    ['log probabilities', { ...answer, choices: [{ ...choice, logprobs: { content: [{ token: 'It' }] } }] }],
    ['unknown fields', { ...answer, verdict: 'guilty' }],
    ['a second candidate', { ...answer, choices: [choice, { ...choice, index: 1 }] }],
  ])('%s of a response', (_name, body) => {
    expect(
      refused(() => translateResponse(body, { from: 'openai-chat', to: 'anthropic', onLoss: 'error' })),
    ).toMatch(/logprobs|verdict|candidates/)
  })

  test.each([
    ['seed', { seed: 7 }, '/seed'],
    ['penalties', { presence_penalty: 0.5 }, '/presencePenalty'],
    ['unknown settings', { logit_bias: { '50256': -100 } }, '/extra/openai-chat/logit_bias'],
    ['service tiers', { service_tier: 'flex' }, '/serviceTier'],
    ['candidates', { n: 2 }, '/candidateCount'],
  ])('%s of a request', (_name, more, path) => {
    const body = { ...request, ...more }
    expect(
      refused(() => translateRequest(body, { from: 'openai-chat', to: 'anthropic', onLoss: 'error' })),
    ).toBe(path)
  })
})
