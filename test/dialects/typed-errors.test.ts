import { inspect } from 'node:util'
import { dialects, InterlinguaError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { collect, framedTexts, source, type StreamName, streamNames } from './stream-responses.ts'

const CANARY = 'canary-9c2e'

/** An object of which each read fails, as a mistake of the library would. */
const broken: object = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new TypeError(CANARY)
    },
    get: () => {
      throw new TypeError(CANARY)
    },
  },
)

describe.each(streamNames)('%s', (name) => {
  test.each(['decodeRequest', 'decodeResponse', 'encodeRequest', 'encodeResponse', 'encodeMessage'] as const)(
    '%s throws only typed errors',
    (call) => {
      const act = dialects[name][call] as (input: unknown) => unknown
      try {
        act(broken)
        expect.fail('nothing was thrown')
      } catch (error) {
        expect(error).toBeInstanceOf(InterlinguaError)
        expect(error).toMatchObject({ code: 'internal' })
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(CANARY)
      }
    },
  )

  test.each([`{"a": ${CANARY}`, `{"a": ${CANARY}}`])(
    'errors of a stream do not contain its text: %s',
    (text) => expectErrorWithoutText(name, framedTexts(name, [text])),
  )
})

test('errors of a stream that is a JSON array do not contain its text', () =>
  expectErrorWithoutText('gemini', `[{"a": ${CANARY}}]`))

async function expectErrorWithoutText(name: StreamName, stream: string): Promise<void> {
  const [last] = (await collect(dialects[name].decodeStream(source(stream)))).slice(-1)
  expect(last?.type).toBe('error')
  expect(inspect(last, { depth: 9, showHidden: true })).not.toContain(CANARY)
}
