import {
  type ChatRequest,
  InterlinguaError,
  type JsonObject,
  type Translation,
  translateRequest,
  translateResponse,
  translateStream,
  validate,
} from 'interlingua'
import { isMessage } from 'interlingua/parse'
import { afterAll, describe, expect, test } from 'vitest'
import { hasCorpus } from '../recorded-exchanges.ts'
import { again, expectSame } from '../law-assertions.ts'
import { hasPublished } from '../published-schemas.ts'
import { payloads } from './stream-payloads.ts'
import { allPairs, faultsOf, type Pair, pairs, type Subject, subjects } from './dialect-table.ts'
import { type Outcome, Tally } from './outcome-tally.ts'
import { shareOf, usesAllRecordings } from './pair-shares.ts'
import { collect, toStreamText } from './stream-responses.ts'

if (!hasCorpus) console.warn('recorded traffic is absent: its tests are skipped')
else if (!usesAllRecordings)
  console.warn(
    'only exact round trips are tested with all recordings, other laws with a sample; RECORDINGS=all uses all',
  )
if (hasCorpus && !hasPublished)
  console.warn('the external schemas are absent: only our schemas and the rules of the servers are checked')

const tally = new Tally()
afterAll(() => {
  if (hasCorpus) console.log(`recorded traffic:\n${tally.toString()}`)
})

/** Some recorded bodies contain no model: it was part of the URL. */
const MODEL = { model: 'a-model' }

/** Lists the base rules that a recorded conversation breaks: no valid request can be made from it. */
function problemsOf({ from }: Pair, body: unknown): string {
  const request: ChatRequest = from.dialect.decodeRequest(body).value
  const errors = validate(request.messages).filter(({ severity }) => severity === 'error')
  return [...new Set(errors.map(({ rule }) => rule))].join(', ')
}

/**
 * Returns the outcome of a translation; one that is neither valid nor rejected by a named rule fails the
 * test.
 */
function outcomeOf(faults: readonly string[], problemsIn: () => string): Outcome | readonly string[] {
  if (faults.length === 0) return 'valid'
  const problems = problemsIn()
  return problems === '' ? faults : { refusedBy: problems }
}

/** Runs a translation; a rejection by the library is recorded with the code of its error. */
function attempt(act: () => Outcome | readonly string[]): Outcome | readonly string[] {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    return { refusedBy: error.code }
  }
}

const isOutcome = (outcome: Outcome | readonly string[]): outcome is Outcome => !Array.isArray(outcome)

describe.skipIf(!hasCorpus).each(subjects)(
  'recorded traffic of $name',
  ({ name, dialect, recordings, row }) => {
    test('the recordings are not empty', () => {
      expect(recordings.request.length).toBeGreaterThan(row.recorded.request)
      expect(recordings.response.length).toBeGreaterThan(row.recorded.response)
    })

    test.each(recordings.request)(
      'request $name is encoded as it was received, without losses',
      ({ name: id, body }) => {
        const before = structuredClone(body)
        const { value } = dialect.decodeRequest(body)
        expectSame(dialect.encodeRequest(value), { value: body, losses: [] })
        expectSame(dialect.encodeRequest(again(value) as typeof value).value, body)
        expectSame(body, before)
        expect([...value.messages].every((message) => isMessage(again(message)))).toBe(true)
        tally.add(`${name} to ${name}, requests`, id, 'exact')
      },
    )

    test.each(recordings.response)(
      'response $name is encoded as it was received, without losses',
      ({ name: id, body }) => {
        const { value } = dialect.decodeResponse(body)
        expectSame(dialect.encodeResponse(value), { value: body, losses: [] })
        expect(value.candidates.every((message) => isMessage(again(message)))).toBe(true)
        tally.add(`${name} to ${name}, responses`, id, 'exact')
      },
    )
  },
)

describe.skipIf(!hasCorpus).each(pairs)(
  'recorded traffic from $name is valid, or rejected by a named rule',
  (pair) => {
    const { from, to } = pair
    const options = { from: from.name, to: to.name, ...MODEL }

    test.each([
      ['requests', shareOf(pair, from.recordings.request), 'request', translateRequest],
      ['responses', shareOf(pair, from.recordings.response), 'response', translateResponse],
    ] as const)('%s', (plural, bodies, kind, translate) => {
      const wrong = bodies.flatMap(({ name, body }) => {
        const outcome = attempt(() => {
          const { value }: Translation<JsonObject> = translate(body, options)
          return outcomeOf(faultsOf(to, kind, value), () =>
            kind === 'request' ? problemsOf(pair, body) : '',
          )
        })
        if (!isOutcome(outcome)) return outcome.map((fault) => `${name} ${fault}`)
        tally.add(`${pair.name}, ${plural}`, name, outcome)
        return []
      })
      expect(wrong.slice(0, 20)).toEqual([])
    })
  },
)

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** Returns the error at the end of a stream: of a truncated recording, or of a failed response. */
async function failureOf({ dialect }: Subject, text: string): Promise<string | undefined> {
  for await (const event of dialect.decodeStream(once(text), { exact: false })) {
    if (event.type === 'error') return event.error.code
  }
  return undefined
}

/** Results about a stream that are the same for every target, computed once. */
const failures = new Map<string, Promise<string | undefined>>()

describe.skipIf(!hasCorpus).each(allPairs)('recorded streams from $name', (pair) => {
  const { name, from, to } = pair

  test(`are ${from === to ? 'exact, payload for payload' : 'valid, or rejected by a named rule'}`, async () => {
    const wrong: string[] = []
    for (const { name: id, text } of shareOf(pair, from.streams)) {
      const { body } = translateStream(once(text), { from: from.name, to: to.name })
      const ending = failures.get(text) ?? failureOf(from, text)
      failures.set(text, ending)
      const failure = await ending
      const written = payloads(toStreamText(to.name, await collect(body)))
      // The last payload of a failed stream is an error in the format of the target.
      const answer = failure === undefined ? written : written.slice(0, -1)
      const faults =
        from === to
          ? isPrefix(answer, payloads(text), failure === undefined)
          : answer.flatMap((payload) => faultsOf(to, 'event', payload as JsonObject))
      if (faults.length > 0) wrong.push(`${id} ${faults.slice(0, 3).join('; ')}`)
      else {
        const kind = from === to ? 'exact' : 'valid'
        tally.add(`${name}, streams`, id, failure === undefined ? kind : { refusedBy: failure })
      }
    }
    expect(wrong.slice(0, 20)).toEqual([])
  })
})

/**
 * Checks that the written payloads equal the received ones: all of them, or all before the failure of a
 * failed stream.
 */
function isPrefix(written: readonly unknown[], came: readonly unknown[], whole: boolean): readonly string[] {
  const expected = whole ? came : came.slice(0, written.length)
  try {
    expectSame(written, expected)
    return []
  } catch {
    return [`${written.length} payloads do not equal the ${came.length} received ones`]
  }
}
