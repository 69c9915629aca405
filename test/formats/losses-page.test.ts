import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { losses as agUi } from '../../src/formats/ag-ui/rules.ts'
import { losses as aiSdkUi } from '../../src/formats/ai-sdk-ui/rules.ts'

test('docs/ui-losses.md says what the tables say', async () => {
  const script = new URL('../../scripts/losses.js', import.meta.url).href
  const { renderLosses } = (await import(script)) as { renderLosses: (tables: object) => string }
  const page = readFileSync(new URL('../../docs/ui-losses.md', import.meta.url), 'utf8')
  expect(page, 'run `npm run losses`').toBe(renderLosses({ 'ai-sdk-ui': aiSdkUi, 'ag-ui': agUi }))
})
