// @ts-check
// Runs conversations as told by lines of JSON on stdin, and prints how each call ended. Arguments: build, backend, place, folder.
// The tool appends a line to `<folder>/effects`, and works until the file `<folder>/<session>` exists.
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { openStorage } from './open.js'

const [, , built = '', backend = '', at = '', folder = ''] = process.argv
const { textOf, toolCall } = await import(`${built}/index.js`)
const { Agent, tool } = await import(`${built}/agent/index.js`)
const { scripted } = await import(`${built}/providers/index.js`)
const { Conversation } = await import(`${built}/stores/index.js`)

const storage = await openStorage(built, backend, at)

/** @param {string} session */
const agentOf = (session) =>
  new Agent({
    model: scripted((/** @type {{ messages: Iterable<{ role: string }> }} */ { messages }) => {
      const last = [...messages].at(-1)
      if (last?.role === 'tool') return 'Done.'
      return textOf(last).startsWith('Work') ? toolCall({ id: 'c1', name: 'work' }) : 'Yes.'
    }),
    tools: [
      tool({
        name: 'work',
        needsApproval: session.startsWith('approve'),
        run: async () => {
          appendFileSync(join(folder, 'effects'), `${session}\n`)
          while (!existsSync(join(folder, session))) await setTimeout(10)
          return 'worked'
        },
      }),
    ],
  })

/** @param {{ id: number, session: string, call: string, given: unknown[], options?: object }} line */
async function run({ id, session, call, given, options }) {
  const conversation = new Conversation({ agent: agentOf(session), storage, session, ...options })
  const ended = await conversation[call](...given).then(
    (/** @type {{ text: string, finish: { reason: string } } | undefined} */ result) =>
      result?.finish.reason === 'approval' ? 'approval' : (result?.text ?? 'nothing'),
    (/** @type {{ code: string }} */ { code }) => code,
  )
  process.stdout.write(`${JSON.stringify({ id, ended })}\n`)
}

for await (const line of createInterface({ input: process.stdin })) void run(JSON.parse(line))
