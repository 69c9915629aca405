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
 * Bundles the package for tests that start processes, because Node 20 does not run TypeScript. Returns the folder of its
 * modules.
 */
export async function builtFolder(): Promise<string> {
  const folder = await buildOnce('built', async (draft) => {
    await symlink(join(root, 'node_modules'), join(draft, 'node_modules'))
    // The command line reads its version from it.
    await copyFile(join(root, 'package.json'), join(draft, 'package.json'))
    // A child process of the tests holds a lock, which is no entry of the package.
    await runScript('bundle-package.js', join(draft, 'dist'), 'stores/jsonl/file-lock')
  })
  return join(folder, 'dist')
}

/** Builds the page of the studio. Returns its folder. */
export function builtStudioPage(): Promise<string> {
  return buildOnce('studio', (draft) => runScript('build-studio.js', draft))
}

async function runScript(name: string, ...words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts', name), ...words], { cwd: root })
}

/** Builds into a folder that the test files of a run share: the first one that needs it starts the build. */
async function buildOnce(name: string, build: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(inject('runFolder'), name)
  await mkdir(inject('runFolder'), { recursive: true })
  const isFirst = await mkdir(`${folder}.started`).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await mkdir(`${folder}.draft`)
    await build(`${folder}.draft`)
    await rename(`${folder}.draft`, folder)
  }
  for (let waited = 0; !existsSync(folder); waited += 100) {
    if (waited > 300_000) throw new Error('The build did not finish within five minutes')
    await setTimeout(100)
  }
  return folder
}
