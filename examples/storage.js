// @ts-check
// Conversations in SQLite: syncing a complete history writes only new messages, and a fork copies nothing.
import { assistant, dialects } from 'interlingua'
import { sqliteStorage } from 'interlingua/stores/sqlite'

const storage = await sqliteStorage(':memory:') // pass a path to store them
await storage.createSession({ id: 'chat', title: 'Letters' })

/** @type {{ role: string, content: string }[]} */
const history = []
for (const [question, answer] of [
  ['Name a letter.', 'A'],
  ['Another one.', 'B'],
  ['One more.', 'C'],
]) {
  history.push({ role: 'user', content: question ?? '' })
  const body = { model: 'gpt-5', messages: history }
  const request = dialects['openai-chat'].decodeRequest(body).value
  const { added } = await storage.syncHistory('chat', request.messages)
  await storage.append('chat', assistant(answer ?? ''))
  history.push({ role: 'assistant', content: answer ?? '' })
  console.log(`${history.length - 1} messages sent, ${added.length} written`)
}

// Two concurrent writers: the one with the correct `expectedHead` wins, the other gets a conflict.
const head = await storage.head('chat')
await storage.append('chat', 'Thanks!', { expectedHead: head ?? null })
await storage.append('chat', 'Bye!', { expectedHead: head ?? null }).catch((error) => console.log(error.code))

// A fork shares its history.
const [first] = await storage.messages('chat')
const fork = await storage.fork('chat', { title: 'Other letters', at: first?.id ?? '' })
await storage.append(fork.id, assistant('Z'))
console.log((await storage.messages(fork.id)).toText({ separator: ' ' }))

// Tenants cannot see each other's data, and a search has no wildcards.
const { sessions } = await storage.sessions({ search: 'letters' })
const others = await storage.forTenant('somebody else').sessions({ search: '%' })
console.log(sessions.map(({ title }) => title).toSorted(), others.sessions)
console.log('damaged:', (await storage.verify()).length)
await storage.close()

/* prints:
1 messages sent, 1 written
3 messages sent, 1 written
5 messages sent, 1 written
conflict
Name a letter. Z
[ 'Letters', 'Other letters' ] []
damaged: 0
*/
