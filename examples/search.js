// @ts-check
// Finding stored messages by their words, in all conversations or in one.
import { assistant, user } from 'interlingua'
import { memoryStorage } from 'interlingua/stores'

const storage = memoryStorage() // sqliteStorage('chat.db', { search: true }) stores the index in the file
const days = ['2026-01-01', '2026-01-02', '2026-01-03']
for (const [index, city] of ['Oslo', 'Rome', 'Oslo'].entries()) {
  const options = { createdAt: `${days[index]}T10:00:00Z` }
  const { id } = await storage.createSession({ id: `chat ${index + 1}` })
  await storage.append(id, [
    user(`How is the weather in ${city}?`, options),
    assistant(index === 0 ? 'It rains.' : `In ${city}, it is warm.`, options),
  ])
}

/** @param {import('interlingua/stores').SearchQuery} query */
async function search(query) {
  const { hits } = await storage.search(query)
  for (const { session, role, snippet } of hits) {
    const [[start, end] = [0, 0]] = snippet.matches
    const { text } = snippet
    console.log(`${session}, ${role}: ${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`)
  }
}

console.log('The newest message comes first:')
await search({ query: 'oslo' })
console.log('A phrase, and a word that must not occur:')
await search({ query: '"in oslo" -warm' })
console.log('The start of a word, with filters:')
await search({ query: 'wea*', role: 'user', before: '2026-01-02T12:00:00Z', session: 'chat 2' })

// Pages follow each other while there is a cursor.
const first = await storage.search({ query: 'in', limit: 3 })
const second = await storage.search({ query: 'in', limit: 3, cursor: first.cursor ?? '' })
console.log('pages:', first.hits.length, second.hits.length, second.cursor)

/* prints:
The newest message comes first:
chat 3, assistant: In [Oslo], it is warm.
chat 3, user: How is the weather in [Oslo]?
chat 1, user: How is the weather in [Oslo]?
A phrase, and a word that must not occur:
chat 3, user: How is the weather [in Oslo]?
chat 1, user: How is the weather [in Oslo]?
The start of a word, with filters:
chat 2, user: How is the [weather] in Rome?
pages: 3 2 undefined
*/
