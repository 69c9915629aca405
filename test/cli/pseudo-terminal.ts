import {
  type ChildProcessWithoutNullStreams,
  spawn,
  spawnSync,
  type SpawnSyncOptions,
} from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { CHILD_LIMIT_MS } from './compiled-cli.ts'

/** Runs a command line in a pseudo-terminal through another program, since Node has none. */
type Lender = (line: string) => readonly [command: string, ...words: string[]]

const PYTHON = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'

/** A program that asks for input must not wait for it. */
const PROBE: SpawnSyncOptions = { stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 }

function lender(): Lender | undefined {
  const script = spawnSync('script', ['--version'], PROBE)
  // Other implementations of `script` have different options.
  if (script.error === undefined && String(script.stdout).includes('util-linux'))
    return (line) => ['script', '-qec', line, '/dev/null']
  const python = spawnSync('python3', ['-c', 'import pty'], PROBE)
  return python.status === 0 ? (line) => ['python3', '-c', PYTHON, 'sh', '-c', line] : undefined
}

const borrowed = lender()

/** True if a pseudo-terminal is available. */
export const hasPseudoTerminal: boolean = borrowed !== undefined

/** A program in a pseudo-terminal, and its output. */
export class PseudoTerminal {
  readonly #child: ChildProcessWithoutNullStreams
  #seen = ''
  #wake: () => void = () => {}
  readonly ended: Promise<number | null>

  constructor(line: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const [command, ...words] = borrowed?.(line) ?? ['false']
    const env = { ...options.env, TERM: 'xterm' }
    this.#child = spawn(command, words, { ...options, env, timeout: CHILD_LIMIT_MS })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#seen += text
      this.#wake()
    })
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        this.#wake()
        resolve(code)
      })
    })
  }

  /** Returns the output since the last call, up to and including the match. */
  async until(wanted: RegExp): Promise<string> {
    for (;;) {
      const plain = stripVTControlCharacters(this.#seen)
      const found = wanted.exec(plain)
      if (found !== null) {
        this.#seen = plain.slice(found.index + found[0].length)
        return plain.slice(0, found.index + found[0].length)
      }
      if (this.#child.exitCode !== null) throw new Error(`ended before ${String(wanted)}:\n${plain}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  type(text: string): void {
    this.#child.stdin.write(text)
  }

  kill(): void {
    this.#child.kill()
  }
}
