import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { losses as anthropic } from '../../src/dialects/anthropic/rules.ts'
import { losses as gemini } from '../../src/dialects/gemini/rules.ts'
import { losses as ollama } from '../../src/dialects/ollama/rules.ts'
import { losses as openaiChat } from '../../src/dialects/openai-chat/rules.ts'
import { losses as openaiResponses } from '../../src/dialects/openai-responses/rules.ts'

test('docs/losses.md says what the tables say', async () => {
  const script = new URL('../../scripts/losses.js', import.meta.url).href
  const { renderLosses } = (await import(script)) as { renderLosses: (tables: object) => string }
  const page = readFileSync(new URL('../../docs/losses.md', import.meta.url), 'utf8')
  const tables = { 'openai-chat': openaiChat, 'openai-responses': openaiResponses, anthropic, gemini, ollama }
  expect(page, 'run `npm run losses`').toBe(renderLosses(tables))
})
