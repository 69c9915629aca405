import {
  accumulate,
  toEvents,
  InterlinguaError,
  StreamError,
  textOf,
  toText,
  type ChatEvent,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { anyResponse, RUNS } from '../../arbitraries.ts'
import { expectFrozen, expectSame } from '../../law-assertions.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }
const base = { id: 'msg_1', role: 'assistant' }

describe('accumulate', () => {
  test('[r182] makes of the events of a response the response, with its usage on each message', async () => {
    await fc.assert(
      fc.asyncProperty(anyResponse, async (response) => {
        const { extra: _extra, candidates, ...rest } = response
        const again = await accumulate(toEvents(response), identity)
        const { usage } = response
        const counted = candidates.map((message) => ({ ...(usage && { usage }), ...message }))
        expectSame(again, { ...rest, candidates: counted })
        expectFrozen(again)
      }),
      { numRuns: RUNS },
    )
  })

  test('[r91] [r182] joins deltas, keeps arguments that are not JSON, binds signatures to the whole', async () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'r', model: 'm' },
      { type: 'part-start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'reasoning-delta', index: 0, text: 'Hm' },
      { type: 'reasoning-delta', index: 0, text: '.' },
      { type: 'part-update', index: 0, signature: { vendor: 'anthropic', value: 'sig' } },
      { type: 'text-delta', index: 1, text: 'Hel' },
      { type: 'text-delta', index: 1, text: 'lo' },
      { type: 'part-start', index: 2, part: { type: 'tool-call', id: 'c', name: 'f', arguments: {} } },
      { type: 'arguments-delta', index: 2, json: '{"a":' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 5, totalTokens: 6 } },
      { type: 'finish', finish: { reason: 'length' } },
    ]
    expect(await accumulate(events, identity)).toMatchObject({
      id: 'r',
      usage: { outputTokens: 5 },
      candidates: [
        {
          ...base,
          finish: { reason: 'length' },
          content: [
            { type: 'reasoning', text: 'Hm.', signature: { vendor: 'anthropic', value: 'sig' } },
            { type: 'text', text: 'Hello' },
            { type: 'tool-call', invalidArguments: '{"a":' },
          ],
        },
      ],
    })
  })

  test('a restated part replaces its deltas, a second start begins anew, candidates stay apart', async () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'first' },
      { type: 'text-delta', index: 0, text: 'gone' },
      { type: 'start', id: 'second' },
      { type: 'text-delta', index: 0, text: 'draft' },
      { type: 'text-delta', index: 0, candidate: 1, text: 'other' },
      { type: 'part-end', index: 0, part: { type: 'text', text: 'final' }, replaces: true },
    ]
    const { id, candidates } = await accumulate(events, identity)
    expect(id).toBe('second')
    expect(candidates.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'final' }],
      [{ type: 'text', text: 'other' }],
    ])
  })

  test('rejects on an error, with what came before it', async () => {
    const error = new InterlinguaError('invalid-value', 'overloaded', { retryable: true })
    const accumulated = accumulate(
      [
        { type: 'text-delta', index: 0, text: 'so far' },
        { type: 'error', error },
      ],
      identity,
    )
    const caught = await accumulated.catch((reason: unknown) => reason)
    expect(caught).toBeInstanceOf(StreamError)
    expect(caught).toMatchObject({
      cause: error,
      retryable: true,
      partial: { candidates: [{ content: [{ text: 'so far' }] }] },
    })
  })
})

describe('toText', () => {
  const said: ChatEvent[] = [
    { type: 'start' },
    { type: 'reasoning-delta', index: 0, text: 'Hm.' },
    { type: 'text-delta', index: 1, text: 'Hel' },
    { type: 'text-delta', index: 1, text: 'lo' },
    { type: 'refusal-delta', index: 2, text: 'No.' },
    { type: 'text-delta', index: 0, candidate: 1, text: 'other' },
    { type: 'text-delta', index: 3, text: ' there' },
  ]

  test('is the text of the first answer, from events of either kind', async () => {
    expect(await toText(said)).toBe('Hello there')
    expect(await toText([])).toBe('')
    async function* later(): AsyncGenerator<ChatEvent> {
      yield* said
    }
    expect(await toText(later())).toBe('Hello there')
  })

  test('is the text of the accumulated response', async () => {
    await fc.assert(
      fc.asyncProperty(anyResponse, async (response) => {
        const [first] = response.candidates
        expect(await toText(toEvents(response))).toBe(first === undefined ? '' : textOf(first))
      }),
      { numRuns: RUNS },
    )
  })

  test('rejects on an error, with the text so far', async () => {
    const error = new InterlinguaError('stream-cut', 'cut', { retryable: true })
    const caught: unknown = await toText([...said, { type: 'error', error }]).catch(
      (reason: unknown) => reason,
    )
    expect(caught).toBeInstanceOf(StreamError)
    const { partial } = caught as StreamError
    expect(partial.candidates.map((message) => textOf(message))).toEqual(['Hello there', 'other'])
  })
})
