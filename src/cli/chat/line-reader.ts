import { createInterface, type Interface } from 'node:readline'
import { Readable } from 'node:stream'
import { CommandExit } from '../exit-codes.ts'
import type { Terminal } from '../command-io.ts'
import { requireUtf8 } from '../input/input-source.ts'

/** Reads lines from a terminal or a pipe, one at a time. */
export class LineReader {
  readonly isInteractive: boolean
  readonly #lines: string[] = []
  readonly #interface: Interface
  #notifyReader: () => void = () => {}
  #isEnded = false
  #isInterrupted = false
  #inputError: Error | undefined
  /** Controller that Ctrl-C aborts while a response streams. */
  #interruptible: AbortController | undefined

  constructor(terminal: Terminal) {
    const { stdin, stdout, signal } = terminal
    this.isInteractive = stdin.isTTY === true && stdout.isTTY === true
    const input = this.isInteractive ? stdin : Readable.from(requireUtf8(stdin, 'stdin'))
    this.#interface = createInterface({
      input,
      ...(this.isInteractive && { output: stdout }),
      terminal: this.isInteractive,
    })
    this.#interface.on('line', (line) => {
      this.#lines.push(line)
      this.#notifyReader()
    })
    this.#interface.on('close', () => {
      this.#isEnded = true
      this.#notifyReader()
    })
    // Some versions of Node repeat the error of the input on the interface, and throw it without a listener.
    for (const source of [input, this.#interface])
      source.on('error', (error: Error) => {
        this.#inputError = error
        this.#interface.close()
      })
    this.#interface.on('SIGINT', () => this.#interrupt())
    if (signal.aborted) this.#isInterrupted = true
    else signal.addEventListener('abort', () => this.#interrupt(), { once: true })
  }

  /** Runs `act` so that Ctrl-C cancels it without ending the chat. */
  async runInterruptible<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    this.#interruptible = controller
    try {
      return await act(controller.signal)
    } finally {
      this.#interruptible = undefined
    }
  }

  #interrupt(): void {
    if (this.#interruptible !== undefined) return this.#interruptible.abort()
    this.#isInterrupted = true
    this.#notifyReader()
  }

  /** Returns the next line, or `undefined` at the end of the input. */
  async next(prompt: string): Promise<string | undefined> {
    if (this.isInteractive && this.#lines.length === 0 && !this.#isEnded) {
      this.#interface.setPrompt(prompt)
      this.#interface.prompt()
    }
    while (this.#lines.length === 0 && !this.#isEnded && !this.#isInterrupted) {
      await new Promise<void>((resolve) => (this.#notifyReader = resolve))
    }
    if (this.#isInterrupted) throw new CommandExit('interrupted')
    if (this.#lines.length === 0 && this.#inputError !== undefined) throw this.#inputError
    return this.#lines.shift()
  }

  close(): void {
    this.#interface.close()
  }
}
