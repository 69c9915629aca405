export type {
  McpCallOptions,
  McpClient,
  McpProcess,
  McpSource,
  McpToolAnnotations,
  McpToolInfo,
  McpToolList,
  McpUrl,
} from './connect-client.ts'
export {
  connectMcp,
  type McpLimits,
  type McpListOptions,
  type McpOptions,
  type McpServer,
} from './connect-mcp.ts'
