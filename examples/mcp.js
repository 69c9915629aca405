// @ts-check
// Uses the tools of an MCP server that is started as a child process. Needs @modelcontextprotocol/sdk.
import { fileURLToPath } from 'node:url'
import { textOf, toolCall } from 'interlingua'
import { Agent, joinTools, tool } from 'interlingua/agent'
import { connectMcp } from 'interlingua/agent/mcp'
import { scripted } from 'interlingua/providers'

const script = fileURLToPath(new URL('servers/weather-mcp.js', import.meta.url))
const server = await connectMcp(
  { command: process.execPath, args: [script] },
  { filter: (name) => name !== 'broken' },
)

// Both lists contain a tool named `weather`: prefixes make the names unique.
const mine = [tool({ name: 'weather', description: 'What the window says.', run: () => 'Grey.' })]
const tools = joinTools({ window: mine, station: await server.tools() })
console.log(tools.map(({ name }) => name).join(', '))

const model = scripted([
  [
    toolCall({ id: 'call_1', name: 'station_weather', arguments: { city: 'Oslo' } }),
    toolCall({ id: 'call_2', name: 'gallery' }),
  ],
  'Cold.',
])
const { messages, text } = await new Agent({ model, tools }).send('How is it in Oslo?')
for (const part of messages[2]?.content ?? []) {
  if (part.type === 'tool-result') console.log(part.callId, part.content.map(({ type }) => type).join(', '))
}
console.log(messages[2] && textOf(messages[2]).slice(0, 19), text)
await server.close()

/* prints:
window_weather, station_weather, gallery, count, learn
call_1 text
call_2 text, image, audio, file, image, json
It is 4 °C in Oslo. Cold.
*/
