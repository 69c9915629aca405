import type { JsonObject } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { describe, test } from 'vitest'
import { published } from '../../published-schemas.ts'
import { requests } from '../bodies/bedrock-requests.ts'
import { responses } from '../bodies/bedrock-responses.ts'

const isSoak = process.env['SOAK'] !== undefined

const select = (bodies: { readonly [name: string]: JsonObject }): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(bodies).slice(0, isSoak ? Infinity : 4))

const validate = {
  request: published('spec/bedrock-converse-request'),
  response: published('spec/bedrock-converse-response'),
}

const samples = { requests: select(requests), responses: select(responses) }

describe('bedrock passes the conformance suite', () => {
  const subject = { dialect: bedrockDialect, samples, validate, runs: isSoak ? 500 : 2 }
  for (const { name, law, run } of dialectConformanceTests(subject))
    test.skipIf(law === 'linear-work' && !isSoak)(name, run)
})
