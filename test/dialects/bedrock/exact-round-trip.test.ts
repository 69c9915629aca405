import fc from 'fast-check'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../../arbitraries.ts'
import { mutated } from '../../json-mutations.ts'
import { again, expectSame } from '../../law-assertions.ts'
import { recorded } from '../../recorded-exchanges.ts'
import { requests } from '../bodies/bedrock-requests.ts'
import { oddRequests } from '../bodies/bedrock-unusual-requests.ts'
import { oddResponses, responses } from '../bodies/bedrock-responses.ts'
import { enriched } from '../json-leaves.ts'

const isSoak = process.env['SOAK'] !== undefined

const isBody = (body: unknown): boolean => typeof body === 'object' && body !== null && !Array.isArray(body)

const directions = [
  {
    name: 'requests',
    bodies: { ...requests, ...oddRequests },
    recordings: recorded('bedrock-converse').flatMap(({ request }) => (isBody(request) ? [request] : [])),
    decode: (body: unknown): unknown => bedrockDialect.decodeRequest(body).value,
    encode: (value: unknown) => bedrockDialect.encodeRequest(value as never),
  },
  {
    name: 'responses',
    bodies: { ...responses, ...oddResponses },
    recordings: recorded('bedrock-converse').flatMap(({ response }) => (isBody(response) ? [response] : [])),
    decode: (body: unknown): unknown => bedrockDialect.decodeResponse(body).value,
    encode: (value: unknown) => bedrockDialect.encodeResponse(value as never),
  },
]

describe.each(directions)(
  'bedrock $name are encoded exactly as received',
  ({ bodies, recordings, decode, encode }) => {
    function expectExact(body: unknown): void {
      const before = structuredClone(body)
      const value = decode(body)
      expectSame(encode(value), { value: body, losses: [] })
      expectSame(encode(again(value)).value, body)
      expectSame(body, before)
    }

    const fixtures = Object.entries(bodies)

    test.each(fixtures)('%s', (_name, body) => expectExact(body))

    test.each(fixtures)('%s with unknown fields and blocks', (_name, body) => expectExact(enriched(body)))

    test.skipIf(recordings.length === 0)('recorded bodies', () => {
      expect(recordings.length).toBeGreaterThan(50)
      for (const body of recordings) {
        expectExact(body)
        if (isSoak) expectExact(enriched(body))
      }
    })

    test('mutated: keys removed, renamed, retyped, nested', () => {
      const all = [...fixtures.map(([, body]) => body), ...recordings]
      const small = all.filter((body) => JSON.stringify(body).length < 20_000)
      const property = fc.property(mutated(fc.constantFrom(...small)), (body) => {
        if (isBody(body)) expectExact(body)
      })
      fc.assert(property, { numRuns: RUNS })
    })
  },
)
