import { connectMcp, type McpServer, type McpSource } from '../../agent/mcp/index.ts'
import { type AgentTool, tool } from '../../agent/tools/tool.ts'

/** Invented temperatures; constant, so that the demo is reproducible. */
const CELSIUS: { readonly [city: string]: number } = { oslo: 4, rome: 15, tokyo: 18, cairo: 29 }

/** Tools for the demo model. They have no side effects. */
export const demoTools: readonly AgentTool[] = [
  tool<{ readonly city: string }>({
    name: 'weather',
    description: 'Returns the weather of a city. The numbers are invented.',
    input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    run: ({ city }) => ({ city, celsius: CELSIUS[city.toLowerCase()] ?? city.length * 2 }),
    idempotent: true,
  }),
  tool({
    name: 'clock',
    description: 'Returns the current date and time.',
    run: () => ({ now: new Date().toISOString() }),
    idempotent: true,
  }),
]

/** Connects to MCP servers, each given as a URL or as the command that starts it. */
export async function connectMcpServers(
  lines: readonly string[],
  needsApproval: boolean,
): Promise<{ readonly tools: readonly AgentTool[]; close(): Promise<void> }> {
  const servers: McpServer[] = []
  const close = async (): Promise<void> => {
    await Promise.allSettled(servers.map((server) => server.close()))
  }
  try {
    const tools: AgentTool[] = []
    for (const [index, line] of lines.entries()) {
      // Several servers may have tools of the same name.
      const prefix = lines.length === 1 ? {} : { prefix: `mcp${index + 1}_` }
      const server = await connectMcp(parseMcpSource(line), { needsApproval, ...prefix })
      servers.push(server)
      for (const tool of await server.tools()) tools.push(tool)
    }
    return { tools, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Parses a URL, or a command line in which quotes group words. */
function parseMcpSource(line: string): McpSource {
  if (/^https?:\/\//.test(line)) return { url: line }
  const words = Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? '')
  const [command = '', ...args] = words
  return { command, args }
}
