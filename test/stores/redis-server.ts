import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Redis server that a test started. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  /** Sends a signal to the process, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void
  /** Ends the process at once; its data stays. */
  kill(): Promise<void>
  /** Starts it again on the same port with the same data. */
  restart(): Promise<void>
  /** Ends the process and removes its data. */
  stop(): Promise<void>
}

// A test run that is interrupted must not leave servers behind.
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Returns the server program of this machine, if there is one. */
export function findRedisProgram(): string | undefined {
  const programs = ['redis-server', 'valkey-server']
  return programs.find((program) => spawnSync(program, ['--version']).status === 0)
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Starts a server on a free port, in a folder of its own. With `durable`, it waits for the disk. */
export async function startRedis(
  options: { readonly durable?: boolean; readonly settings?: readonly string[] } = {},
): Promise<RedisServer> {
  const program = findRedisProgram()
  if (program === undefined) throw new Error('redis-server is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-redis-'))
  const port = await findFreePort()
  const place = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--repl-diskless-sync-delay',
    '0',
  ]
  const disk = options.durable === true ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  const start = async (): Promise<void> => {
    const started = spawn(program, [...place, ...disk, ...(options.settings ?? [])], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child = started
    running.add(started)
    started.on('close', () => running.delete(started))
    ended = new Promise((resolve) => started.on('close', resolve).on('error', resolve))
    await waitUntilReady(started)
  }
  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL')
    await ended
  }
  const stop = async (): Promise<void> => {
    await kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  const signal = (name: NodeJS.Signals): void => void child?.kill(name)
  return { url: `redis://127.0.0.1:${port}`, port, signal, kill, restart: start, stop }
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 10_000) output += text
      if (/ready to accept connections/i.test(output)) resolve()
    })
    child.on('error', reject)
    child.on('close', () => reject(new Error(`The Redis server ended: ${output}`)))
  })
}
