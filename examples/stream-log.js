// @ts-check
// Keeps the chunks of a running answer, so that a client continues after the last event that it has.
import { memoryStreamLog } from 'interlingua/stores'

const streams = memoryStreamLog({ maxEvents: 10_000, retentionMs: 600_000 })
const writer = await streams.open('chat-1')
for (const word of ['It ', 'is ']) await writer.append(word)

// A client reads, and loses its connection after the first chunk.
let lastEvent = 0
for await (const entry of streams.read(writer.id)) {
  if (entry.type !== 'chunk') break
  lastEvent = entry.event
  console.log('first connection:', entry.event, JSON.stringify(entry.data))
  break
}

// It asks for the newest stream of the conversation and continues, while the answer is still being written.
const active = await streams.latest('chat-1')
console.log(active?.status)
const reading = (async () => {
  for await (const entry of streams.read(active?.id ?? '', { after: lastEvent }))
    console.log('second connection:', entry.type === 'chunk' ? JSON.stringify(entry.data) : entry)
})()
await writer.append('warm.')
await writer.end()
await reading

/* prints:
first connection: 1 "It "
active
second connection: "is "
second connection: "warm."
second connection: { type: 'end', reason: 'complete' }
*/
