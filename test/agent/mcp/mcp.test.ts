import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer as OfficialServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type Json, textOf, toolCall, type ToolResultPart, validate } from 'interlingua'
import { Agent, type AgentTool, joinTools, ToolExecutor } from 'interlingua/agent'
import { connectMcp, type McpClient, type McpServer } from 'interlingua/agent/mcp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { scripted } from '../../../src/client/scripted-model.ts'

const script = fileURLToPath(new URL('../../../examples/servers/weather-mcp.js', import.meta.url))

const namesOf = (tools: readonly AgentTool[]): string[] => tools.map(({ name }) => name)

async function resultOf(
  tools: readonly AgentTool[],
  name: string,
  input: object = {},
): Promise<ToolResultPart> {
  const call = toolCall({ id: 'call_1', name, arguments: { ...input } })
  const { results } = await new ToolExecutor({ tools }).executeBatch([call])
  return results[0] ?? expect.fail('no result')
}

describe('a server over standard input and output', () => {
  let server: McpServer
  beforeAll(async () => {
    server = await connectMcp({ command: process.execPath, args: [script] })
  })
  afterAll(() => server.close())

  test('is used by an agent from end to end', async () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
    const model = scripted([call, 'Cold.'])
    const { messages, text } = await new Agent({ model, tools: await server.tools() }).send('Oslo?')
    expect(text).toBe('Cold.')
    expect(messages[2] && textOf(messages[2])).toBe('It is 4 °C in Oslo.')
    expect(validate(messages)).toEqual([])
    expect(model.requests[0]?.tools).toContainEqual(
      expect.objectContaining({ name: 'weather', description: 'The weather of a city, now.' }),
    )
  })

  test('returns text, image, audio and resources as parts; links are not followed', async () => {
    const { content } = await resultOf(await server.tools(), 'gallery')
    expect(content).toMatchObject([
      { type: 'text', text: 'Look and listen:' },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png' } },
      { type: 'audio', source: { kind: 'base64', mediaType: 'audio/wav' } },
      { type: 'file', source: { kind: 'text', text: 'Cold.' }, name: 'file:///notes.txt' },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png' }, name: 'file:///map.png' },
      { type: 'json', value: { type: 'resource_link', uri: 'https://example.com/report' } },
    ])
  })

  test('returns errors as error results, and structured content if there is no other content', async () => {
    const broken = await resultOf(await server.tools(), 'broken')
    expect([broken.isError, textOf(broken)]).toEqual([true, 'The station does not answer.'])
    expect((await resultOf(await server.tools(), 'count')).content).toMatchObject([{ value: { counted: 3 } }])
  })

  test('reports its progress', async () => {
    const reports: Json[] = []
    const tools = await server.tools()
    const executor = new ToolExecutor({ tools, onProgress: (_, progress) => reports.push(progress) })
    await executor.executeBatch([toolCall({ name: 'count' })])
    expect(reports).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
  })

  test('lists its tools again after it has reported a change', async () => {
    const before = await server.tools()
    await resultOf(before, 'learn')
    const names = [...namesOf(before), 'forecast']
    await vi.waitFor(async () => expect(namesOf(await server.tools())).toEqual(names), 30_000)
  })

  test('validates arguments before they are sent', async () => {
    expect(await resultOf(await server.tools(), 'weather', { city: 5 })).toMatchObject({ isError: true })
  })
})

describe('a server over HTTP', () => {
  let http: Server
  const seen: (string | undefined)[] = []

  beforeAll(async () => {
    http = createServer((request, response) => {
      void (async () => {
        seen.push(request.headers.authorization)
        const server = new OfficialServer({ name: 'echo', version: '1' })
        server.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'over HTTP' }] }))
        const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
        await server.connect(transport)
        await transport.handleRequest(request, response)
      })()
    })
    await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  })
  afterAll(() => {
    http.closeAllConnections()
    http.close()
  })

  test('is reached by its URL, with headers', async () => {
    const { port } = http.address() as AddressInfo
    const headers = { authorization: 'Bearer secret' }
    const server = await connectMcp({ url: `http://127.0.0.1:${port}/mcp`, headers })
    expect(textOf(await resultOf(await server.tools(), 'echo'))).toBe('over HTTP')
    expect(new Set(seen)).toEqual(new Set(['Bearer secret']))
    await server.close()
  })
})

