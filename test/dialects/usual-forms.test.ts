import type { Json, JsonObject } from 'interlingua'
import { describe, test } from 'vitest'
import { anyRequest } from '../arbitraries.ts'
import { again, attempt, expectFrozen, expectSame, law } from '../law-assertions.ts'
import { type Subject, subjects } from './dialect-table.ts'
import { sampleRecordings } from './pair-shares.ts'

/** An unknown field: an object with it is not in a usual form, so it is encoded and compared. */
const MARK = 'x_mark'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LIST_KEYS = ['messages', 'contents', 'input', 'content', 'parts']

/** Adds the mark to the messages, items and blocks that contain no others. Data of the user is left as it is. */
function markElements(value: Json): Json {
  // A placeholder of a thought is recognized by all of its fields.
  if (!isObject(value) || value['type'] === 'thought') return value
  const lists = LIST_KEYS.filter((key) => Array.isArray(value[key]))
  if (lists.length === 0) return { ...value, [MARK]: true }
  const marked = lists.map((key) => [key, (value[key] as readonly Json[]).map(markElements)])
  return { ...value, ...Object.fromEntries(marked) }
}

/** Removes the ids of messages, and the mark from residue. */
function removeMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeMarks)
  if (!isObject(value)) return value
  const { extra, ...others } = value
  const slots = Object.entries(isObject(extra) ? extra : {})
    .map(([slot, residue]) => [slot, cleanResidue(residue)] as const)
    .filter(([, residue]) => residue !== undefined)
  const cleaned = Object.fromEntries(Object.entries(others).map(([key, item]) => [key, removeMarks(item)]))
  if (typeof others['role'] === 'string') delete cleaned['id']
  return slots.length === 0 ? cleaned : { ...cleaned, extra: Object.fromEntries(slots) }
}

/** Returns residue without the mark; undefined if it contains nothing else. */
function cleanResidue(residue: Json | undefined): Json | undefined {
  if (!isObject(residue)) return residue
  const { [MARK]: _mark, $: meta, ...plain } = residue
  const { nested, length, ...groups } = isObject(meta) ? meta : {}
  const inner = Object.entries(isObject(nested) ? nested : {})
    .map(([key, each]) => [key, cleanResidue(each)] as const)
    .filter(([, each]) => each !== undefined)
  const cleanedMeta = {
    ...groups,
    ...(inner.length > 0 && { nested: Object.fromEntries(inner), length }),
  }
  const cleaned = { ...plain, ...(Object.keys(cleanedMeta).length > 0 && { $: cleanedMeta }) }
  return Object.keys(cleaned).length === 0 ? undefined : (again(cleaned) as Json)
}

function expectSameWithoutUsualForms({ dialect }: Subject, body: JsonObject): void {
  const decode = (wire: unknown) => attempt(() => dialect.decodeRequest(wire).value)
  const usual = decode(body)
  const compared = decode(markElements(body))
  if (usual === undefined || compared === undefined) return
  for (const message of usual.messages) expectFrozen(message)
  const expected = [...compared.messages].map(removeMarks)
  // A mark inside of a block can make it another block, or one that is kept as received.
  if (JSON.stringify(expected).includes(MARK)) return
  expectSame([...usual.messages].map(removeMarks), expected)
}

describe.each(subjects)('$name: messages in usual forms are decoded as all others', (subject) => {
  const { fixtures, recordings, dialect } = subject

  test.each(fixtures.request)('$name', ({ body }) => expectSameWithoutUsualForms(subject, body))

  test('recorded requests', () => {
    for (const { body } of sampleRecordings(recordings.request)) expectSameWithoutUsualForms(subject, body)
  })

  test('generated requests', () => {
    law(anyRequest, (request) => {
      const body = attempt(() => dialect.encodeRequest(request).value)
      if (body !== undefined) expectSameWithoutUsualForms(subject, body)
    })
  })
})
