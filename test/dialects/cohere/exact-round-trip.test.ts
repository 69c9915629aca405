import fc from 'fast-check'
import { cohereDialect } from 'interlingua/dialects/cohere'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../../arbitraries.ts'
import { mutated } from '../../json-mutations.ts'
import { again, expectSame } from '../../law-assertions.ts'
import { recorded } from '../../recorded-exchanges.ts'
import { oddRequests, requests } from '../bodies/cohere-requests.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'
import { enriched } from '../json-leaves.ts'

const isBody = (body: unknown): boolean => typeof body === 'object' && body !== null && !Array.isArray(body)

const exchanges = recorded('cohere')

const directions = [
  {
    name: 'requests',
    bodies: { ...requests, ...oddRequests },
    recordings: exchanges.flatMap(({ request }) => (isBody(request) ? [request] : [])),
    decode: (body: unknown): unknown => cohereDialect.decodeRequest(body).value,
    encode: (value: unknown) => cohereDialect.encodeRequest(value as never),
  },
  {
    name: 'responses',
    bodies: { ...responses, ...oddResponses },
    recordings: exchanges.flatMap(({ response }) => (isBody(response) ? [response] : [])),
    decode: (body: unknown): unknown => cohereDialect.decodeResponse(body).value,
    encode: (value: unknown) => cohereDialect.encodeResponse(value as never),
  },
]

describe.each(directions)(
  'cohere $name are encoded exactly as received',
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
      expect(recordings.length).toBeGreaterThan(10)
      for (const body of recordings) {
        expectExact(body)
        expectExact(enriched(body))
      }
    })

    test('mutated: keys removed, renamed, retyped, nested', () => {
      const all = [...fixtures.map(([, body]) => body), ...recordings]
      const property = fc.property(mutated(fc.constantFrom(...all)), (body) => {
        if (isBody(body)) expectExact(body)
      })
      fc.assert(property, { numRuns: RUNS })
    })
  },
)
