import { cohereDialect } from 'interlingua/dialects/cohere'
import { expect, test } from 'vitest'
import { hintMeanings } from '../../../src/dialects/cohere/hints.ts'
import { oddRequests, requests } from '../bodies/cohere-requests.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'

function collectHints(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key === 'hints' && typeof each === 'object' && each !== null)
      for (const name of Object.keys(each)) found.add(name)
    else collectHints(each, found)
  }
}

test('every hint of cohere is written by a body', () => {
  const found = new Set<string>()
  for (const body of Object.values({ ...requests, ...oddRequests }))
    collectHints(cohereDialect.decodeRequest(body).value, found)
  for (const body of Object.values({ ...responses, ...oddResponses }))
    collectHints(cohereDialect.decodeResponse(body).value, found)
  expect(Object.keys(hintMeanings).filter((name) => !found.has(name))).toEqual([])
})
