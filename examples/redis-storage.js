// @ts-check
// Conversations in Redis: two storages, as in two processes, write to the same session.
// Needs the package `redis` and a server; set REDIS_URL if it is not on this machine.
import { textOf } from 'interlingua'
import { redisStorage } from 'interlingua/stores/redis'

const url = process.env['REDIS_URL'] ?? 'redis://localhost'
const one = await redisStorage({ url }, { tenant: 'example' })
const other = await redisStorage({ url }, { tenant: 'example' })

await one.deleteSession('weather') // from an earlier run
await one.createSession({ id: 'weather', title: 'Weather' })

// Both append at the same time: the later one reads again and follows the earlier one.
await Promise.all([one.append('weather', 'How warm is it?'), other.append('weather', 'And tomorrow?')])
const messages = await other.messages('weather')
console.log([...messages].map((message) => textOf(message)).toSorted())

// A compare-and-swap: only one of two writers that expect the same head succeeds.
const expectedHead = (await one.head('weather')) ?? null
const outcomes = await Promise.allSettled([
  one.append('weather', 'Thanks.', { expectedHead }),
  other.append('weather', 'Bye.', { expectedHead }),
])
console.log(outcomes.map(({ status }) => status).toSorted())
console.log(await one.verify('weather'))

await one.close()
await other.close()

/* prints:
[ 'And tomorrow?', 'How warm is it?' ]
[ 'fulfilled', 'rejected' ]
[]
*/
