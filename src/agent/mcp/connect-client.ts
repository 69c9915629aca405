import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InterlinguaError } from '../../errors.ts'
import { omitUndefined } from '../../wire/json.ts'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import { classifyConnectionError, createUnreachableError } from './connection-errors.ts'

/** The part of the official SDK's client that is used, so that you can pass a client of your own. */
export interface McpClient {
  listTools(params?: { readonly cursor: string }, options?: McpCallOptions): Promise<McpToolList>
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

/** A tool as an MCP server lists it. */
export interface McpToolInfo {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly annotations?: McpToolAnnotations | undefined
}

/** Hints of the server about the effects of a tool. */
export interface McpToolAnnotations {
  readonly readOnlyHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
}

export interface McpCallOptions {
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly onprogress?: (progress: object) => void
}

/** A server that is started as a child process; messages use its standard input and output. */
export interface McpProcess {
  readonly command: string
  readonly args?: readonly string[]
  /** All environment variables of the process. Default: a few without secrets, chosen by the SDK. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/** A server with an HTTP endpoint. */
export interface McpUrl {
  readonly url: string | URL
  readonly headers?: { readonly [name: string]: string }
  readonly fetch?: typeof fetch
}

/** The location of an MCP server: a command to start, a URL, or a client that is already connected. */
export type McpSource = McpProcess | McpUrl | { readonly client: McpClient }

/** Callbacks of {@link connectMcpClient}. */
export interface McpClientCallbacks {
  /** Called when the tools of the server have changed. */
  readonly onToolsChanged: () => void
  /** Called when the connection has ended. */
  readonly onLost: () => void
}

/** Returns a client that is connected to a server. */
export async function connectMcpClient(source: McpSource, callbacks: McpClientCallbacks): Promise<McpClient> {
  if ('client' in source) return source.client
  if (!('url' in source) && typeof source.command !== 'string') throw createMissingLocationError()
  const { Client } = await loadSdk(() => import('@modelcontextprotocol/sdk/client/index.js'))
  const client = new Client(
    { name: 'interlingua', version: '1' },
    { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: callbacks.onToolsChanged } } },
  )
  try {
    await client.connect(await ('url' in source ? createHttpTransport(source) : createStdioTransport(source)))
  } catch (error) {
    throw error instanceof InterlinguaError ? error : createUnreachableError(error)
  }
  client.onclose = callbacks.onLost
  if ('url' in source) client.onerror = createLossDetector(client)
  return client
}

/**
 * Returns an error handler that closes a client whose server is gone. An interrupted event stream ends no call
 * by itself: without this, a call whose server was restarted would wait for its response forever.
 */
function createLossDetector(client: Pick<Client, 'ping' | 'close'>): (error: Error) => void {
  let isChecking = false
  return (error) => {
    // Errors with a code belong to a request, which fails with the same error.
    if (isChecking || classifyConnectionError(error) !== undefined) return
    isChecking = true
    void client
      .ping()
      .catch((cause: unknown) => (classifyConnectionError(cause) ? client.close() : undefined))
      .catch(() => {})
      .finally(() => (isChecking = false))
  }
}

/** Creates the error for a source that names no server. */
export function createMissingLocationError(): InterlinguaError {
  return new InterlinguaError(
    'invalid-value',
    'MCP server location missing: pass `url`, `command` or `client`',
    {
      found: 'neither `command`, `url` nor `client`',
      expected: '{ command, args }, { url } or { client }',
    },
  )
}

/** The return type is inferred, because the SDK owns the types of its transports. */
async function createHttpTransport({ url, headers, fetch: own }: McpUrl) {
  const { StreamableHTTPClientTransport } = await loadSdk(
    () => import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  )
  return new StreamableHTTPClientTransport(new URL(url), {
    ...omitUndefined({ requestInit: headers && { headers }, fetch: own }),
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

/** Loads the SDK on first use, so that programs without MCP do not need it. */
function loadSdk<T>(importing: () => Promise<T>): Promise<T> {
  return loadOptionalPackage('@modelcontextprotocol/sdk', importing)
}
