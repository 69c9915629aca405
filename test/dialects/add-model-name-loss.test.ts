import { dialects, translateRequest, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { allPairs, type Pair } from './dialect-table.ts'

/** Names of models that only one vendor has, by the dialect of its API. */
const vendorNames = {
  'openai-chat': ['gpt-6-sol', 'gpt-4o', 'o3', 'o4-mini', 'chatgpt-4o-latest', 'ft:gpt-4o:me::1'],
  'openai-responses': ['gpt-5.1-codex', 'codex-mini-latest'],
  anthropic: ['claude-sonnet-5', 'claude-opus-4-1-20250805'],
  gemini: ['gemini-3-pro', 'models/gemini-2.5-flash'],
  ollama: [],
  mistral: [],
  'gemini-interactions': ['gemini-3-flash-preview'],
  bedrock: [],
  cohere: [],
} as const

/** Names that many hosts have, or that say nothing about a vendor. */
const sharedNames = [
  'gpt-oss-120b',
  'gpt-oss:20b',
  'llama-3.3',
  'gemini-3-pro-preview:latest',
  'deepseek-chat',
  'm',
]

const vendorOf = (name: string): string => name.split('-')[0] ?? name

function rulesOf({ from, to }: Pair, model: string, options: object = {}): readonly string[] {
  const body = from.dialect.encodeRequest({ model, messages: [user('Hi')], maxOutputTokens: 9 }).value
  const withModel = from.name === 'gemini' ? { ...body, model } : body
  const { losses } = translateRequest(withModel, { from: from.name, to: to.name, ...options })
  return losses.map(({ rule, path }) => `${rule} ${path}`)
}

describe.each(allPairs)('$name', (pair) => {
  const { from, to } = pair
  const isSameVendor = vendorOf(from.name) === vendorOf(to.name)

  test('a model name of another vendor is reported, and not if the caller replaces it', () => {
    for (const model of vendorNames[from.name]) {
      expect(rulesOf(pair, model)).toEqual(
        isSameVendor
          ? expect.not.arrayContaining(['model-name /model'])
          : expect.arrayContaining(['model-name /model']),
      )
      expect(rulesOf(pair, model, { model: 'other' })).not.toContain('model-name /model')
    }
  })

  test('a name of the target and a name that many hosts have are not reported', () => {
    for (const model of [...vendorNames[to.name], ...sharedNames])
      expect(rulesOf(pair, model)).not.toContain('model-name /model')
  })
})

test('it is a note: a strict translation does not refuse it', () => {
  const body = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 9 }
  const { value, losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic', onLoss: 'error' })
  expect(value.model).toBe('gpt-6-sol')
  expect(losses.map(({ rule, severity }) => [rule, severity])).toContainEqual(['model-name', 'note'])
  expect(dialects.anthropic.encodeRequest({ model: 'gpt-6-sol', messages: [] }).losses).not.toContainEqual(
    expect.objectContaining({ rule: 'model-name' }),
  )
})
