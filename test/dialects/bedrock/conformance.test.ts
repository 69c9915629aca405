import type { JsonObject } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { dialectConformanceTests, type LawName } from 'interlingua/dialects/testing'
import { describe, test } from 'vitest'
import { published } from '../../published-schemas.ts'
import { requests } from '../bodies/bedrock-requests.ts'
import { responses } from '../bodies/bedrock-responses.ts'

const isSoak = process.env['SOAK'] !== undefined

/** The laws about streams read their text; the streams of Bedrock are binary, and `streams.test.ts` tests them. */
const isBinary = (law: LawName): boolean => law.includes('stream')

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
    test.skipIf(isBinary(law) || (law === 'linear-work' && !isSoak))(name, run)
})
