import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { runCommandLine } from '../../src/cli/program.ts'
import type { OutputStream, Terminal } from '../../src/cli/command-io.ts'

/** The result of a command. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Standard input. */
  readonly input?: string | AsyncIterable<string> | Readable
  readonly environment?: Terminal['environment']
  readonly folder?: string
  readonly signal?: AbortSignal
  /** Gets the listener of a command that stays alive after SIGHUP. */
  readonly onHangup?: Terminal['onHangup']
  /** True if the outputs are a terminal. */
  readonly tty?: boolean
  /** Called with each piece of standard output. */
  readonly onOutput?: (text: string) => void
}

/** Runs a command line in this process with its own streams. */
export async function interlingua(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input = '', environment = {}, folder = tmpdir(), tty = false } = options
  const screen = (): PassThrough & OutputStream =>
    Object.assign(new PassThrough(), { isTTY: tty, columns: 80 })
  const [stdout, stderr] = [screen(), screen()]
  const texts = [gathered(stdout, options.onOutput), gathered(stderr)]
  const code = await runCommandLine(words, {
    stdin: stdinOf(input),
    stdout,
    stderr,
    environment: { HOME: folder, INTERLINGUA_STORE: join(folder, 'store.jsonl'), ...environment },
    folder,
    signal: options.signal ?? new AbortController().signal,
    ...(options.onHangup && { onHangup: options.onHangup }),
  })
  stdout.end()
  stderr.end()
  const [out = '', err = ''] = await Promise.all(texts)
  return { code, stdout: out, stderr: err }
}

/** Runs a command that starts a server, on a free port, until the work with its URL is done. */
export async function withServer(
  words: readonly string[],
  work: (url: string) => Promise<void>,
  options: RunOptions = {},
): Promise<Ran> {
  const stop = new AbortController()
  let printed = ''
  let announce: (url: string) => void = () => {}
  const listening = new Promise<string>((resolve) => (announce = resolve))
  const onOutput = (text: string): void => {
    printed += text
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?!\d)/.exec(printed) ?? []
    if (url !== undefined) announce(url)
  }
  const running = interlingua([...words, '--port', '0'], { ...options, signal: stop.signal, onOutput })
  const failed = running.then(({ stderr }) => Promise.reject(new Error(`The server has ended: ${stderr}`)))
  try {
    await work(await Promise.race([listening, failed]))
  } finally {
    stop.abort()
  }
  return running
}

function stdinOf(input: NonNullable<RunOptions['input']>): Readable {
  if (input instanceof Readable) return input
  return Readable.from(typeof input === 'string' ? [Buffer.from(input)] : bytesOf(input))
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield Buffer.from(piece)
}

async function gathered(stream: PassThrough, onText: (text: string) => void = () => {}): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    onText(String(chunk))
  }
  return text
}

/** A temporary folder with files. */
export class Folder implements AsyncDisposable {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async with(files: { readonly [name: string]: string } = {}): Promise<Folder> {
    const folder = new Folder(await mkdtemp(join(tmpdir(), 'interlingua-cli-')))
    for (const [name, text] of Object.entries(files)) await writeFile(folder.at(name), text)
    return folder
  }

  at(name: string): string {
    return join(this.path, name)
  }

  read(name: string): Promise<string> {
    return readFile(this.at(name), 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}
