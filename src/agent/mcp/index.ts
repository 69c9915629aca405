export type {
  McpCallOptions,
  McpClient,
  McpProcess,
  McpSource,
  McpToolInfo,
  McpToolList,
  McpUrl,
} from './connect-client.ts'
export { connectMcp, type McpOptions, type McpServer } from './connect-mcp.ts'
