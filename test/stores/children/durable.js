// @ts-check
// A durable worker that starts the runs named on stdin, one `session run` per line. Arguments: build, database, effects.
// Every run of a tool appends the run and the call to the file of effects.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { openStorage } from './open.js'

const [, , built = '', url = '', effects = ''] = process.argv
const { textOf, toolCall } = await import(`${built}/index.js`)
const { Agent, tool } = await import(`${built}/agent/index.js`)
const { scripted } = await import(`${built}/providers/index.js`)
const { Conversation } = await import(`${built}/stores/index.js`)
const { durableWorker } = await import(`${built}/stores/dbos/index.js`)

/** @param {string} name */
const noting = (name, options = {}) =>
  tool({
    name,
    ...options,
    /** @type {(input: unknown, context: { call: { id: string } }) => Promise<string>} */
    run: async (_input, { call }) => {
      appendFileSync(effects, `${call.id} ${process.pid}\n`)
      await setTimeout(Math.random() * 200)
      return `${name} is done`
    },
  })

// The response depends only on the conversation: two rounds of calls, whose ids contain the id of the run.
const model = scripted(async (/** @type {{ messages: Iterable<{ role: string }> }} */ { messages }) => {
  await setTimeout(Math.random() * 50)
  const all = [...messages]
  const start = all.findLastIndex(({ role }) => role === 'user')
  const rounds = all.slice(start).filter(({ role }) => role === 'tool').length
  const run = textOf(all[start])
  if (rounds === 0) return toolCall({ id: `${run}.1`, name: 'careful' })
  if (rounds > 1) return `${run} is done.`
  return ['careful', 'repeatable'].map((name, index) => toolCall({ id: `${run}.${index + 2}`, name }))
})
const agent = new Agent({ model, tools: [noting('careful'), noting('repeatable', { idempotent: true })] })
const storage = await openStorage(built, 'postgres', url)
const worker = await durableWorker({
  url,
  leaseMs: 2_000,
  open: (/** @type {string} */ session) => new Conversation({ agent, storage, session, leaseMs: 1_500 }),
})
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const [session = '', run = ''] = line.split(' ')
  await worker.send(session, run, { id: run })
}
