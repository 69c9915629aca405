import type { JsonObject } from 'interlingua'
import { dialectConformanceTests, type DialectUnderTest } from 'interlingua/dialects/testing'
import { describe, test } from 'vitest'
import { validator } from '../wire-validators.ts'
import { type Subject, subjects } from './dialect-table.ts'

const isSoak = process.env['SOAK'] !== undefined

/** The number of bodies of each kind; other tests run most of the laws on all of them. */
const MAX_SAMPLES = isSoak ? Infinity : 2
const MAX_BODY_CHARS = isSoak ? Infinity : 1_500

/** Returns a built-in dialect with its handwritten bodies, as a user of the suite describes a dialect. */
function describeDialect({ dialect, row, valid, streams }: Subject): DialectUnderTest {
  const listProblems =
    (kind: 'request' | 'response' | 'event') =>
    (body: JsonObject): readonly string[] =>
      row.schemas[kind].flatMap((schema) => validator(schema)(body))
  const selectBodies = (kind: 'request' | 'response'): Record<string, JsonObject> =>
    Object.fromEntries(
      valid[kind]
        .filter(({ body }) => JSON.stringify(body).length < MAX_BODY_CHARS)
        .filter(({ body }) => listProblems(kind)(body).length === 0)
        .slice(0, MAX_SAMPLES)
        .map(({ name, body }) => [name, body]),
    )
  const texts = streams.filter(({ text }) => text.length < 4 * MAX_BODY_CHARS).slice(0, MAX_SAMPLES)
  return {
    dialect,
    samples: {
      requests: selectBodies('request'),
      responses: selectBodies('response'),
      streams: Object.fromEntries(texts.map(({ name, text }) => [name, text])),
    },
    validate: {
      request: listProblems('request'),
      response: listProblems('response'),
      streamPayload: listProblems('event'),
    },
    runs: isSoak ? 100 : 2,
  }
}

describe.each(subjects)('$name passes the conformance suite', (subject) => {
  for (const { name, law, run } of dialectConformanceTests(describeDialect(subject)))
    // The growth tests measure the built-in dialects, and alone on the machine.
    test.skipIf(law === 'linear-work' && !isSoak)(name, run)
})
