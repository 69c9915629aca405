import {
  assistant,
  type ChatRequest,
  type DialectName,
  dialects,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, it } from 'vitest'

const schema = {
  type: 'object',
  properties: { tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
  required: ['tags'],
  additionalProperties: false,
} as const

const call = toolCall({ id: 'call_1', name: 'tag', arguments: { tags: ['a', ['b', { c: ['d'] }]] } })

const request: ChatRequest = {
  model: 'm',
  maxOutputTokens: 100,
  tools: [{ type: 'function', name: 'tag', input: schema }],
  output: { type: 'json', schema, name: 'result' },
  messages: [user('Hi'), assistant([call]), toolResults(toolResult(call, 'done')), user('Go on.')],
}

/** Returns the pointers of the frozen lists in a value. */
function findFrozenLists(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && Object.isFrozen(value) ? [pointer] : []
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, item]) => findFrozenLists(item, `${pointer}/${key}`)),
  ]
}

// `JSON.stringify` takes twice as long for a body with a frozen list.
describe.each(Object.keys(dialects) as DialectName[])('a request of %s', (name) => {
  const dialect = dialects[name]

  it('has no frozen list in schemas and arguments', () => {
    const { value } = dialect.encodeRequest(request)
    expect(findFrozenLists(value)).toEqual([])
    expect(JSON.stringify(value)).toContain('"required":["tags"]')
  })

  it('has none either if it was received', () => {
    const received = dialect.decodeRequest(JSON.parse(JSON.stringify(dialect.encodeRequest(request).value)))
    expect(findFrozenLists(dialect.encodeRequest(received.value).value)).toEqual([])
  })

  it('does not share its lists with the request or another body', () => {
    const before = JSON.stringify(dialect.encodeRequest(request).value)
    const { value } = dialect.encodeRequest(request)
    clearLists(value)
    expect(JSON.stringify(dialect.encodeRequest(request).value)).toBe(before)
  })
})

/** Removes the items of all lists in a value. */
function clearLists(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const item of Object.values(value)) clearLists(item)
  if (Array.isArray(value)) value.length = 0
}
