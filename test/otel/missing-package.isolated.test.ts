import { user } from 'interlingua'
import { tracing } from 'interlingua/otel'
import { scripted, wrapModel } from 'interlingua/providers'
import { expect, test, vi } from 'vitest'

vi.mock('@opentelemetry/api', () => {
  throw Object.assign(new Error('no such package'), { code: 'ERR_MODULE_NOT_FOUND' })
})

test('without the package the error names the package to install', async () => {
  const model = wrapModel(scripted(['Hi', 'Hi']), tracing())
  const missing = { code: 'missing-package', hint: 'Install the package: npm install @opentelemetry/api' }
  await expect(model.generate({ messages: [user('Hi')] })).rejects.toMatchObject(missing)
  await expect(model.stream({ messages: [user('Hi')] }).reply).rejects.toMatchObject(missing)
})
