import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/dialects.ts'
import type { Json, JsonObject } from '../../src/wire/json.ts'
import { lines } from './dialect-table.ts'
import { enriched } from './json-leaves.ts'
import { sampleRecordings } from './pair-shares.ts'

/** Returns a value without residue: without the `extra` of every object. */
function withoutExtra(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutExtra(item as Json))
  const entries = Object.entries(value as JsonObject).filter(([key]) => key !== 'extra')
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutExtra(item)]))
}

/** Lists the keys of residue that is neither a hint nor bound to content, such as the id of an answer in audio. */
function listResidueKeys(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => listResidueKeys(item as Json))
  return Object.entries(value as JsonObject).flatMap(([key, item]) => {
    if (key !== 'extra') return listResidueKeys(item)
    const slots = Object.values(item as { readonly [slot: string]: JsonObject })
    return slots.flatMap(({ $: meta = {}, ...plain }) => [
      ...Object.keys(plain),
      ...Object.keys(meta as JsonObject).filter((group) => group !== 'hints' && group !== 'bound'),
    ])
  })
}

/** Ids and times that are the same for both. */
const createIdentity = (): { newId: (prefix: string) => string; now: () => number } => {
  let count = 0
  return { newId: (prefix) => `${prefix}_${count++}`, now: () => 0 }
}

describe.each(lines)('$name decoded with `exact: false`', ({ subject, codec }) => {
  const { direction } = codec
  const bodies = [...subject.fixtures[direction], ...sampleRecordings(subject.recordings[direction])]
  const decode = (body: unknown, exact: boolean): Json => {
    const dialect = dialects[subject.name]
    const options = { exact, ...createIdentity() }
    const { value } =
      direction === 'request' ? dialect.decodeRequest(body, options) : dialect.decodeResponse(body, options)
    return JSON.parse(JSON.stringify(value)) as Json
  }

  test.each(bodies)('$name has the same content', ({ body }) => {
    for (const each of [body, enriched(body)])
      expect(withoutExtra(decode(each, false))).toEqual(withoutExtra(decode(each, true)))
  })

  test('no message contains residue, and a later exact decode contains all of it', () => {
    for (const { body } of bodies) {
      const unknown = enriched(body)
      const { tools: _tools, ...lean } = decode(unknown, false) as JsonObject
      expect(listResidueKeys(lean)).toEqual([])
      expect(listResidueKeys(decode(unknown, true)).length).toBeGreaterThan(0)
    }
  })
})
