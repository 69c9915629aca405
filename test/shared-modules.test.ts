import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('only isolated test files replace modules: others share theirs with the files that follow', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const replacing = files.filter(
    (file) =>
      /(?<!\.isolated\.test)\.ts$/.test(file) &&
      /\bvi\.(?:resetModules|mock|doMock)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  )
  expect(replacing).toEqual([])
})
