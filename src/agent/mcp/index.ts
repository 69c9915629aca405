export type {
  McpCallOptions,
  McpClient,
  McpProcess,
  McpSource,
  McpToolInfo,
  McpToolList,
  McpUrl,
} from './client.ts'
export { connectMcp, type McpOptions, type McpServer } from './server.ts'
