// @ts-check
// A small MCP server on standard input and output, used by examples/mcp.js and the tests.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const server = new McpServer({ name: 'weather', version: '1.0.0' })

server.registerTool(
  'weather',
  { description: 'The weather of a city, now.', inputSchema: { city: z.string() } },
  ({ city }) => ({ content: [{ type: 'text', text: `It is 4 °C in ${city}.` }] }),
)

server.registerTool('gallery', { description: 'Something of everything.' }, () => ({
  content: [
    { type: 'text', text: 'Look and listen:' },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'Cold.' } },
    { type: 'resource', resource: { uri: 'file:///map.png', mimeType: 'image/png', blob: PIXEL } },
    { type: 'resource_link', uri: 'https://example.com/report', name: 'report' },
  ],
}))

server.registerTool('broken', { description: 'Never works.' }, () => {
  throw new Error('The station does not answer.')
})

server.registerTool('count', { description: 'Counts to three.' }, async (extra) => {
  const progressToken = extra._meta?.progressToken
  for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++) {
    await extra.sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 3 },
    })
  }
  // The client drops progress that arrives together with the result, so this waits.
  await server.server.ping()
  return { content: [], structuredContent: { counted: 3 } }
})

server.registerTool('learn', { description: 'Learns to look ahead.' }, () => {
  server.registerTool('forecast', { description: 'The weather of tomorrow.' }, () => ({
    content: [{ type: 'text', text: 'Colder.' }],
  }))
  return { content: [{ type: 'text', text: 'Done.' }] }
})

await server.connect(new StdioServerTransport())
