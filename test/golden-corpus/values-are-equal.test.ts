/** Checks the stored corpus as a port in another language does: from the files alone. */
import { isDeepStrictEqual } from 'node:util'
import {
  type ChatRequest,
  type ChatResponse,
  type DialectName,
  dialects,
  type Json,
  type Message,
  type Part,
  PROVIDER_ERROR_KINDS,
  toEvents,
} from 'interlingua'
import type {
  GoldenError,
  GoldenRequest,
  GoldenRequestBody,
  GoldenResponse,
  GoldenResponseBody,
  GoldenTranslation,
} from 'interlingua/golden'
import { parseMessages } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { bare } from '../dialects/json-leaves.ts'
import { again, expectSame } from '../law-assertions.ts'
import { accumulatePayloads, type AnyGoldenCase, IDENTITY, numberMessages } from './build-cases.ts'
import { readFiles } from './corpus-files.ts'
import { NOW } from './golden-source.ts'

const cases = [...readFiles()]
  .filter(([file]) => file !== 'golden/v1/index.json')
  .map(([file, text]) => ({ file, golden: JSON.parse(text) as AnyGoldenCase }))

function casesOf<Case extends AnyGoldenCase>(
  kind: Case['kind'],
): readonly { readonly file: string; readonly golden: Case }[] {
  return cases.filter((each): each is { file: string; golden: Case } => each.golden.kind === kind)
}

const entriesOf = <T>(record: { readonly [name in DialectName]: T }): readonly [DialectName, T][] =>
  Object.entries(record) as [DialectName, T][]

const now = (): number => NOW

/** The fields of a request. The options of a case contain the model. */
const SETTINGS: { readonly [name in keyof ChatRequest]-?: true } = {
  model: true,
  messages: true,
  tools: true,
  toolChoice: true,
  parallelToolCalls: true,
  output: true,
  reasoning: true,
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  stop: true,
  seed: true,
  presencePenalty: true,
  frequencyPenalty: true,
  candidateCount: true,
  logprobs: true,
  stream: true,
  user: true,
  metadata: true,
  verbosity: true,
  serviceTier: true,
  store: true,
  promptCacheKey: true,
  safetyIdentifier: true,
  extra: true,
}

/** Expects that decoding a body returns the canonical value, and that encoding the value returns the body, without losses. */
const expectExact = {
  request(name: DialectName, body: unknown, decoded: unknown, path?: string): void {
    const options = { ...IDENTITY, ...(path !== undefined && { path }) }
    expectSame(again(numberMessages(dialects[name].decodeRequest(body, options).value)), decoded)
    const { value, losses } = dialects[name].encodeRequest(decoded as ChatRequest, { now })
    expectSame(again([value, losses]), [body, []])
  },
  response(name: DialectName, body: unknown, decoded: unknown): void {
    expectSame(again(numberMessages(dialects[name].decodeResponse(body, IDENTITY).value)), decoded)
    const { value, losses } = dialects[name].encodeResponse(decoded as ChatResponse, { now })
    expectSame(again([value, losses]), [body, []])
  },
}

async function expectAccumulated(
  name: DialectName,
  payloads: readonly Json[],
  expected: ChatResponse,
): Promise<void> {
  expectSame(again(await accumulatePayloads(name, payloads)), expected)
}

describe.each(casesOf<GoldenRequest>('request'))('$file', ({ golden }) => {
  test.each(entriesOf(golden.dialects))('%s', (name, { body, endpoint, decoded }) => {
    expectExact.request(name, body, decoded, endpoint.path)
  })
})

describe.each(casesOf<GoldenResponse>('response'))('$file', ({ golden }) => {
  test('the events are those of the response', () => {
    expectSame(again(toEvents(golden.canonical)), golden.events)
  })
  test.each(entriesOf(golden.dialects))('%s', async (name, { body, decoded, stream }) => {
    expectExact.response(name, body, decoded)
    await expectAccumulated(name, stream.payloads, stream.accumulated)
  })
})

