import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flavors as anthropic } from '../../src/dialects/anthropic/flavors.ts'
import { flavors as gemini } from '../../src/dialects/gemini/flavors.ts'
import { flavors as chat } from '../../src/dialects/openai-chat/flavors.ts'
import { flavors as responses } from '../../src/dialects/openai-responses/flavors.ts'

test('docs/reference/flavors.md says what the rows say', async () => {
  const script = new URL('../../scripts/write-flavors-page.js', import.meta.url).href
  const { renderFlavors } = (await import(script)) as { renderFlavors: (tables: object) => string }
  const page = readFileSync(new URL('../../docs/reference/flavors.md', import.meta.url), 'utf8')
  expect(page, 'run `npm run flavors`').toBe(renderFlavors({ chat, anthropic, gemini, responses }))
})
