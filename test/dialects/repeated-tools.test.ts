import { type ChatRequest, dialects, type Tool, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }

function createTool(name: string, description: string): Tool {
  return { type: 'function', name, description, input: schema }
}

function createRequest(...tools: readonly Tool[]): ChatRequest {
  return { model: 'm', maxOutputTokens: 9, stream: false, messages: [user('Hi')], tools }
}

const names = subjects.map(({ name }) => name)

describe.each(names)('%s: two tools of one name', (name) => {
  const dialect = dialects[name]

  test('the last one is sent, and each other one is a loss', () => {
    const [first, second, other] = [createTool('a', '1'), createTool('a', '2'), createTool('b', '3')]
    const { value, losses } = dialect.encodeRequest(createRequest(first, second, other, first))
    expectSame(again(value), again(dialect.encodeRequest(createRequest(other, first)).value))
    const repeated = losses.filter(({ rule }) => rule === 'redeclared-tool')
    expect(repeated.map(({ path, severity }) => `${severity} ${path}`)).toEqual([
      'loss /tools/0',
      'loss /tools/1',
    ])
    const listed = dialect.encodeTools([first, second])
    expect(listed.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['redeclared-tool /0'])
  })

  test('received ones are sent as received, also from the stored form', () => {
    const body = again(
      dialect.encodeRequest(createRequest(createTool('a', '1'), createTool('q', '2'))).value,
    ) as { [key: string]: unknown }
    const repeated = JSON.parse(JSON.stringify(body).replaceAll('"q"', '"a"')) as object
    const decoded = dialect.decodeRequest(repeated).value
    expect(decoded.tools).toHaveLength(2)
    expectSame(again(dialect.encodeRequest(decoded)), { value: repeated, losses: [] })
    expectSame(again(dialect.encodeRequest(again(decoded) as ChatRequest)), { value: repeated, losses: [] })
  })
})
