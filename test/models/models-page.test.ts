import { readFileSync } from 'node:fs'
import { effortBudgets, modelFamilies } from 'interlingua/models'
import { expect, test } from 'vitest'

test('docs/reference/models.md says what the table says', async () => {
  const script = new URL('../../scripts/write-models-page.js', import.meta.url).href
  const { renderModels } = (await import(script)) as {
    renderModels: (...tables: readonly object[]) => string
  }
  const page = readFileSync(new URL('../../docs/reference/models.md', import.meta.url), 'utf8')
  expect(page, 'run `npm run models`').toBe(renderModels(modelFamilies, effortBudgets))
})
