import { validateValue } from 'interlingua/schema'
import { connectMcp, type McpClient } from 'interlingua/agent/mcp'
import { describe, expect, test } from 'vitest'

/** Patterns that cannot be matched in linear time. */
const UNCHECKED = ['(a)\\1', '(?<=a)b', '(?<!a)b', '(?<name>a)\\k<name>', 'a{6000}']

describe('patterns that are not checked are reported', () => {
  test.each(UNCHECKED)('%s', async (pattern) => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string', pattern } } },
      patternProperties: { [pattern]: { type: 'number' } },
    } as const
    const paths = ['/patternProperties/', '/properties/a/items/pattern']
    const valid = await validateValue(schema, { a: ['x'] })
    expect(valid).toMatchObject({ value: { a: ['x'] } })
    expect(valid.unchecked?.map(({ path }) => path).toSorted()).toEqual([
      expect.stringContaining(paths[0] as string),
      paths[1],
    ])
    const invalid = await validateValue(schema, { a: 1 })
    expect(invalid.issues).toHaveLength(1)
    expect(invalid.unchecked).toHaveLength(2)
  })

  test('a schema whose patterns are all checked has no report', async () => {
    expect(await validateValue({ type: 'string', pattern: '^(a+)+$' }, 'aaa')).toEqual({ value: 'aaa' })
  })

  test('the tools of an MCP server are reported when they are read', async () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'string', pattern: '(a)\\1' } } }
    const client = {
      listTools: async () => ({ tools: [{ name: 'find', inputSchema }] }),
      callTool: async () => ({ content: [] }),
      close: async () => {},
    } as unknown as McpClient
    const reports: string[] = []
    const server = await connectMcp(
      { client },
      { prefix: 'db_', onUncheckedPattern: (name, { path }) => reports.push(`${name} ${path}`) },
    )
    expect(await server.tools()).toHaveLength(1)
    expect(reports).toEqual(['db_find /properties/id/pattern'])
    await server.close()
  })
})
