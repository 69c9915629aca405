// `npm run test:agents`: real agent programs finish a task through the gateway, with the double of every provider.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from 'interlingua/gateway/node'
import { mockProvider } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { SIGNERS } from '../gateway/signed-answer.ts'
import { createTestConfig, DIALECTS, TARGETS } from '../gateway/upstreams.ts'
import { AGENT_PROGRAMS, type AgentProgram } from './agent-programs.ts'
import { createTaskModel, SIGNATURE, TASK_FILE, TASK_TEXT } from './task-model.ts'

const BIN = join(import.meta.dirname, '../../tools/agents/node_modules/.bin')
const isAsked = process.env['AGENTS'] !== undefined
const TIMEOUT_MS = 240_000

/** Runs a program in folders of its own, and returns its exit code and output. */
async function run(
  { command, prepare, env, args }: AgentProgram,
  url: string,
  model: string,
  folder: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  await mkdir(home)
  await mkdir(work)
  await prepare(home, url, model)
  const child = spawn(join(BIN, command), args('Write the answer into a file.', model), {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    // Nothing of the environment of the tests: no keys, no proxies.
    env: { PATH: process.env['PATH'], HOME: home, TERM: 'dumb', ...env(url, model) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}

describe.skipIf(!isAsked).each(AGENT_PROGRAMS)('$name', (program) => {
  describe.skipIf(!existsSync(join(BIN, program.command))).each(program.models)('%s', (model) => {
    test.each(DIALECTS)(
      'finishes a task on %s',
      async (upstream) => {
        const tools = new Set<string>()
        const mock = mockProvider({
          model: createTaskModel(upstream, (names) => names.forEach((name) => tools.add(name))),
        })
        const routes = [{ model: '*', to: TARGETS[upstream] }]
        const server = await startGateway({ ...createTestConfig(mock), routes }, { port: 0 })
        const folder = await mkdtemp(join(tmpdir(), 'interlingua-agent-'))
        try {
          const { code, output } = await run(program, server.url, model, folder)
          const written = await readFile(join(folder, 'work', TASK_FILE), 'utf8').catch(() => '')
          const problems = mock.requests.flatMap((request) => request.problems)
          const details = `${output.slice(-2000)}\ntools: ${[...tools].join()}\n${JSON.stringify(problems).slice(0, 2000)}`
          expect([code, written.trim()], details).toEqual([0, TASK_TEXT])
          expect(output).toContain('Done.')
          const last = mock.requests.at(-1)
          if (upstream in SIGNERS) expect(JSON.stringify(last?.body)).toContain(SIGNATURE)
        } finally {
          await server.close(0)
          await rm(folder, { recursive: true, force: true })
        }
      },
      TIMEOUT_MS + 60_000,
    )
  })
})
