import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, root } from './pages.ts'

test.each(pages)('$path links only to files that exist', ({ path, text }) => {
  const targets = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target)
  const relative = targets.filter((target) => !/^[a-z]+:/.test(target))
  expect(relative.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([])
})