describe('the list of tools', () => {
  async function pair(): Promise<{ official: OfficialServer; client: Client }> {
    const official = new OfficialServer({ name: 'test', version: '1' })
    official.registerTool('read', {}, () => ({ content: [{ type: 'text', text: 'official' }] }))
    const client = new Client({ name: 'test', version: '1' })
    const [here, there] = InMemoryTransport.createLinkedPair()
    await official.connect(there)
    await client.connect(here)
    return { official, client }
  }

  test('is requested once, and again on refresh', async () => {
    const { official, client } = await pair()
    let lists = 0
    const counting: McpClient = {
      listTools: (params) => {
        lists += 1
        return client.listTools(params)
      },
      callTool: (...given) => client.callTool(...given),
      close: () => client.close(),
    }
    const server = await connectMcp({ client: counting })
    const [first, second] = await Promise.all([server.tools(), server.tools()])
    expect(first).toBe(second)
    expect(lists).toBe(1)
    official.registerTool('write', {}, () => ({ content: [] }))
    expect(namesOf(await server.refresh())).toEqual(['read', 'write'])
    expect(namesOf(await server.tools())).toEqual(['read', 'write'])
    expect(lists).toBe(2)
    await server.close()
  })

  test('is requested again after a failure', async () => {
    const { client } = await pair()
    let broken = true
    const flaky: McpClient = {
      listTools: (params) => (broken ? Promise.reject(new Error('not now')) : client.listTools(params)),
      callTool: (...given) => client.callTool(...given),
      close: () => client.close(),
    }
    const server = await connectMcp({ client: flaky })
    await expect(server.tools()).rejects.toThrow('not now')
    broken = false
    expect(namesOf(await server.tools())).toEqual(['read'])
  })

  test('is paginated, and an endless one is rejected', async () => {
    const tool = (name: string): { name: string; inputSchema: object } => ({
      name,
      inputSchema: { type: 'object' },
    })
    const paged = (last: string | undefined): McpClient => ({
      listTools: async (params) =>
        params === undefined
          ? { tools: [tool('a')], nextCursor: '2' }
          : { tools: [tool('b')], nextCursor: last },
      callTool: () => Promise.reject(new Error('unused')),
      close: async () => {},
    })
    expect(namesOf(await (await connectMcp({ client: paged(undefined) })).tools())).toEqual(['a', 'b'])
    const endless = await connectMcp({ client: paged('2') })
    await expect(endless.tools()).rejects.toMatchObject({ code: 'invalid-value' })
  })

  test('may be filtered and prefixed; lists of several servers are joined with distinct names', async () => {
    const servers = await Promise.all(
      ['', 'disk_'].map(async (prefix) => connectMcp(await pair(), { prefix })),
    )
    const [files = [], disk = []] = await Promise.all(servers.map((server) => server.tools()))
    expect(namesOf(disk)).toEqual(['disk_read'])
    expect(textOf(await resultOf(disk, 'disk_read'))).toBe('official')
    const joined = joinTools({ files, mail: files, disk })
    expect(namesOf(joined)).toEqual(['files_read', 'mail_read', 'disk_read'])
    expect(textOf(await resultOf(joined, 'mail_read'))).toBe('official')
    expect(() => new Agent({ model: scripted([]), tools: [...files, ...files] })).toThrow(
      expect.objectContaining({ code: 'duplicate-tool', hint: expect.stringContaining('joinTools') }),
    )
    const none = await connectMcp(await pair(), { filter: (name) => name !== 'read' })
    expect(await none.tools()).toEqual([])
  })
})

describe('a server that violates the protocol', () => {
  const listFaulty = async (inputSchema: object, result: unknown): Promise<readonly AgentTool[]> => {
    const client: McpClient = {
      listTools: async () => ({ tools: [{ name: 'odd', inputSchema }] }),
      callTool: async () => result,
      close: async () => {},
    }
    return (await connectMcp({ client })).tools()
  }

  test('a value that is not an MCP result becomes JSON', async () => {
    const tools = await listFaulty(
      { type: 'object' },
      { content: [{ type: 'hologram', data: 1 }, 'bare', { type: 'text' }] },
    )
    expect((await resultOf(tools, 'odd')).content).toMatchObject([
      { type: 'json', value: { type: 'hologram' } },
      { type: 'json', value: 'bare' },
      { type: 'json', value: { type: 'text' } },
    ])
    expect((await resultOf(await listFaulty({ type: 'object' }, 5), 'odd')).content).toMatchObject([
      { value: 5 },
    ])
  })

  test('an error keeps content that is not text; an empty one has a default message', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    const seen = { isError: true, content: [{ type: 'text', text: 'See:' }, image] }
    expect(await resultOf(await listFaulty({ type: 'object' }, seen), 'odd')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'See:' }, { type: 'image' }],
    })
    expect(
      await resultOf(await listFaulty({ type: 'object' }, { isError: true, content: [] }), 'odd'),
    ).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Unknown error.' }],
    })
    expect(
      (await resultOf(await listFaulty({ type: 'object' }, { content: [] }), 'odd')).content,
    ).toMatchObject([{ type: 'json', value: null }])
  })

  test('[S14] a pattern of the server that would backtrack is matched in linear time', async () => {
    const pattern = '^(\\w+\\s?)*$'
    const tools = await listFaulty(
      { type: 'object', properties: { a: { type: 'string', pattern } } },
      { content: [] },
    )
    expect((await resultOf(tools, 'odd', { a: 'a'.repeat(10_000) })).isError).not.toBe(true)
    expect((await resultOf(tools, 'odd', { a: `${'a'.repeat(10_000)}!` })).isError).toBe(true)
  })

  test('a call with an invalid schema gets an error result', async () => {
    const tools = await listFaulty(
      { type: 'object', properties: { a: { type: 'string', pattern: '[' } } },
      {},
    )
    const { isError, content } = await resultOf(tools, 'odd', { a: 'x' })
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining('could not be validated') }])
  })
})

describe('an unreachable server', () => {
  test.each<[string, object, string]>([
    ['a command that does not exist', { command: '/nowhere/at-all' }, 'server-unreachable'],
    ['a process that ends', { command: process.execPath, args: ['-e', ''] }, 'server-unreachable'],
    ['a URL without a server', { url: 'http://127.0.0.1:9/mcp' }, 'server-unreachable'],
    ['an empty URL', { url: 'nowhere' }, 'server-unreachable'],
    ['nothing at all', {}, 'invalid-value'],
  ])('%s', async (_, source, code) => {
    await expect(connectMcp(source as Parameters<typeof connectMcp>[0])).rejects.toMatchObject({
      name: 'InterlinguaError',
      code,
    })
  })
})
