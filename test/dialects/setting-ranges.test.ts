import { type ChatRequest, type JsonObject, user } from 'interlingua'
import { parseRequest } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { again, expectSame, rulesAndPaths } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'
import { leavesOf, mapLeaves } from './json-leaves.ts'

const request = (settings: object): ChatRequest => ({ model: 'm', messages: [user('Hi')], ...settings })

/** Values that no provider accepts: the settings, the path of the mistake, what was found, and what is expected. */
const invalidSettings: readonly (readonly [
  settings: object,
  path: string,
  found: string,
  expected: string,
])[] = [
  [{ maxOutputTokens: -1 }, '/maxOutputTokens', '-1', 'an integer of at least 0'],
  [{ maxOutputTokens: 1.5 }, '/maxOutputTokens', '1.5', 'an integer of at least 0'],
  [{ temperature: -0.1 }, '/temperature', '-0.1', 'a number of at least 0'],
  [{ topP: 7 }, '/topP', '7', 'a number from 0 to 1'],
  [{ topP: -1 }, '/topP', '-1', 'a number from 0 to 1'],
  [{ topK: -1 }, '/topK', '-1', 'an integer of at least 0'],
  [{ topK: 1.5 }, '/topK', '1.5', 'an integer of at least 0'],
  [{ seed: 0.5 }, '/seed', '0.5', 'an integer'],
  [{ presencePenalty: 3 }, '/presencePenalty', '3', 'a number from -2 to 2'],
  [{ frequencyPenalty: -3 }, '/frequencyPenalty', '-3', 'a number from -2 to 2'],
  [{ candidateCount: 0 }, '/candidateCount', '0', 'an integer of at least 1'],
  [{ reasoning: { budgetTokens: -1 } }, '/reasoning/budgetTokens', '-1', 'an integer of at least 0'],
  [{ logprobs: { top: -1 } }, '/logprobs/top', '-1', 'an integer of at least 0'],
  [{ stop: ['END', ''] }, '/stop/1', 'an empty string', 'a string that is not empty'],
]

/** Every setting that is a number, with a value that all dialects send. */
const settings = {
  maxOutputTokens: 4096,
  temperature: 0.5,
  topP: 0.5,
  topK: 5,
  seed: 5,
  presencePenalty: 0.5,
  frequencyPenalty: 0.5,
  candidateCount: 2,
  reasoning: { enabled: true, budgetTokens: 2048 },
  logprobs: { top: 2 },
  stop: ['END'],
}

describe.each(subjects)('$name', ({ dialect, name }) => {
  test.each(invalidSettings)('refuses %j', (invalid, path, found, expected) => {
    const error = expect.objectContaining({ code: 'invalid-value', path, found, expected }) as Error
    expect(() => dialect.encodeRequest(request(invalid))).toThrow(error)
    expect(() => dialect.encodeRequestText(request(invalid))).toThrow(error)
    expect(() => parseRequest(request(invalid))).toThrow(error)
  })

  test.each(Object.keys(settings))('refuses NaN and infinity as %s', (key) => {
    for (const value of [Number.NaN, Infinity, -Infinity])
      expect(() => dialect.encodeRequest(request({ [key]: value }))).toThrow(`/${key}`)
  })

  /** Bodies with the settings of the dialect; old versions of Anthropic's API accept all of them. */
  const bodies = Object.entries(settings).map(
    ([key, value]) =>
      dialect.encodeRequest(request({ maxOutputTokens: 4096, [key]: value }), { apiVersion: '2023-06-01' })
        .value,
  )

  test('any number in a received body stays exact, also as stored JSON', () => {
    for (const body of bodies)
      for (const { at, value } of leavesOf(body)) {
        if (typeof value !== 'number' && value !== 'END') continue
        for (const odd of typeof value === 'number' ? [-1, 0, 1.5, 1e6, -0.5] : ['']) {
          const changed = mapLeaves(body, (leaf, place) =>
            place.join() === at.join() ? odd : leaf,
          ) as JsonObject
          const decoded = dialect.decodeRequest(changed).value
          const { value: same, losses } = dialect.encodeRequest(again(decoded) as ChatRequest)
          expectSame(same, changed)
          expect(losses).toEqual([])
        }
      }
  })

  test('a limit of 0 is sent by Anthropic, and raised by others', () => {
    const encoded = dialect.encodeRequest(request({ maxOutputTokens: 0 }))
    const isCacheOnly = name === 'anthropic'
    expect(rulesAndPaths(encoded)).toEqual(isCacheOnly ? [] : ['output-limit /maxOutputTokens'])
    const limits = leavesOf(encoded.value).filter(({ value }) => typeof value === 'number')
    expect(limits.map(({ value }) => value)).toEqual([isCacheOnly ? 0 : name === 'openai-responses' ? 16 : 1])
  })
})
