import type { JsonObject } from 'interlingua'
import { geminiInteractionsDialect } from 'interlingua/dialects/gemini-interactions'
import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { describe, test } from 'vitest'
import { validator } from '../../wire-validators.ts'
import { requests } from '../bodies/gemini-interactions-requests.ts'
import { responses } from '../bodies/gemini-interactions-responses.ts'

const isSoak = process.env['SOAK'] !== undefined
const select = (bodies: Record<string, JsonObject>): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(bodies).slice(0, isSoak ? undefined : 3))

describe('gemini-interactions passes the conformance suite', () => {
  const tests = dialectConformanceTests({
    dialect: geminiInteractionsDialect,
    samples: { requests: select(requests), responses: select(responses) },
    validate: {
      request: validator('gemini-interactions-request'),
      response: validator('gemini-interactions-response'),
      streamPayload: validator('gemini-interactions-stream-event'),
    },
    runs: isSoak ? 500 : 2,
  })
  for (const { name, law, run } of tests) test.skipIf(law === 'linear-work' && !isSoak)(name, run)
})
