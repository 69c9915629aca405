// @ts-check
// Starts the programs of the checks.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @typedef {{ ok: boolean, stdout: string, output: string }} Run */

// The npm that runs this script exports its configuration (--dry-run, --global, …) to child processes; only
// what is needed to reach a registry is passed on.
const passedOn =
  /^npm_config_(registry|cache|(user|global)config|cafile|strict_ssl|(prefer_)?offline|(https_|no)?proxy|@.+|\/\/.+)$/i

const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([key]) => key !== 'NODE_OPTIONS' && key !== 'NODE_PATH' && (!/^npm_/i.test(key) || passedOn.test(key)),
  ),
)

/**
 * Runs a command and never rejects: a command that cannot start is a failed run.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<Run>}
 */
export function run(command, args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve) => {
    let stdout = ''
    let output = ''
    const child = spawn(command, args, {
      cwd,
      env: { ...cleanEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 600_000,
    })
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk
      output += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ ok: false, stdout, output: output + error.message }))
    child.on('close', (code, signal) => {
      resolve({ ok: code === 0, stdout, output: signal ? `${output}\nkilled by ${signal}` : output })
    })
  })
}

/** @type {(...parameters: Parameters<typeof run>) => Promise<string>} */
export async function must(command, args, options) {
  const { ok, stdout, output } = await run(command, args, options)
  if (!ok) throw new Error(output || `${command} failed without output`)
  return stdout
}
