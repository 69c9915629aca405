import { join } from 'node:path'
import { readParquetRows } from 'interlingua/node'
import { expect, test, vi } from 'vitest'

vi.mock('hyparquet', () => {
  throw Object.assign(new Error('no such package'), { code: 'ERR_MODULE_NOT_FOUND' })
})

test('without the package the error contains the command that installs it', async () => {
  const rows = readParquetRows(join(import.meta.dirname, 'samples/train.parquet'))
  await expect(rows.next()).rejects.toMatchObject({
    code: 'missing-package',
    hint: 'Install the package: npm install hyparquet',
  })
})
