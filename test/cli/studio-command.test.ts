import { chmod } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Folder, type RunOptions, withServer } from './run-command.ts'

/** The command that opens a browser on Linux: this one writes down the URL. */
const BROWSER = '#!/bin/sh\necho "$1" >> "$(dirname "$0")/opened.txt"\n'

afterEach(() => vi.unstubAllEnvs())

test.runIf(process.platform === 'linux')(
  'the studio prints one URL, and opens it only for a person at a terminal who did not refuse',
  async () => {
    await using folder = await Folder.with({ 'xdg-open': BROWSER, 'opened.txt': '' })
    await chmod(folder.at('xdg-open'), 0o755)
    vi.stubEnv('PATH', `${folder.path}${delimiter}${process.env['PATH'] ?? ''}`)
    const start = async (words: readonly string[], run: RunOptions, isOpened = false): Promise<void> => {
      const { stdout } = await withServer(
        ['studio', ...words],
        async (url) => {
          expect((await fetch(url)).status).toBe(200)
          if (isOpened) await expect.poll(() => folder.read('opened.txt')).toContain(url)
        },
        { folder: folder.path, ...run },
      )
      expect(stdout).toMatch(/^The studio is open at http:\S+\n$/)
      const [printed = ''] = /http:\S+/.exec(stdout) ?? []
      expect(await folder.read('opened.txt')).toBe(isOpened ? `${printed}\n` : '')
    }
    await start([], { tty: false })
    await start([], { tty: true, environment: { CI: 'true' } })
    await start(['--no-open'], { tty: true })
    await start([], { tty: true }, true)
  },
)
