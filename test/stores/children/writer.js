// @ts-check
// Appends messages forever, and prints each id once it is acknowledged. Arguments: build, backend, place, session.
import { openStorage } from './open.js'

const [, , built = '', backend = '', at = '', session = ''] = process.argv
const { createId, user } = await import(`${built}/index.js`)
const storage = await openStorage(built, backend, at)
for (let count = 0; ; count++) {
  const id = createId('msg')
  await storage.append(session, [user(`Message ${count} of ${process.pid}`, { id }), user('and its shadow')])
  process.stdout.write(`${id}\n`)
}
