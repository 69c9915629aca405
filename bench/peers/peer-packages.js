// @ts-check
// The libraries that the benchmarks compare with. They are installed in this folder on first use and are no dependencies of the
// package. Modules in this folder are the only ones that can import them.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Several peers do not run on older versions. */
const MIN_NODE = 22
const NODE_PACKAGE = 'node@24'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Whether the peers run on this Node version. */
export const supportsPeers = () => Number(process.versions.node.split('.')[0]) >= MIN_NODE

/** Installs the peers with the versions of the lockfile if they are not installed. */
export function installPeers() {
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return
  console.error('Installing the peers (once) …')
  const { status } = spawnSync('npm', ['ci', '--silent'], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`\`npm ci\` in ${folder} failed`)
}

/**
 * Runs the current script again on a Node version that the peers support, and exits with its status. Returns if this is one,
 * or if the arguments contain `--this-node`.
 */
export function runOnPeerNode() {
  if (supportsPeers() || process.argv.includes('--this-node')) return
  const args = ['-y', '-p', NODE_PACKAGE, 'node', ...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  process.exit(status ?? 1)
}

/**
 * Imports a peer, or a module of it. The result has no types: the peers are not installed when types are checked.
 * @param {string} specifier
 */
export const importPeer = (specifier) => import(specifier)

/**
 * Returns the installed version of a package, or undefined.
 * @param {string} name
 * @returns {string | undefined}
 */
export function readPeerVersion(name) {
  const file = `${folder}/node_modules/${name}/package.json`
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}
