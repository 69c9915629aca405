// @ts-check
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { acmeDialect } from './index.js'
import { samples } from './samples.js'

const folder = new URL('./', import.meta.url)

test('every TODO of this folder is done', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
  const left = files.flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.includes('TODO') ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
  assert.equal(
    left.length,
    0,
    `${left.length} lines are still those of the made-up format:\n${left.join('\n')}`,
  )
})

describe('acme follows the laws of dialects', () => {
  // Pass a JSON Schema of the provider as `validate: { request, response, streamPayload }` to check what is written, too.
  for (const { name, run } of dialectConformanceTests({ dialect: acmeDialect, samples })) test(name, run)
})
