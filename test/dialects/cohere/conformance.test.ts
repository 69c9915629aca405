import { cohereDialect } from 'interlingua/dialects/cohere'
import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { describe, test } from 'vitest'
import { published } from '../../published-schemas.ts'
import { requests } from '../bodies/cohere-requests.ts'
import { responses } from '../bodies/cohere-responses.ts'
import { streams } from '../bodies/cohere-streams.ts'

const isSoak = process.env['SOAK'] !== undefined

/** A soak tests all samples. */
const select = <T>(samples: { readonly [name: string]: T }): Record<string, T> =>
  Object.fromEntries(Object.entries(samples).slice(isSoak ? 0 : -1))

const validate = {
  request: published('spec/cohere-chat-request'),
  response: published('spec/cohere-chat-response'),
}

describe('cohere passes the conformance suite', () => {
  const samples = { requests: select(requests), responses: select(responses), streams: select(streams) }
  const subject = { dialect: cohereDialect, samples, validate, runs: isSoak ? 500 : 1 }
  for (const { name, law, run } of dialectConformanceTests(subject))
    test.skipIf(law === 'linear-work' && !isSoak)(name, run)
})
