import fc from 'fast-check'
import type { Json } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'
import { again, expectSame, law } from '../law-assertions.ts'
import { mutated } from '../json-mutations.ts'
import { wireValue } from '../wire-arbitraries.ts'
import { lines } from './dialect-table.ts'
import { enriched, leavesOf, mapLeaves, type Place, pointerTo, setOf } from './json-leaves.ts'
import { sampleRecordings } from './pair-shares.ts'

/** The number of mutated bodies of each kind. */
const MUTATIONS = process.env['SOAK'] ? RUNS * 2 + 100 : 100

/** Keys of ids and names, by which calls, results and tools refer to each other. */
const references: ReadonlySet<string | number> = setOf(
  'id tool_use_id tool_call_id call_id toolUseId name tool_name server_name',
)

/** Values that are neither ids nor names. */
const invalidReferences: readonly Json[] = [null, '', { nested: 'call_1' }]

const isBody = (body: unknown): boolean => typeof body === 'object' && body !== null && !Array.isArray(body)

describe.each(lines)('$name is encoded exactly as it was received', ({ subject, codec }) => {
  const { direction } = codec
  const fixtures = subject.fixtures[direction]
  const all = [...fixtures, ...subject.recordings[direction]]

  function expectExact(body: unknown): void {
    const before = structuredClone(body)
    const value = codec.decode(subject, body)
    expectSame(codec.encode(subject, value), { value: body, losses: [] })
    expectSame(codec.encode(subject, again(value)).value, body)
    expectSame(body, before)
  }

  test.each(fixtures)('$name', ({ body }) => expectExact(body))

  test.each(fixtures)(
    '$name with an unknown field in every object and an unknown block in every list',
    ({ body }) => {
      expectExact(enriched(body))
    },
  )

  test.each(fixtures)('$name with an invalid value in place of an id or a name', ({ body }) => {
    const leaves = leavesOf(body).filter(({ at }) => references.has(at.at(-1) ?? ''))
    // One of equal references: the others are read in the same way.
    const distinct = new Map(leaves.map((leaf) => [`${leaf.at.at(-1)} ${String(leaf.value)}`, leaf]))
    for (const { at, value } of distinct.values()) {
      const place = pointerTo(at)
      const isLinked = (leaf: unknown, each: Place): boolean =>
        leaf === value && references.has(each.at(-1) ?? '')
      for (const invalid of invalidReferences) {
        expectExact(mapLeaves(body, (leaf, each) => (pointerTo(each) === place ? invalid : leaf)))
        // The other end of the reference is missing.
        expectExact(
          mapLeaves(body, (leaf, each) =>
            pointerTo(each) === place ? invalid : isLinked(leaf, each) ? undefined : leaf,
          ),
        )
      }
    }
  })

  test.skipIf(subject.recordings[direction].length === 0)(
    'recorded bodies with unknown fields and blocks',
    () => {
      for (const { body } of sampleRecordings(subject.recordings[direction])) expectExact(enriched(body))
    },
  )

  test('mutated: keys removed, renamed, retyped, nested', () => {
    const bodies = all.map(({ body }) => body).filter((body) => JSON.stringify(body).length < 20_000)
    let ran = 0
    const property = fc.property(mutated(fc.constantFrom(...bodies)), (body) => {
      if (!isBody(body)) return
      ran += 1
      expectExact(body)
    })
    fc.assert(property, { numRuns: MUTATIONS })
    // Mutations of small bodies replace the complete body more often, by a value that is not a body.
    expect(ran).toBeGreaterThan(MUTATIONS * 0.6)
  })

  test.each(subject.row.widest[direction])('generated from the published schema: %s', (schema) => {
    law(wireValue(schema), expectExact)
  })
})
