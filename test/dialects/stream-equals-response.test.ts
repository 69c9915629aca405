import fc from 'fast-check'
import { type ChatResponse, toEvents, type EncodeOptions } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyResponse, RUNS } from '../arbitraries.ts'
import { subjects } from './dialect-table.ts'
import { shareOfFixtures } from './pair-shares.ts'
import { expectEncodedStream, identity, encodeStreamText } from './stream-responses.ts'

const defaults: EncodeOptions = {}
const others: readonly EncodeOptions[] = [
  { foreignReasoning: 'text', unsupported: { hostedTools: 'text' } },
  { foreignReasoning: 'drop', unsupported: { media: 'text' } },
  { unsupported: { hostedTools: 'reasoning', media: 'reasoning' } },
]
const all: readonly EncodeOptions[] = [defaults, ...others]

/** Returns the options of a body besides the defaults: each of them in turn. */
const takeOther = (index: number): EncodeOptions => others[index % others.length] ?? defaults

/**
 * Rules that are reported by only one of the two, and why:
 * - citations: chunks have no field for them, so that a stream drops citations that a complete openai-chat response keeps.
 * - stream-joined: adjacent texts of a gemini stream are joined, those of a complete response are not.
 * - invalid-arguments: a stream contains the text of arguments unchanged, without a wrapper.
 */
const differingRules: ReadonlySet<string> = new Set([
  'citations-dropped',
  'citation-detail',
  'citation-range',
  'stream-joined',
  'invalid-arguments',
])

/** Rules that differ in one dialect: a stream of cohere keeps the order of text and calls, a complete response has a field for each. */
const differingRulesByDialect: { readonly [dialect: string]: readonly string[] } = { cohere: ['order-lost'] }

const anyOptions = fc.constantFrom(...all)

/**
 * Returns true for an answer of bedrock with a block that no stream can contain: `ContentBlockStart` and `ContentBlockDelta` of
 * the official client have no member for audio, and none for blocks that are unknown to the dialect.
 */
const isUnstreamable = (name: string, { candidates }: ChatResponse): boolean =>
  name === 'bedrock' &&
  candidates.some(({ content }) =>
    content.some(
      (part) =>
        (part.type === 'opaque' && part.dialect === name) ||
        (part.type === 'audio' && part.extra?.[name] !== undefined),
    ),
  )

/** Adds a finish reason to each candidate, without which a stream counts as cut off. */
function finished(response: ChatResponse): ChatResponse {
  const { extra: _extra, ...rest } = response
  return {
    ...rest,
    candidates: response.candidates.map((message) => ({ finish: { reason: 'stop' }, ...message })),
  }
}

describe.each(subjects)('$name: a stream and a complete response agree', (to) => {
  const { name, dialect } = to

  async function expectAgreement(generated: ChatResponse, options: EncodeOptions): Promise<void> {
    const response = finished(generated)
    if (isUnstreamable(name, response)) return
    const complete = dialect.encodeResponse(response, { now: () => 0, ...options })
    const { text, losses } = await encodeStreamText(name, toEvents(response), options)
    await expectEncodedStream(name, text, dialect.decodeResponse(complete.value, identity).value)
    expect(rules(losses)).toEqual(rules(complete.losses))
  }

  const rules = (losses: readonly { readonly rule: string }[]): readonly string[] =>
    [...new Set(losses.map(({ rule }) => rule))]
      .filter((rule) => !differingRules.has(rule) && !differingRulesByDialect[name]?.includes(rule))
      .toSorted()

  const bodies = subjects.flatMap((subject) =>
    shareOfFixtures({ from: subject, to }, subject.fixtures.response).map(({ name: title, body }, index) => ({
      title: `${subject.name} ${title}`,
      tried: process.env['SOAK'] ? all : [defaults, takeOther(index)],
      response: subject.dialect.decodeResponse(body, identity).value,
    })),
  )

  test.each(bodies)('on $title', async ({ response, tried }) => {
    if (response.candidates.length === 0) return
    for (const options of tried) await expectAgreement(response, options)
  })

  /**
   * Removes the fields that an application adds in this dialect's slot: they turn a string into a list of
   * parts.
   */
  const omitOwnFields = (response: ChatResponse): ChatResponse =>
    JSON.parse(
      JSON.stringify(response, (key, each: unknown) => (key === name ? undefined : each)),
    ) as ChatResponse

  test('on generated responses', async () => {
    const some = anyResponse.filter(({ candidates }) => candidates.length > 0).map(omitOwnFields)
    await fc.assert(
      fc.asyncProperty(some, anyOptions, (response, options) => expectAgreement(response, options)),
      { numRuns: RUNS },
    )
  })
})
