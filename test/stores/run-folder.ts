import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder shared by the test files of this run, for a server or a build that the first one creates. */
    readonly runFolder: string
    /** The process of the run; everything started for it ends with it. */
    readonly runProcess: number
  }
}

/** Only sets the folder: the first test that needs a server starts it for all. Nothing outlives the run. */
export function setup({ provide }: TestProject): () => Promise<void> {
  const folder = join(tmpdir(), `interlingua-run-${randomUUID()}`)
  provide('runFolder', folder)
  provide('runProcess', process.pid)
  return async () => {
    const serverFile = join(folder, 'server.json')
    if (existsSync(serverFile)) {
      const { pid } = JSON.parse(await readFile(serverFile, 'utf8')) as { pid?: number }
      if (pid !== undefined) process.kill(pid, 'SIGTERM')
    }
    await rm(folder, { recursive: true, force: true })
  }
}
