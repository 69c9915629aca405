import { type ChatResponse, dialects, type Json, toEvents } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { subjects } from '../dialect-table.ts'
import { bare } from '../json-leaves.ts'
import { payloads } from '../stream-payloads.ts'
import { encodeStreamText } from '../stream-responses.ts'

const { anthropic } = dialects

/** Returns the `citations` of a value that are null, or that a list without items contains. */
function emptyCitations(value: Json): readonly Json[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => {
    const isEmpty = each === null || (Array.isArray(each) && each.length === 0)
    return key === 'citations' && isEmpty ? [each] : emptyCitations(each)
  })
}

describe.each(subjects)(
  'a text of $name as a block of an anthropic response',
  ({ dialect, fixtures, own }) => {
    const responses = [...fixtures.response, ...own.response].map(({ body }): ChatResponse =>
      bare(dialect.decodeResponse(body).value),
    )

    test('has citations only if the text has citations', () => {
      const encoded = responses.map((response) => anthropic.encodeResponse(response).value as unknown as Json)
      expect(encoded.flatMap(emptyCitations)).toEqual([])
    })

    test('starts without citations in a stream', async () => {
      for (const response of responses.slice(0, 40)) {
        const { text } = await encodeStreamText('anthropic', toEvents(response))
        expect(payloads(text).flatMap(emptyCitations)).toEqual([])
      }
    })
  },
)

test('a text that was received with `citations: null` is sent back with it', () => {
  const content = [{ type: 'text', text: 'Hello', citations: null }]
  const body = { id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn' }
  const { value } = anthropic.decodeResponse(body)
  expect(anthropic.encodeResponse(value).value).toMatchObject({ content })
  expect(dialects.gemini.encodeResponse(value).losses).toEqual([])
})
