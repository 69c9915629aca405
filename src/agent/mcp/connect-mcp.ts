import { InterlinguaError } from '../../errors.ts'
import { assertNumericSettings } from '../../wire/stream-limits.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions, type OptionHints, type OptionNames } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, omitUndefined, type JsonSchema, type Json } from '../../wire/json.ts'
import { MAX_TIMER_MS, rejectOnAbort } from '../../wire/cancellation.ts'
import { ToolFailure } from '../tools/tool-output.ts'
import { type AgentTool, tool, type ToolContext, type ToolOptions } from '../tools/tool.ts'
import {
  connectMcpClient,
  createMissingLocationError,
  type McpProcess,
  type McpSource,
  type McpToolInfo,
  type McpUrl,
} from './connect-client.ts'
import { McpConnection } from './mcp-connection.ts'
import { audio, file, image, json, text, video } from '../../canonical/build/parts.ts'
import type { ToolResultContent } from '../../canonical/model/part.ts'
import { toJsonSchema } from '../../schema/schema-source.ts'
import { listUncheckedPatterns, type UncheckedPattern } from '../../schema/list-unchecked-patterns.ts'

/** Converts the result of an MCP tool, which is untrusted input, to content parts. */
function mcpResultToParts(result: unknown): readonly ToolResultContent[] {
  if (!isObject(result)) return [json((result ?? null) as Json)]
  const { content, structuredContent = result['toolResult'] } = result
  if (Array.isArray(content) && content.length > 0) return content.map(mcpBlockToPart)
  return structuredContent === undefined ? [] : [json(structuredContent as Json)]
}

function mcpBlockToPart(block: unknown): ToolResultContent {
  if (!isObject(block)) return json((block ?? null) as Json)
  const { type, text: textValue, data, mimeType, resource } = block
  if (type === 'text' && typeof textValue === 'string') return text(textValue)
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return (type === 'image' ? image : audio)({ data, mediaType: mimeType })
  }
  if (type === 'resource' && isObject(resource)) return resourceToPart(resource)
  // Links are passed to the model and not followed: the application decides what to fetch.
  return json(block as Json)
}

const MEDIA_BUILDERS = { image, audio, video } as const

/** Converts an embedded resource: text to a file part, bytes to a part of their media type. */
function resourceToPart(resource: { readonly [key: string]: unknown }): ToolResultContent {
  const { uri, mimeType, text: textValue, blob } = resource
  const name = typeof uri === 'string' ? { name: uri } : {}
  const mediaType = typeof mimeType === 'string' ? mimeType : undefined
  if (typeof textValue === 'string')
    return file({ text: textValue }, { ...name, ...(mediaType && { mediaType }) })
  if (typeof blob !== 'string') return json(resource as Json)
  const [kind = ''] = (mediaType ?? '').split('/')
  const build = Object.hasOwn(MEDIA_BUILDERS, kind)
    ? MEDIA_BUILDERS[kind as keyof typeof MEDIA_BUILDERS]
    : file
  return build({ data: blob, mediaType: mediaType ?? 'application/octet-stream' }, name)
}

/** Options of {@link connectMcp}. Those of tools apply to every tool of the server. */
export interface McpOptions extends Pick<ToolOptions<unknown>, 'needsApproval' | 'timeoutMs' | 'retries'> {
  /** Prefix of every tool name, to keep the tools of several servers distinct. */
  readonly prefix?: string
  /** Selects the tools to offer, by their names on the server. Default: all. */
  readonly filter?: (name: string) => boolean
  /**
   * True to open a lost connection again with the next request: the process ended, the session expired, or the
   * host restarted. A call that the server may have executed is repeated only if the server declares the tool as
   * read-only or idempotent; otherwise it gets an error result. A client of your own is never reconnected.
   * Default: true.
   */
  readonly reconnect?: boolean
  /**
   * Called for each pattern in the schema of a tool that is not checked, because it cannot be matched in linear time: the
   * server itself has to check the argument.
   */
  readonly onUncheckedPattern?: (toolName: string, pattern: UncheckedPattern) => void
  /** Limits on the list of tools, which a server could continue without end. */
  readonly limits?: McpLimits
}

/** Limits on the list of tools of a server. */
export interface McpLimits {
  /** The maximum number of tools. Default: 10,000. */
  readonly maxTools?: number
  /** The maximum number of pages. Default: 1,000. */
  readonly maxPages?: number
}

const DEFAULT_LIMITS: Required<McpLimits> = { maxTools: 10_000, maxPages: 1_000 }

/** Options of a request for the list of tools. */
export interface McpListOptions {
  /** Stops waiting for the list. */
  readonly signal?: AbortSignal
}

/** A connected MCP server. */
export interface McpServer {
  /** Returns the tools of the server. The list is cached until the server reports that it has changed. */
  tools(options?: McpListOptions): Promise<readonly AgentTool[]>
  /** Returns the tools of the server without the cache. */
  refresh(options?: McpListOptions): Promise<readonly AgentTool[]>
  /** Closes the connection, and stops the process if one was started. */
  close(): Promise<void>
}

/**
 * Connects to an MCP server. Needs the package `@modelcontextprotocol/sdk`.
 *
 * @example
 * const files = await connectMcp({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] })
 * const agent = new Agent({ model, tools: await files.tools() })
 * await files.close()
 */
