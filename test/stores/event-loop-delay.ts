import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

const RESOLUTION_MS = 5

/** Measures the delay of an idle thread between two messages. */
const CONTROL_CODE = `
const { monitorEventLoopDelay } = require('node:perf_hooks')
const { parentPort } = require('node:worker_threads')
const delay = monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} })
delay.enable()
parentPort.on('message', () => {
  parentPort.postMessage(delay.max)
  delay.reset()
})
`

/** The longest delays of an operation, in milliseconds. */
export interface EventLoopDelays {
  /** Of the event loop that runs the operation. */
  readonly own: number
  /** Of the event loop of an idle thread at the same time: what other processes of the machine cause. */
  readonly control: number
}

/**
 * Measures how long operations keep the event loop from other work. The clock alone would count the time in which the
 * machine runs other processes, so the same is measured in a thread that does nothing.
 */
export class EventLoopMonitor {
  readonly #control = new Worker(CONTROL_CODE, { eval: true })

  async #readControl(): Promise<number> {
    const answer = new Promise<number>((resolve) => this.#control.once('message', resolve))
    this.#control.postMessage('read')
    return toMilliseconds(await answer)
  }

  async measure(run: () => Promise<unknown>): Promise<EventLoopDelays> {
    await this.#readControl() // starts a new measurement
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    delay.enable()
    await setTimeout(2 * RESOLUTION_MS)
    delay.reset()
    await run()
    await setImmediate()
    await setTimeout(2 * RESOLUTION_MS) // a block at the end is seen by the next tick
    delay.disable()
    return { own: toMilliseconds(delay.max), control: await this.#readControl() }
  }

  async close(): Promise<void> {
    await this.#control.terminate()
  }
}

/** An idle loop has a delay of one resolution. */
function toMilliseconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
}
