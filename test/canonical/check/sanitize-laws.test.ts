import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { sanitize, type SanitizePolicy } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'

const choice = fc.constantFrom<'drop' | 'keep'>('drop', 'keep')

const anyPolicy: fc.Arbitrary<SanitizePolicy> = fc.record(
  {
    roles: fc.subarray<NonNullable<SanitizePolicy['roles']>[number]>(['system', 'user', 'assistant', 'tool']),
    signatures: choice,
    fileIds: fc.oneof(
      choice,
      fc.constant((id: string) => id.length > 4),
    ),
    urls: fc.oneof(
      choice,
      fc.constant((url: URL) => url.hostname.length > 8),
    ),
    cacheHints: choice,
    toolResults: choice,
    prefill: choice,
    extra: choice,
    opaque: choice,
    metadata: choice,
    provenance: choice,
    providerCalls: choice,
    isTrusted: fc.constantFrom(
      ({ id }) => id.startsWith('msg'),
      ({ createdAt }) => createdAt !== undefined,
    ),
  },
  { requiredKeys: [] },
)

const forbiddenKeys = new Set([
  'signature',
  'metadata',
  'extra',
  'origin',
  'usage',
  'finish',
  'executedBy',
  'redacted',
  'fileId',
  'cache',
])

/** Everything in a message that the default takes, by a scan that knows nothing of messages but where free data lies. */
function* forged(value: unknown, key = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const fields = new Map(Object.entries(value))
  if (['system', 'developer'].includes(String(fields.get('role')))) yield 'role'
  if (fields.get('type') === 'opaque') yield 'opaque'
  if (key === 'source' && fields.get('kind') === 'id') yield 'id'
  if (key === 'source' && fields.get('kind') === 'url' && !String(fields.get('url')).startsWith('https://'))
    yield 'url'
  if (fields.get('role') === 'assistant' && JSON.stringify(value).includes('"callId"')) yield 'result'
  for (const [name, inner] of fields) {
    if (forbiddenKeys.has(name)) yield name
    const free = name === 'arguments' || (name === 'value' && fields.get('type') === 'json')
    if (!free) yield* forged(inner, name)
  }
}

describe('sanitize, as laws', () => {
  test('is idempotent, mutates nothing, and leaves nothing that could be forged', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const before = structuredClone(messages)
        const { value, losses } = sanitize(messages)
        expect(messages).toEqual(before)
        const again = sanitize(value)
        expect(again.losses).toEqual([])
        expect(again.value.every((message, index) => message === value[index])).toBe(true)
        expect(again.value).toHaveLength(value.length)
        expect(losses.length === 0).toBe(isDeepStrictEqual(value, messages))
        expect(value.flatMap((message) => [...forged(message)])).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('is idempotent under every policy', () => {
    fc.assert(
      fc.property(anyMessages, anyPolicy, (messages, policy) => {
        const { value } = sanitize(messages, policy)
        expect(sanitize(value, policy)).toEqual({ value, losses: [] })
      }),
      { numRuns: RUNS },
    )
  })
})
