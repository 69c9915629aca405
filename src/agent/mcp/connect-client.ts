import { InterlinguaError } from '../../errors.ts'
import { loadOptionalPackage } from '../../wire/optional-package.ts'

/** The part of the official SDK's client that is used here, so that a client of your own can be given. */
export interface McpClient {
  listTools(params?: { readonly cursor: string }): Promise<McpToolList>
  callTool(
    params: { readonly name: string; readonly arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: McpCallOptions,
  ): Promise<unknown>
  close(): Promise<void>
}

export interface McpToolList {
  readonly tools: readonly McpToolInfo[]
  readonly nextCursor?: string | undefined
}

/** What a server says of a tool. */
export interface McpToolInfo {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
}

export interface McpCallOptions {
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly onprogress?: (progress: object) => void
}

/** A server that is started as a process of its own, and spoken to over its standard input and output. */
export interface McpProcess {
  readonly command: string
  readonly args?: readonly string[]
  /** Its whole environment; by default a few harmless variables of ours. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/** A server that is spoken to over HTTP. */
export interface McpUrl {
  readonly url: string | URL
  readonly headers?: { readonly [name: string]: string }
  readonly fetch?: typeof fetch
}

/** Where a server is: a process, an address, or a client that is connected already. */
export type McpSource = McpProcess | McpUrl | { readonly client: McpClient }

/** A client that is connected to a server; `onChange` is told when the server has other tools. */
export async function connectClient(source: McpSource, onChange: () => void): Promise<McpClient> {
  if ('client' in source) return source.client
  if (!('url' in source) && typeof source.command !== 'string') throw missingServerLocation()
  const { Client } = await loadSdk(() => import('@modelcontextprotocol/sdk/client/index.js'))
  const client = new Client(
    { name: 'interlingua', version: '1' },
    { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onChange } } },
  )
  await client.connect(await ('url' in source ? createHttpTransport(source) : createStdioTransport(source)))
  return client
}

/** What the transports are is the SDK's to say, so their types are not written here. */
async function createHttpTransport({ url, headers, fetch: own }: McpUrl) {
  const { StreamableHTTPClientTransport } = await loadSdk(
    () => import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  )
  return new StreamableHTTPClientTransport(new URL(url), {
    ...(headers && { requestInit: { headers } }),
    ...(own && { fetch: own }),
  })
}

async function createStdioTransport({ command, args = [], env, cwd }: McpProcess) {
  const { StdioClientTransport } = await loadSdk(() => import('@modelcontextprotocol/sdk/client/stdio.js'))
  return new StdioClientTransport({
    command,
    args: [...args],
    ...(env && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  })
}

/** The SDK is loaded only when a server is to be reached, so that nobody else needs it. */
function loadSdk<T>(importing: () => Promise<T>): Promise<T> {
  return loadOptionalPackage('@modelcontextprotocol/sdk', importing)
}

function missingServerLocation(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'It is not said where the MCP server is', {
    found: 'neither a command nor an address',
    expected: '{ command, args }, { url } or { client }',
  })
}
