// @ts-check
// Runs a conversation whose tools append each effect as a line to a file. Arguments: build, place, effects, slow.
// With `slow`, two of the tools never finish.
import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openStorage } from './open.js'

const [, , built = '', at = '', effects = '', pace = ''] = process.argv
const { toolCall } = await import(`${built}/index.js`)
const { Agent, tool } = await import(`${built}/agent/index.js`)
const { scripted } = await import(`${built}/providers/index.js`)
const { Conversation } = await import(`${built}/stores/index.js`)

/** @param {string} line */
const note = (line) => appendFileSync(effects, `${line}\n`)

/**
 * @param {string} name
 * @param {{ slow: boolean, idempotent?: boolean }} options
 */
const noting = (name, { slow, ...options }) =>
  tool({
    name,
    ...options,
    /** @type {(input: unknown, context: { call: { id: string } }) => Promise<string>} */
    run: async (_input, { call }) => {
      note(`${name} ${call.id}`)
      if (slow) await setTimeout(60_000)
      return `${name} is done`
    },
  })

// The response depends only on the conversation, so any process can request it.
const model = scripted((/** @type {{ messages: Iterable<{ role: string }> }} */ { messages }) => {
  const rounds = [...messages].filter(({ role }) => role === 'tool').length
  note(`asked ${rounds}`)
  if (rounds === 0) return toolCall({ id: 'c1', name: 'quick' })
  if (rounds > 1) return 'All is done.'
  return ['quick', 'careful', 'repeatable'].map((name, index) => toolCall({ id: `c${index + 2}`, name }))
})
const slow = pace === 'slow'
const tools = [
  noting('quick', { slow: false }),
  noting('careful', { slow }),
  noting('repeatable', { slow, idempotent: true }),
]
const storage = await openStorage(built, 'sqlite', at)
const conversation = new Conversation({ agent: new Agent({ model, tools }), storage, session: 'session' })
if ((await storage.session('session')) === undefined) {
  await storage.createSession({ id: 'session' })
  await conversation.send('Do it.')
} else {
  const result = await conversation.resume()
  console.log(result?.text ?? 'nothing')
}
await storage.close()