describe.each(casesOf<GoldenTranslation>('translation'))('$file', ({ golden }) => {
  const { of, from, source, decoded, targets } = golden
  test('is decoded', async () => {
    if (of === 'stream') await expectAccumulated(from, source as readonly Json[], decoded as ChatResponse)
    else expectExact[of](from, source, decoded)
  })
  test('is unchanged in its own dialect', () => {
    expect(targets[from]).toEqual({ options: {}, result: source, losses: [] })
  })
})

test.each(casesOf<GoldenError>('error'))('$file', ({ golden }) => {
  for (const [name, { status, headers, body, decoded }] of entriesOf(golden.dialects))
    expect(again(dialects[name].decodeError(status, body, headers).toJSON())).toEqual(decoded)
})

/** Returns roles and content, without residue. The name of a result repeats that of its call, so most formats omit it. */
function contentOf(value: ChatRequest | ChatResponse): unknown {
  const messages = [...('messages' in value ? value.messages : value.candidates)]
  return messages.map(({ role, content }) => ({
    role,
    content: bare<readonly Part[]>(content).map((part) => {
      if (part.type !== 'tool-result') return part
      const { name: _repeated, ...rest } = part
      return rest
    }),
  }))
}

test('a body without losses contains the canonical content', () => {
  const compared = cases.flatMap(({ file, golden }) => {
    if (golden.kind !== 'request' && golden.kind !== 'response') return []
    return entriesOf<GoldenRequestBody | GoldenResponseBody>(golden.dialects).flatMap(([name, body]) => {
      if (body.losses.length > 0) return []
      const isEqual = isDeepStrictEqual(contentOf(body.decoded), contentOf(golden.canonical))
      return { case: `${file} in ${name}`, isEqual }
    })
  })
  expect(compared.filter(({ isEqual }) => !isEqual)).toEqual([])
  expect(compared.length).toBeGreaterThan(100)
})

describe('the corpus contains', () => {
  const canonical = cases.flatMap(({ golden }): readonly (ChatRequest | ChatResponse)[] =>
    golden.kind === 'request' || golden.kind === 'response' ? [golden.canonical] : [],
  )
  const messages = canonical.flatMap((value): readonly Message[] => [
    ...('messages' in value ? value.messages : value.candidates),
  ])
  const valuesOf = (key: string): ReadonlySet<unknown> => {
    const found = new Set<unknown>()
    JSON.stringify(canonical, (name, value: unknown) => {
      if (name === key) found.add(value)
      return value
    })
    return found
  }

  test('valid messages', () => {
    expect(parseMessages(messages)).toHaveLength(messages.length)
  })

  test.each([
    [
      'type',
      'text image audio video file reasoning tool-call tool-result json refusal opaque source function provider',
    ],
    ['role', 'system developer user assistant tool'],
    ['kind', 'url base64 id text'],
    ['reason', 'stop tool-calls length content-filter refusal pause error aborted other'],
    ['vendor', 'anthropic openai google'],
  ])('every %s', (key, names) => {
    expect([...valuesOf(key)]).toEqual(expect.arrayContaining(names.split(' ')))
  })

  test('every setting', () => {
    const found = new Set(['model', ...canonical.flatMap((value) => Object.keys(value))])
    expect(Object.keys(SETTINGS).filter((name) => !found.has(name))).toEqual([])
  })

  test('every kind of error', () => {
    const kinds = casesOf<GoldenError>('error').map(({ golden }) => golden.canonical.kind)
    expect([...new Set(kinds)].toSorted()).toEqual([...PROVIDER_ERROR_KINDS].toSorted())
  })

  test('a translation from each dialect of each form', () => {
    const found = casesOf<GoldenTranslation>('translation').map(({ golden }) => `${golden.from} ${golden.of}`)
    const expected = Object.keys(dialects).flatMap((name) =>
      ['request', 'response', 'stream'].map((form) => `${name} ${form}`),
    )
    expect(found.toSorted()).toEqual(expected.toSorted())
  })
})