export async function connectMcp(source: McpSource, options: McpOptions = {}): Promise<McpServer> {
  withTypedErrors(() => checkConnectArguments(source, options), [source, options])
  assertNumericSettings('/limits', { ...options.limits }, 1)
  let cachedTools: Promise<readonly AgentTool[]> | undefined
  const forgetTools = (): void => void (cachedTools = undefined)
  const connection = new McpConnection({
    open: (onLost) => connectMcpClient(source, { onToolsChanged: forgetTools, onLost }),
    canReconnect: options.reconnect !== false && !('client' in source),
    onReconnect: forgetTools,
  })
  await connection.connect()
  const refresh = async (call: McpListOptions = {}): Promise<readonly AgentTool[]> => {
    checkOptions('refresh()', call, { signal: true })
    const { signal } = call
    const list = listAgentTools(connection, options, signal)
    cachedTools = list
    // A failed list is not cached.
    list.catch(() => {
      if (cachedTools === list) cachedTools = undefined
    })
    return list
  }
  return {
    tools: async (call = {}) => {
      checkOptions('tools()', call, { signal: true })
      return cachedTools === undefined ? refresh(call) : rejectOnAbort(cachedTools, call.signal)
    },
    refresh,
    close: () => connection.close(),
  }
}

const OPTION_NAMES: OptionNames<McpOptions> = {
  prefix: true,
  filter: Function,
  reconnect: Boolean,
  onUncheckedPattern: Function,
  limits: { maxTools: true, maxPages: true },
  needsApproval: true,
  timeoutMs: true,
  retries: true,
}

const SOURCE_NAMES: OptionNames<McpProcess & McpUrl> = {
  command: true,
  args: true,
  env: true,
  cwd: true,
  url: true,
  headers: true,
  fetch: Function,
}

/** Names in the configuration files of other programs. */
const SOURCE_HINTS: OptionHints = {
  cmd: 'Use `command`.',
  type: 'Omit it: a server with `url` is reached by HTTP, one with `command` is started.',
  transport: 'Omit it: a server with `url` is reached by HTTP, one with `command` is started.',
}

function checkConnectArguments(source: McpSource, options: McpOptions): void {
  checkOptions('connectMcp()', options, OPTION_NAMES)
  if (!isObject(source)) throw createMissingLocationError()
  if (!('client' in source)) checkOptions('the MCP server', source, SOURCE_NAMES, SOURCE_HINTS)
  if ('client' in source)
    checkMethods(source.client, 'client', 'an MCP client', ['listTools', 'callTool', 'close'])
}

async function listAgentTools(
  connection: McpConnection,
  options: McpOptions,
  signal: AbortSignal | undefined,
): Promise<readonly AgentTool[]> {
  const { maxTools, maxPages } = { ...DEFAULT_LIMITS, ...omitUndefined(options.limits ?? {}) }
  const call = omitUndefined({ signal })
  const tools: AgentTool[] = []
  const pages = new Set<string>()
  let toolCount = 0
  for (let cursor: string | undefined; ;) {
    const parameters = cursor === undefined ? undefined : { cursor }
    const list = connection.send((client) => client.listTools(parameters, call), {
      isRepeatable: true,
      ...call,
    })
    const page = await rejectOnAbort(list, signal)
    toolCount += page.tools.length
    if (toolCount > maxTools) throw createListLimitError('maxTools', 'tools', toolCount, maxTools)
    for (const info of page.tools)
      if (options.filter?.(info.name) ?? true) tools.push(toAgentTool(connection, info, options))
    cursor = page.nextCursor
    if (cursor === undefined) return Object.freeze(tools)
    if (pages.has(cursor)) {
      throw new InterlinguaError('invalid-value', 'The MCP server returned the same page of tools twice', {
        found: 'a `nextCursor` that was already used',
        expected: 'a new `nextCursor`, or none on the last page',
      })
    }
    pages.add(cursor)
    if (pages.size >= maxPages)
      throw createListLimitError('maxPages', 'pages of tools', pages.size + 1, maxPages)
  }
}

function createListLimitError(
  name: keyof McpLimits,
  elements: string,
  count: number,
  limit: number,
): InterlinguaError {
  return new InterlinguaError('too-many-elements', `The MCP server lists more than ${limit} ${elements}`, {
    found: `${count} ${elements}`,
    expected: `at most ${limit} ${elements}`,
    hint: `Raise limits.${name} of \`connectMcp\` if you trust the server.`,
  })
}

function toAgentTool(
  connection: McpConnection,
  info: McpToolInfo,
  { prefix = '', filter: _filter, reconnect: _reconnect, limits: _limits, ...given }: McpOptions,
): AgentTool {
  const { onUncheckedPattern, ...options } = given
  if (onUncheckedPattern !== undefined)
    for (const pattern of listUncheckedPatterns(toJsonSchema(info.inputSchema as JsonSchema)))
      onUncheckedPattern(`${prefix}${info.name}`, pattern)
  return tool<unknown>({
    ...options,
    name: `${prefix}${info.name}`,
    ...(info.description !== undefined && { description: info.description }),
    input: info.inputSchema as JsonSchema,
    run: (input, context) => callMcpTool(connection, info, input, context),
  })
}

async function callMcpTool(
  connection: McpConnection,
  { name, annotations }: McpToolInfo,
  input: unknown,
  { signal, reportProgress }: ToolContext,
): Promise<unknown> {
  const parameters = { name, ...(isObject(input) && { arguments: { ...input } }) }
  const isRepeatable = annotations?.readOnlyHint === true || annotations?.idempotentHint === true
  const callOptions = {
    signal,
    // The agent enforces the time limit of the tool, so the SDK's own limit is disabled.
    timeout: MAX_TIMER_MS,
    onprogress: (progress: object) => reportProgress({ ...progress }),
  }
  const result = await connection.send((client) => client.callTool(parameters, undefined, callOptions), {
    isRepeatable,
    signal,
  })
  const parts = mcpResultToParts(result)
  if (isObject(result) && result['isError'] === true) throw new ToolFailure(parts)
  return parts.length === 0 ? undefined : parts
}
