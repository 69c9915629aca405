import { InterlinguaError } from '../../errors.ts'
import { isObject, type JsonSchema, type Json } from '../../wire/json.ts'
import { MAX_TIMER_MS } from '../../wire/cancellation.ts'
import { errorMessageOf } from '../error-message.ts'
import { ToolFailure } from '../tools/tool-output.ts'
import { type AgentTool, tool, type ToolContext, type ToolOptions } from '../tools/tool.ts'
import { connectClient, type McpClient, type McpSource, type McpToolInfo } from './connect-client.ts'
import { audio, file, image, json, text, video } from '../../canonical/build/parts.ts'
import type { ToolResultContent } from '../../canonical/model/part.ts'

/** What a server gave, as parts; what it holds is from outside, so every field is looked at. */
export function mcpResultToParts(result: unknown): readonly ToolResultContent[] {
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
  // Links are told and not followed: what to fetch is for the application to decide.
  return json(block as Json)
}

const MEDIA_BUILDERS = { image, audio, video } as const

/** A resource that came along: its text, or its bytes by what they are. */
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

/** How the tools of a server appear. */
export interface McpOptions extends Pick<ToolOptions<unknown>, 'needsApproval' | 'timeoutMs' | 'retries'> {
  /** Put before the name of each tool, to set the tools of several servers apart. */
  readonly prefix?: string
  /** Which of its tools are offered. Default: all. */
  readonly filter?: (name: string) => boolean
}

/** A server whose tools an agent can use. */
export interface McpServer {
  /** Its tools. The list is asked for once, and again after the server has said that it changed. */
  tools(): Promise<readonly AgentTool[]>
  /** The same, asked for anew. */
  refresh(): Promise<readonly AgentTool[]>
  /** Ends the connection, and the process if one was started. */
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
  let cachedTools: Promise<readonly AgentTool[]> | undefined
  const client = await connectClient(source, () => (cachedTools = undefined)).catch((cause: unknown) => {
    throw cause instanceof InterlinguaError ? cause : serverUnreachable(cause)
  })
  const refresh = (): Promise<readonly AgentTool[]> => {
    const asked = listAgentTools(client, options)
    cachedTools = asked
    // A list that could not be had is asked for again.
    asked.catch(() => {
      if (cachedTools === asked) cachedTools = undefined
    })
    return asked
  }
  return { tools: () => cachedTools ?? refresh(), refresh, close: () => client.close() }
}

async function listAgentTools(client: McpClient, options: McpOptions): Promise<readonly AgentTool[]> {
  const tools: AgentTool[] = []
  const pages = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor })
    for (const info of page.tools)
      if (options.filter?.(info.name) ?? true) tools.push(toAgentTool(client, info, options))
    cursor = page.nextCursor
    if (cursor === undefined) return Object.freeze(tools)
    if (pages.has(cursor)) throw repeatedCursor()
    pages.add(cursor)
  }
}

function toAgentTool(
  client: McpClient,
  info: McpToolInfo,
  { prefix = '', filter: _only, ...options }: McpOptions,
): AgentTool {
  return tool<unknown>({
    ...options,
    name: `${prefix}${info.name}`,
    ...(info.description !== undefined && { description: info.description }),
    input: info.inputSchema as JsonSchema,
    run: (input, context) => callMcpTool(client, info.name, input, context),
  })
}

async function callMcpTool(
  client: McpClient,
  name: string,
  input: unknown,
  { signal, reportProgress }: ToolContext,
): Promise<unknown> {
  const parameters = { name, ...(isObject(input) && { arguments: { ...input } }) }
  const result = await client.callTool(parameters, undefined, {
    signal,
    // How long a call may take is the tool's own affair.
    timeout: MAX_TIMER_MS,
    onprogress: (told) => reportProgress({ ...told }),
  })
  const parts = mcpResultToParts(result)
  if (isObject(result) && result['isError'] === true) throw new ToolFailure(parts)
  return parts.length === 0 ? undefined : parts
}

function serverUnreachable(cause: unknown): InterlinguaError {
  return new InterlinguaError('server-unreachable', 'The MCP server could not be reached', {
    found: errorMessageOf(cause),
    expected: 'a server that can be started by its command, or spoken to at its address',
    hint: 'Look whether command or address are right, and whether the server starts by itself.',
    cause,
  })
}

function repeatedCursor(): InterlinguaError {
  return new InterlinguaError(
    'invalid-value',
    'The MCP server lists the same page of tools again and again',
    {
      found: 'a cursor that was there before',
      expected: 'a new cursor or none',
    },
  )
}
