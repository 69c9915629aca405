import { spawnSync } from 'node:child_process'
import type { Reporter, TestModule } from 'vitest/node'

/** Longer than the time limit of a test and its hooks together: what a limit can end has ended before. */
const SILENT_MS = (process.env['SOAK'] ? 60 : 8) * 60_000

/**
 * Ends a run in which a test file neither goes on nor fails, and prints its name. No time limit of a test can do
 * that: an endless loop blocks the worker that would have to notice, and loading a file has no limit.
 */
export class StuckFilesReporter implements Reporter {
  readonly #running = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  onTestModuleQueued(module: TestModule): void {
    this.#running.add(module.relativeModuleId)
    this.#restart()
  }

  onTestCaseResult(): void {
    this.#restart()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId)
    this.#restart()
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer)
  }

  #restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      console.error(`no result for ${SILENT_MS / 60_000} minutes; running: ${[...this.#running].join(', ')}`)
      // A worker in an endless loop would outlive the run.
      spawnSync('pkill', ['-KILL', '-P', String(process.pid)])
      process.exit(1)
    }, SILENT_MS)
  }
}
