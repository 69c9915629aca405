// @ts-check
// Long answers run in the background at the provider. The server is a double of Google's API.
import { geminiInteractions, scripted } from 'interlingua/providers'
import { startMockServer } from 'interlingua/testing/providers'

const server = await startMockServer({
  model: scripted(['Oslo is colder.', 'Quito is cooler.', 'Both are mild.']),
})
const model = geminiInteractions('gemini-3.8-flash', { apiKey: 'test', baseUrl: server.url })
const { background } = model
if (background === undefined) throw new Error('The provider has no background runs.')

// Start a run and store its id. Any process can wait for its reply.
const { id, status } = await background.start('Compare the climates of Oslo and Rome.')
console.log(status)
console.log((await background.wait(id, { pollIntervalMs: 10 })).text)

// Cancel a run.
const other = await background.start('And of Lima and Quito?')
console.log((await background.cancel(other.id)).reply?.finish?.reason)

// Stream a run, and store the ids of its events. If the connection is lost, the stream continues by itself.
/** @type {string[]} */
const eventIds = []
const stream = background.stream('Sum it up.', { onEventId: (eventId) => eventIds.push(eventId) })
const { response } = await stream.reply

// Another process continues after an event, and gets the complete reply.
const resumed = background.resume(response.id ?? '', { after: eventIds[3] ?? '' })
for await (const event of resumed) if (event.type === 'finish') console.log(event.finish.reason)
console.log((await resumed.reply).text)

await server.close()
/* prints:
running
Oslo is colder.
aborted
stop
Both are mild.
*/
