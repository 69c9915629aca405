import { expect, test } from 'vitest'
import { loadOptionalPackage } from '../../src/wire/load-modules.ts'

test('a missing package is named, with the install command', async () => {
  const missing = '@interlingua/never-published'
  const load = (): Promise<unknown> => import(/* @vite-ignore */ missing)
  await expect(loadOptionalPackage(missing, load)).rejects.toMatchObject({
    code: 'missing-package',
    hint: `Install the package: npm install ${missing}`,
  })
})

test('the error of an installed package is thrown unchanged', async () => {
  const broken = new Error('built for another system')
  await expect(loadOptionalPackage('broken', () => Promise.reject(broken))).rejects.toBe(broken)
})
