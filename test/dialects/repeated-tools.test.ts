import { type ChatRequest, type Dialect, dialects, type Tool, toolCall, user } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
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

const bash: Tool = { type: 'provider', provider: 'anthropic', name: 'bash', options: {} }
const dated: Tool = {
  type: 'provider',
  provider: 'anthropic',
  name: 'bash_20250124',
  options: { name: 'bash' },
}
const editor: Tool = { type: 'provider', provider: 'anthropic', name: 'text_editor', options: {} }

describe('a function with the name of a tool of the provider', () => {
  test.each([
    ['bash', bash],
    ['bash', dated],
    ['str_replace_based_edit_tool', editor],
  ])('%s is declared once by each dialect', (name, hosted) => {
    for (const tools of [
      [hosted, createTool(name, 'mine'), createTool('other', '')],
      [createTool(name, 'mine'), createTool('other', ''), hosted],
    ])
      for (const dialect of Object.values<Dialect>(dialects)) {
        const { value, losses } = dialect.encodeRequest(createRequest(...tools))
        const text = JSON.stringify(value)
        expect(text.split(`"${name}"`)).toHaveLength(2)
        const isOwn = dialect.name === 'anthropic'
        expect(text.includes('"mine"')).toBe(!isOwn)
        const [omitted] = losses.filter(({ path }) => path.startsWith('/tools'))
        const index = isOwn ? tools.findIndex((tool) => tool.type === 'function') : tools.indexOf(hosted)
        expect(omitted).toMatchObject({
          rule: isOwn ? 'hosted-tool-repeated' : 'foreign-tool',
          path: `/tools/${index}`,
          severity: 'loss',
        })
      }
  })

  test('received ones are sent as received', () => {
    const { value } = dialects.anthropic.encodeRequest(createRequest(createTool('q', ''), bash))
    const body = JSON.parse(JSON.stringify(value).replace('"q"', '"bash"')) as object
    expectSame(again(dialects.anthropic.encodeRequest(dialects.anthropic.decodeRequest(body).value)), {
      value: body,
      losses: [],
    })
  })

  test('an agent runs the calls with its own tool', async () => {
    const model = scripted([toolCall({ id: 'c', name: 'bash', arguments: { command: 'ls' } }), 'Done.'], {
      dialect: 'anthropic',
    })
    const own = tool({ name: 'bash', run: () => 'a.txt' })
    const { messages } = await new Agent({ model, tools: [bash, own] }).send('List the files.')
    expect(JSON.stringify(model.calls[0]?.body)).toContain('{"name":"bash","type":"bash_20250124"}')
    expect(JSON.stringify(messages)).toContain('a.txt')
  })
})

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
