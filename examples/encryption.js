// @ts-check
// Encryption at rest: each tenant has its own keys, keys are rotated, and a deleted key deletes the data.
import { createKeyring } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = await mkdtemp(join(tmpdir(), 'interlingua-encryption-'))
const path = join(folder, 'chat.db')
const createKey = () => crypto.getRandomValues(new Uint8Array(32)) // in practice, from a secret store
const [oldKey, newKey] = [createKey(), createKey()]

/** @param {Record<string, Uint8Array>} keys @param {string} current */
const open = (keys, current) =>
  sqliteStorage(path, { tenant: 'acme', encryption: { keys: createKeyring({ acme: { current, keys } }) } })

const first = await open({ 2025: oldKey }, '2025')
await first.createSession({ id: 'chat', title: 'The merger' })
await first.append('chat', 'We buy them in May.')
await first.close()
console.log('in clear in the file:', (await readFile(path)).includes('We buy them'))

// The new key becomes the current one. Only the data keys of the sessions are encrypted again.
const second = await open({ 2025: oldKey, 2026: newKey }, '2026')
console.log('sessions with the new key:', await second.rotateKeys?.())
await second.close()

// The old key is not needed any more.
const third = await open({ 2026: newKey }, '2026')
console.log((await third.session('chat'))?.title, (await third.messages('chat')).toText())
await third.close()

// Without its key, the data is lost on purpose.
const last = await open({ 2027: createKey() }, '2027')
await last.messages('chat').catch((error) => console.log(error.code, error.message))
await last.close()
await rm(folder, { recursive: true })

/* prints:
in clear in the file: false
sessions with the new key: 1
The merger We buy them in May.
missing-key The keyring does not have the encryption key "2026" of the tenant "acme"
*/
