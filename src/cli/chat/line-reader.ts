import { createInterface, type Interface } from 'node:readline'
import { Exit } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

/** Lines that someone types, or that are piped in, one after the other. */
export class LineReader {
  readonly interactive: boolean
  readonly #lines: string[] = []
  readonly #interface: Interface
  #wake: () => void = () => {}
  #ended = false
  #interrupted = false
  /** What Ctrl-C ends, while something is at work. */
  #working: AbortController | undefined

  constructor(terminal: Terminal) {
    const { stdin, stdout, signal } = terminal
    this.interactive = stdin.isTTY === true && stdout.isTTY === true
    this.#interface = createInterface({
      input: stdin,
      ...(this.interactive && { output: stdout }),
      terminal: this.interactive,
    })
    this.#interface.on('line', (line) => {
      this.#lines.push(line)
      this.#wake()
    })
    this.#interface.on('close', () => {
      this.#ended = true
      this.#wake()
    })
    this.#interface.on('SIGINT', () => this.#interrupt())
    if (signal.aborted) this.#interrupted = true
    else signal.addEventListener('abort', () => this.#interrupt(), { once: true })
  }

  /** Runs something that Ctrl-C ends without ending the chat. */
  async working<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    this.#working = controller
    try {
      return await act(controller.signal)
    } finally {
      this.#working = undefined
    }
  }

  #interrupt(): void {
    if (this.#working !== undefined) return this.#working.abort()
    this.#interrupted = true
    this.#wake()
  }

  /** The next line; nothing at the end. */
  async next(prompt: string): Promise<string | undefined> {
    if (this.interactive && this.#lines.length === 0 && !this.#ended) {
      this.#interface.setPrompt(prompt)
      this.#interface.prompt()
    }
    while (this.#lines.length === 0 && !this.#ended && !this.#interrupted) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    if (this.#interrupted) throw new Exit('interrupted')
    return this.#lines.shift()
  }

  close(): void {
    this.#interface.close()
  }
}
