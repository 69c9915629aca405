// @ts-check
// Appends until the disk is full, then a small message; prints the number of stored messages and the error. Arguments: build, place.
import { openStorage } from './open.js'

const [, , built = '', at = ''] = process.argv
const storage = await openStorage(built, 'jsonl', at)
await storage.createSession({ id: 's' })
let stored = 0
/** @type {{ code: string, message: string } | undefined} */
let error
while (error === undefined) {
  try {
    await storage.append('s', 'x'.repeat(20_000))
    stored++
  } catch (reason) {
    error = reason
  }
}
await storage.append('s', 'Small')
await storage.close()
console.log(JSON.stringify({ stored, error: { code: error.code, message: error.message } }))
