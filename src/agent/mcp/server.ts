import { InterlinguaError } from '../../errors.ts'
import { isObject, type JsonSchema } from '../../wire/json.ts'
import { LONGEST_TIMER } from '../../wire/timer.ts'
import { messageOf } from '../words.ts'
import { ToolFailure } from '../tools/failure.ts'
import { type AgentTool, tool, type ToolContext, type ToolOptions } from '../tools/tool.ts'
import { connectClient, type McpClient, type McpSource, type McpToolInfo } from './client.ts'
import { partsOf } from './content.ts'

/** How the tools of a server appear. */
export interface McpOptions extends Pick<ToolOptions<unknown>, 'approval' | 'timeout' | 'retries'> {
  /** Put before the name of each tool, to set the tools of several servers apart. */
  readonly prefix?: string
  /** Which of its tools are offered. Default: all. */
  readonly only?: (name: string) => boolean
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
  let known: Promise<readonly AgentTool[]> | undefined
  const client = await connectClient(source, () => (known = undefined)).catch((cause: unknown) => {
    throw cause instanceof InterlinguaError ? cause : unreachable(cause)
  })
  const refresh = (): Promise<readonly AgentTool[]> => {
    const asked = listTools(client, options)
    known = asked
    // A list that could not be had is asked for again.
    asked.catch(() => {
      if (known === asked) known = undefined
    })
    return asked
  }
  return { tools: () => known ?? refresh(), refresh, close: () => client.close() }
}

async function listTools(client: McpClient, options: McpOptions): Promise<readonly AgentTool[]> {
  const tools: AgentTool[] = []
  const pages = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor })
    for (const info of page.tools)
      if (options.only?.(info.name) ?? true) tools.push(toolOf(client, info, options))
    cursor = page.nextCursor
    if (cursor === undefined) return Object.freeze(tools)
    if (pages.has(cursor)) throw endless()
    pages.add(cursor)
  }
}

function toolOf(
  client: McpClient,
  info: McpToolInfo,
  { prefix = '', only: _only, ...options }: McpOptions,
): AgentTool {
  return tool<unknown>({
    ...options,
    name: `${prefix}${info.name}`,
    ...(info.description !== undefined && { description: info.description }),
    input: info.inputSchema as JsonSchema,
    run: (input, context) => call(client, info.name, input, context),
  })
}

async function call(
  client: McpClient,
  name: string,
  input: unknown,
  { signal, progress }: ToolContext,
): Promise<unknown> {
  const given = { name, ...(isObject(input) && { arguments: { ...input } }) }
  const result = await client.callTool(given, undefined, {
    signal,
    // How long a call may take is the tool's own affair.
    timeout: LONGEST_TIMER,
    onprogress: (told) => progress({ ...told }),
  })
  const parts = partsOf(result)
  if (isObject(result) && result['isError'] === true) throw new ToolFailure(parts)
  return parts.length === 0 ? undefined : parts
}

function unreachable(cause: unknown): InterlinguaError {
  return new InterlinguaError('server-unreachable', 'The MCP server could not be reached', {
    found: messageOf(cause),
    expected: 'a server that can be started by its command, or spoken to at its address',
    hint: 'Look whether command or address are right, and whether the server starts by itself.',
    cause,
  })
}

function endless(): InterlinguaError {
  return new InterlinguaError(
    'invalid-value',
    'The MCP server lists the same page of tools again and again',
    {
      found: 'a cursor that was there before',
      expected: 'a new cursor or none',
    },
  )
}
