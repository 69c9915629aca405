import { isMessage } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../corpus.ts'
import { again, expectSame } from '../laws.ts'
import { subjects } from './subjects.ts'

if (!hasCorpus) console.warn('recorded traffic is absent: its tests are skipped')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

describe.skipIf(!hasCorpus).each(subjects)('recorded traffic of $name', ({ dialect, row }) => {
  const exchanges = recorded(dialect.name)
  const requests = exchanges.filter(({ request }) => isObject(request))
  const responses = exchanges.filter(({ response }) => isObject(response))

  test('there is some', () => {
    expect(requests.length).toBeGreaterThan(row.recorded.request)
    expect(responses.length).toBeGreaterThan(row.recorded.response)
  })

  test.each(requests)('request $id goes out as it came in, without losses', ({ request }) => {
    const before = structuredClone(request)
    const { value } = dialect.decodeRequest(request)
    expectSame(dialect.encodeRequest(value), { value: request, losses: [] })
    expectSame(dialect.encodeRequest(again(value) as typeof value).value, request)
    expectSame(request, before)
    expect([...value.messages].every((message) => isMessage(again(message)))).toBe(true)
  })

  test.each(responses)('response $id goes out as it came in, without losses', ({ response }) => {
    const { value } = dialect.decodeResponse(response)
    expectSame(dialect.encodeResponse(value), { value: response, losses: [] })
    expect(value.candidates.every((message) => isMessage(again(message)))).toBe(true)
  })
})
