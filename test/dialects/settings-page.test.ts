import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings as anthropic } from '../../src/dialects/anthropic/settings.ts'
import { settings as gemini } from '../../src/dialects/gemini/settings.ts'
import { settings as interactions } from '../../src/dialects/gemini-interactions/settings.ts'
import { settings as mistral } from '../../src/dialects/mistral/settings.ts'
import { settings as ollama } from '../../src/dialects/ollama/settings.ts'
import { settings as openaiChat } from '../../src/dialects/openai-chat/settings.ts'
import { settings as openaiResponses } from '../../src/dialects/openai-responses/settings.ts'

type Render = (source: string, tables: object) => string

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const script = new URL('../../scripts/write-settings-page.js', import.meta.url).href
const { renderSettings } = (await import(script)) as { readonly renderSettings: Render }
const tables = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  ollama,
  mistral,
  'gemini-interactions': interactions,
}

test('docs/reference/settings.md is generated from the setting tables', () => {
  const page = read('docs/reference/settings.md')
  expect(page, 'run `npm run settings`').toBe(renderSettings(read('src/canonical/model/request.ts'), tables))
})

test('every option has a meaning on the page', () => {
  const page = read('docs/reference/settings.md')
  for (const name of Object.keys(anthropic.request)) {
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| \`.+\` \\| \\S`, 'm'))
  }
})
