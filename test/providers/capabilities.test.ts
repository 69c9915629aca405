import { gemini, model, ollama } from 'interlingua/providers'
import { expect, test } from 'vitest'

test.each([
  ['gemini:gemini-2.5-flash', false],
  ['gemini:gemini-1.5-pro-latest', false],
  ['vertex:gemini-2.0-flash', false],
  ['gemini:gemini-3-pro-preview', undefined],
  ['gemini:gemini-3.7-flash', undefined],
  ['ollama:qwen3', false],
  ['ollama-compatible:qwen3', false],
  ['anthropic:claude-opus-5', undefined],
])('%s supports a schema together with tools: %s', (name, expected) => {
  expect(model(name, { apiKey: 'k' }).capabilities.supportsOutputWithTools).toBe(expected)
})

test('capabilities of the caller override the known ones', () => {
  const capabilities = { supportsOutputWithTools: true }
  expect(gemini('gemini-2.5-flash', { apiKey: 'k', capabilities }).capabilities).toEqual(capabilities)
  expect(ollama('qwen3', { capabilities }).capabilities).toEqual(capabilities)
})
