import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run: here the first test that needs a server or a build leaves it for the others. */
    readonly runFolder: string
    /** The process of the run: what is started for it ends with it, however it ends. */
    readonly runProcess: number
  }
}

/** Starts nothing and makes nothing: whoever needs a server first starts it for all. Nothing of it outlives the run. */
export function setup({ provide }: TestProject): () => Promise<void> {
  const folder = join(tmpdir(), `interlingua-run-${randomUUID()}`)
  provide('runFolder', folder)
  provide('runProcess', process.pid)
  return async () => {
    const told = join(folder, 'server.json')
    if (existsSync(told)) {
      const { pid } = JSON.parse(await readFile(told, 'utf8')) as { pid?: number }
      if (pid !== undefined) process.kill(pid, 'SIGTERM')
    }
    await rm(folder, { recursive: true, force: true })
  }
}
