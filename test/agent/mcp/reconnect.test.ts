import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer as OfficialServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { textOf, toolCall } from 'interlingua'
import { type AgentTool, ToolExecutor } from 'interlingua/agent'
import { connectMcp, type McpOptions, type McpServer } from 'interlingua/agent/mcp'
import { afterEach, describe, expect, test } from 'vitest'

/** Calls a tool; returns its text, after `error: ` if it failed. */
async function call(tools: readonly AgentTool[], name: string): Promise<string> {
  const { results } = await new ToolExecutor({ tools }).executeBatch([toolCall({ name })])
  const [result = expect.fail('no result')] = results
  return `${result.isError ? 'error: ' : ''}${textOf(result)}`
}

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

function closeAfterTest(server: McpServer): McpServer {
  cleanUps.push(() => server.close())
  return server
}

/** A server whose process ends while one of its tools runs. Each tool returns its process id. */
const CRASHING_SERVER = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'crashing', version: '1' })
const content = [{ type: 'text', text: String(process.pid) }]
const crash = () => process.exit(1)
server.registerTool('pid', {}, () => ({ content }))
server.registerTool('crash', {}, crash)
server.registerTool('read_crash', { annotations: { readOnlyHint: true } }, crash)
await server.connect(new StdioServerTransport())
`

async function connectProcess(options?: McpOptions): Promise<McpServer> {
  const args = ['--input-type=module', '-e', CRASHING_SERVER]
  return closeAfterTest(await connectMcp({ command: process.execPath, args }, options))
}

describe('a process that ended', () => {
  test('is started again by the next call of the same tools', async () => {
    const server = await connectProcess()
    const tools = await server.tools()
    const first = await call(tools, 'pid')
    process.kill(Number(first))
    const isStartedAgain = async (): Promise<boolean> => {
      const pid = await call(tools, 'pid')
      return /^\d+$/.test(pid) && pid !== first
    }
    await expect.poll(isStartedAgain).toBe(true)
    expect(await server.tools()).not.toBe(tools)
  })

  test.each(['crash', 'read_crash'])('during `%s` fails that call only', async (name) => {
    const tools = await (await connectProcess()).tools()
    expect(await call(tools, name)).toContain('error: ')
    expect(await call(tools, 'pid')).toMatch(/^\d+$/)
  })

  test('is not started again without `reconnect`, nor after `close`', async () => {
    const fixed = await (await connectProcess({ reconnect: false })).tools()
    await call(fixed, 'crash')
    expect(await call(fixed, 'pid')).toContain('error: ')
    const server = await connectProcess()
    const tools = await server.tools()
    await server.close()
    expect(await call(tools, 'pid')).toBe('error: The connection to the MCP server was closed')
  })
})

/** A host with sessions. `restart` forgets the sessions, as a new process would. */
class SessionHost {
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>()
  readonly calls: string[] = []
  /** Called in the tools; may end the connection. */
  onCall: (name: string) => void | Promise<void> = () => {}
  readonly #isJson: boolean
  #http: Server | undefined
  #port = 0
  #failedRequests = 0

  constructor(isJson: boolean) {
    this.#isJson = isJson
  }

  async start(): Promise<string> {
    this.#http = createServer((request, response) => void this.#handle(request, response))
    await new Promise<void>((ready) => this.#http?.listen(this.#port, '127.0.0.1', ready))
    this.#port = (this.#http.address() as AddressInfo).port
    return `http://127.0.0.1:${this.#port}/mcp`
  }

  async stop(): Promise<void> {
    this.#sessions.clear()
    this.#http?.closeAllConnections()
    await new Promise((done) => this.#http?.close(done))
  }

  /** Stops, and waits until the client has noticed it: its check of the lost connection has failed. */
  async drop(): Promise<void> {
    const before = this.#failedRequests
    await this.stop()
    await expect.poll(() => this.#failedRequests).toBeGreaterThan(before)
  }

  /** The `fetch` of the client. */
  readonly fetch: typeof fetch = async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (error) {
      this.#failedRequests += 1
      throw error
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id']
    const known = this.#sessions.get(String(id))
    if (id !== undefined && known === undefined) return void response.writeHead(404).end()
    await (known ?? (await this.#createSession())).handleRequest(request, response)
  }

  async #createSession(): Promise<StreamableHTTPServerTransport> {
    const server = new OfficialServer({ name: 'sessions', version: '1' })
    const run = (name: string) => async () => {
      this.calls.push(name)
      await this.onCall(name)
      return { content: [{ type: 'text' as const, text: `ran ${name}` }] }
    }
    server.registerTool('write', {}, run('write'))
    server.registerTool('read', { annotations: { readOnlyHint: true } }, run('read'))
    server.registerTool('put', { annotations: { idempotentHint: true } }, run('put'))
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: this.#isJson,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, transport),
    })
    await server.connect(transport)
    return transport
  }
}

async function connectHost(isJson: boolean): Promise<[host: SessionHost, tools: readonly AgentTool[]]> {
  const host = new SessionHost(isJson)
  cleanUps.push(() => host.stop())
  return [
    host,
    await closeAfterTest(await connectMcp({ url: await host.start(), fetch: host.fetch })).tools(),
  ]
}

describe.each([
  ['JSON', true],
  ['event stream', false],
])('a host with sessions and %s responses', (_, isJson) => {
  test('gets a new session after a restart, and each call once', async () => {
    const [host, tools] = await connectHost(isJson)
    expect(await call(tools, 'write')).toBe('ran write')
    await host.drop()
    await host.start()
    expect(await Promise.all([call(tools, 'write'), call(tools, 'write')])).toEqual([
      'ran write',
      'ran write',
    ])
    expect(host.calls).toEqual(['write', 'write', 'write'])
  })

  test.each([
    ['write', 'error: ', 1],
    ['read', 'ran read', 2],
    ['put', 'ran put', 2],
  ])('that restarts while it runs `%s`', async (name, expected, runs) => {
    const [host, tools] = await connectHost(isJson)
    host.onCall = async () => {
      host.onCall = () => {}
      // The headers of the response are sent before the host restarts.
      await new Promise((resolve) => setTimeout(resolve, 20))
      await host.drop()
      await host.start()
    }
    expect(await call(tools, name)).toContain(expected)
    expect(host.calls).toEqual(Array(runs).fill(name))
  })

  test('that is down is an error result, and is reached again later', async () => {
    const [host, tools] = await connectHost(isJson)
    await host.drop()
    // A call that may be repeated: of another, the client may not know whether it was sent before the connection ended.
    expect(await call(tools, 'read')).toBe('error: The MCP server could not be reached (ECONNREFUSED)')
    await host.start()
    expect(await call(tools, 'write')).toBe('ran write')
    expect(host.calls).toEqual(['write'])
  })
})
