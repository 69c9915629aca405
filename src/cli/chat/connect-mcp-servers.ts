import { connectMcp, type McpServer, type McpSource } from '../../agent/mcp/index.ts'
import type { AgentTool } from '../../agent/tools/tool.ts'

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
