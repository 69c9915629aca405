import fc from 'fast-check'
import { type ChatResponse, dialects, toEvents, type EncodeOptions } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyResponse, RUNS } from '../arbitraries.ts'
import { expectTold, identity, streamNames, told } from './stream-responses.ts'
import { subjects } from './dialect-table.ts'

const all: readonly EncodeOptions[] = [
  {},
  { foreignReasoning: 'text' },
  { unsupported: 'drop' },
  { foreignReasoning: 'text', unsupported: 'drop' },
]

/**
 * Rules by which one of the two says more, and why:
 * - finish-synthesized, and a finish that is missing: a stream without a reason to stop is one that was cut.
 * - citations: chunks have no field for them, so that a stream drops them where a whole answer of openai-chat keeps some.
 * - stream-joined: the texts of a stream of gemini that follow each other are one, those of a whole answer are not.
 * - invalid-arguments: a stream tells the text of arguments as it is, and has nothing to wrap.
 */
const apart: ReadonlySet<string> = new Set([
  'citations-dropped',
  'citation-detail',
  'citation-stretch',
  'stream-joined',
  'invalid-arguments',
])

const anyOptions = fc.constantFrom(...all)

/** A response that can be streamed to its end: each answer says why it stopped. */
function finished(response: ChatResponse): ChatResponse {
  const { extra: _extra, ...rest } = response
  return {
    ...rest,
    candidates: response.candidates.map((message) => ({ finish: { reason: 'stop' }, ...message })),
  }
}

describe.each(streamNames)('%s: a stream and a whole answer agree', (name) => {
  const dialect = dialects[name]

  async function expectAgreement(given: ChatResponse, options: EncodeOptions): Promise<void> {
    const response = finished(given)
    const whole = dialect.encodeResponse(response, { now: () => 0, ...options })
    const { text, losses } = await told(name, toEvents(response), options)
    await expectTold(name, text, dialect.decodeResponse(whole.value, identity).value)
    expect(rules(losses)).toEqual(rules(whole.losses))
  }

  const rules = (losses: readonly { readonly rule: string }[]): readonly string[] =>
    [...new Set(losses.map(({ rule }) => rule))].filter((rule) => !apart.has(rule)).toSorted()

  const bodies = subjects.flatMap((subject) =>
    subject.fixtures.response.map(({ name: title, body }) => ({
      title: `${subject.name} ${title}`,
      response: subject.dialect.decodeResponse(body, identity).value,
    })),
  )

  test.each(bodies)('on $title', async ({ response }) => {
    if (response.candidates.length === 0) return
    for (const options of all) await expectAgreement(response, options)
  })

  /** Fields that an application adds to the texts of this very format make a list of what is else one string. */
  const withoutOwn = (response: ChatResponse): ChatResponse =>
    JSON.parse(
      JSON.stringify(response, (key, each: unknown) => (key === name ? undefined : each)),
    ) as ChatResponse

  test('on generated responses', async () => {
    const some = anyResponse.filter(({ candidates }) => candidates.length > 0).map(withoutOwn)
    await fc.assert(
      fc.asyncProperty(some, anyOptions, (response, options) => expectAgreement(response, options)),
      { numRuns: RUNS },
    )
  })
})
