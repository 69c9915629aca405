import type { Json, JsonObject, Message } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { enriched } from '../../dialects/json-leaves.ts'
import { again, expectFrozen, expectSame, law } from '../../law-assertions.ts'
import { mutated } from '../../json-mutations.ts'
import { expectOmissionsReported, expectReadOrRefused } from '../shared-laws.ts'
import { formatRows } from './format-table.ts'

/** Several formats share the time of one law; a soak runs 10,000 conversations for each. */
const SHARE = process.env['SOAK'] ? 10_000 : RUNS / 3

describe.each(formatRows)('$name', ({ format, messages, closedLists = [] }) => {
  test('writes its own messages as they were read, and gives each one an id', () => {
    law(
      messages,
      (wire) => {
        const { value, losses } = format.fromMessages(wire)
        expect(losses).toEqual([])
        expectFrozen(value)
        expect(new Set(value.map(({ id }) => id)).size).toBe(value.length)
        const written = format.toMessages(again(value) as Message[])
        expectSame(again(written.value), again(wire))
        expect(written.losses).toEqual([])
      },
      SHARE,
    )
  })

  test('keeps fields and parts that it does not know', () => {
    law(
      messages,
      (wire) => {
        const given = enrichedMessages(wire, closedLists)
        const written = format.toMessages(format.fromMessages(given).value)
        expectSame(again(written.value), again(given))
      },
      SHARE,
    )
  })

  test('writes any conversation, and reports what it omits', () => {
    law(anyMessages, (generated) => expectOmissionsReported(format, generated), SHARE)
  })
})

test.each(formatRows)('$name: broken messages are read, or refused with a code and a path', (row) => {
  law(
    mutated(row.messages),
    (broken) => expectReadOrRefused(() => row.format.fromMessages(broken)),
    SHARE * 3,
  )
})

/** Adds unknown fields everywhere, and unknown parts to the messages, but no unknown messages. */
function enrichedMessages(wire: readonly JsonObject[], closedLists: readonly string[]): readonly Json[] {
  return wire.map((message) => trimLists(enriched(message) as Json, message, closedLists))
}

const isJsonObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes the added items of lists whose items must be known. */
function trimLists(given: Json, original: Json, keys: readonly string[]): Json {
  if (!isJsonObject(given) || !isJsonObject(original)) return given
  const entries = Object.entries(given).map(([key, value]): readonly [string, Json] => {
    const before = original[key] ?? null
    const isClosed = keys.includes(key) && Array.isArray(before) && Array.isArray(value)
    return [key, isClosed ? value.slice(0, before.length) : trimLists(value, before, keys)]
  })
  return Object.fromEntries(entries)
}
