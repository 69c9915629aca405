export type { McpClient, McpProcess, McpSource, McpUrl } from './client.ts'
export { connectMcp, type McpOptions, type McpServer } from './server.ts'
