// @ts-check
// A worker that dies while a tool runs, or one that keeps running. Arguments: build, database, effects, mode (start or wait).
import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openStorage } from './open.js'

const [, , built = '', url = '', effects = '', mode = ''] = process.argv
const { toolCall } = await import(`${built}/index.js`)
const { Agent, tool } = await import(`${built}/agent/index.js`)
const { scripted } = await import(`${built}/providers/index.js`)
const { Conversation } = await import(`${built}/stores/index.js`)
const { durableWorker } = await import(`${built}/stores/dbos/index.js`)

/** @param {string} line */
const note = (line) => appendFileSync(effects, `${line}\n`)

/**
 * @param {string} name
 * @param {object} options
 */
const noting = (name, options = {}) =>
  tool({
    name,
    ...options,
    run: async () => {
      note(name)
      if (mode === 'start' && name !== 'quick') await setTimeout(60_000)
      return `${name} is done`
    },
  })

const model = scripted((/** @type {{ messages: Iterable<{ role: string }> }} */ { messages }) => {
  const rounds = [...messages].filter(({ role }) => role === 'tool').length
  note(`asked ${rounds}`)
  if (rounds === 0) return toolCall({ id: 'c1', name: 'quick' })
  if (rounds > 1) return 'All is done.'
  return ['careful', 'repeatable'].map((name, index) => toolCall({ id: `c${index + 2}`, name }))
})
const agent = new Agent({
  model,
  tools: [noting('quick'), noting('careful'), noting('repeatable', { idempotent: true })],
})
const storage = await openStorage(built, 'postgres', url)
const worker = await durableWorker({
  url,
  workerId: mode,
  leaseMs: 1_500,
  open: (/** @type {string} */ session) => new Conversation({ agent, storage, session }),
})
if (mode === 'start') {
  await storage.createSession({ id: 'session' })
  await worker.send('session', 'Do it.', { id: 'the-run' })
} else {
  console.log((await worker.run('the-run').result()).text)
  await worker.close()
  await storage.close()
}
