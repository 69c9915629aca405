import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import type {} from './run-folder.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Bundles the package for tests that start processes, because Node 20 does not run TypeScript.
 * Built once per run, by the first test that needs it.
 */
export async function builtFolder(): Promise<string> {
  const folder = join(inject('runFolder'), 'built')
  await mkdir(inject('runFolder'), { recursive: true })
  const first = await mkdir(`${folder}.started`).then(
    () => true,
    () => false,
  )
  if (first) {
    const script = join(root, 'scripts/bundle-package.js')
    await mkdir(`${folder}.draft`)
    await symlink(join(root, 'node_modules'), `${folder}.draft/node_modules`)
    // The command line reads its version from it.
    await copyFile(join(root, 'package.json'), `${folder}.draft/package.json`)
    // A child process of the tests holds a lock, which is no entry of the package.
    const args = [script, `${folder}.draft/dist`, 'stores/jsonl/file-lock']
    await promisify(execFile)(process.execPath, args)
    await rename(`${folder}.draft`, folder)
  }
  for (let waited = 0; !existsSync(folder); waited += 100) {
    if (waited > 300_000) throw new Error('The build did not finish within five minutes')
    await setTimeout(100)
  }
  return join(folder, 'dist')
}
