import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { describe, test } from 'vitest'
import { parleyDialect } from './parley-dialect.ts'
import { requests, responses, streams } from './parley-bodies.ts'

const samples = {
  requests,
  responses: responses.slice(0, 2),
  streams: streams
    .slice(0, 1)
    .map((events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
}
const runs = process.env['SOAK'] ? 500 : 5

// The growth of the work is measured, which takes seconds, and other tests at the same time distort it.
const isDefault = ({ name }: { readonly name: string }): boolean =>
  process.env['SOAK'] !== undefined || !name.startsWith('linear-work')

describe('the example dialect passes the conformance suite', () => {
  const tests = dialectConformanceTests({ dialect: parleyDialect, samples, runs }).filter(isDefault)
  for (const { name, run } of tests) test(name, run)
})
