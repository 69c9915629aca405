// @ts-check
// How long conversations are kept: an expiry per session, pruning with an archive, and forgetting a user.
import { memoryStorage } from 'interlingua/stores'

const storage = memoryStorage()
await storage.createSession({ id: 'trial', expiresAt: '2020-01-01T00:00:00Z' })
for (const user of ['ada', 'bob']) {
  await storage.createSession({ id: `chat of ${user}`, labels: [`user ${user}`] })
  await storage.append(`chat of ${user}`, [`Hello from ${user}`, 'And more'])
}

// Expired sessions are deleted by every prune.
const expired = await storage.prune()
console.log(
  'expired:',
  expired.deleted.map(({ id }) => id),
)

// Old sessions go to the archive first. A session whose archive fails is kept.
/** @type {string[]} */
const archived = []
const pruned = await storage.prune({
  keepLast: 1, // or olderThan: a time
  archive: async (session, lines) => {
    let count = 0
    for await (const _line of lines) count += 1 // write them to a file; importSession() reads them
    archived.push(`${count} lines`)
  },
})
console.log('pruned:', pruned.sessionCount, 'sessions,', pruned.messageCount, 'messages,', archived)

// A fork keeps the messages that it shares, and the receipt names it.
await storage.fork('chat of bob', { id: 'fork', labels: [] })
const receipt = await storage.forget({ label: 'user bob' })
console.log(
  'forgotten:',
  receipt.deleted.map(({ id, keptBy }) => ({ id, keptBy })),
)
console.log('all:', (await storage.forget({ tenant: storage.tenant })).sessionCount)

/* prints:
expired: [ 'trial' ]
pruned: 1 sessions, 2 messages, [ '3 lines' ]
forgotten: [ { id: 'chat of bob', keptBy: [ 'fork' ] } ]
all: 1
*/
