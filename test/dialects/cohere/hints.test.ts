import { cohereDialect } from 'interlingua/dialects/cohere'
import { expect, test } from 'vitest'
import { hintMeanings } from '../../../src/dialects/cohere/hints.ts'
import { oddRequests, requests } from '../bodies/cohere-requests.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'
import { collectHints } from '../collect-hints.ts'

test('every hint of cohere is written by a body', () => {
  const found = new Set<string>()
  for (const body of Object.values({ ...requests, ...oddRequests }))
    collectHints(cohereDialect.decodeRequest(body).value, found)
  for (const body of Object.values({ ...responses, ...oddResponses }))
    collectHints(cohereDialect.decodeResponse(body).value, found)
  expect(Object.keys(hintMeanings).filter((name) => !found.has(name))).toEqual([])
})
