import { readFileSync } from 'node:fs'
import { assistant, type ChatRequest, dialects, toolCall, toolResult, toolResults, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { flavors, type OpenAIChatFlavorName } from '../../../src/dialects/openai-chat/flavors.ts'
import { compatibleHostRows } from '../../../src/providers/compatible-hosts.ts'
import { expectSame } from '../../law-assertions.ts'
import { documentedAnswers } from './documented-bodies.ts'
import { legal } from './flavor-requests.ts'

const chat = dialects['openai-chat']

describe('answers in the form of the documentation', () => {
  test.each(Object.entries(documentedAnswers))('%s', (name, [reasoning, body]) => {
    const flavor = name as OpenAIChatFlavorName
    const { value } = chat.decodeResponse(body, { flavor })
    const content = value.candidates[0]?.content ?? []
    expect(content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))[0]).toBe(reasoning)
    expectSame(chat.encodeResponse(value).value, body)
    // The reasoning of a host goes back to it in the same form.
    const request: ChatRequest = { model: 'm', messages: [user('Hi'), ...value.candidates, user('Go on.')] }
    const { value: sent, losses } = chat.encodeRequest(request, { flavor })
    if (reasoning !== undefined) expect(JSON.stringify(sent)).toContain(reasoning)
    expect(losses.filter(({ rule }) => rule.includes('reasoning'))).toEqual([])
  })
})

test('a call without reasoning gets the filler that the host requires, and other messages do not', () => {
  const request: ChatRequest = {
    model: 'kimi-k2.6',
    messages: [
      user('Hi'),
      assistant([toolCall({ id: 'call_1', name: 'f', arguments: {} })]),
      toolResults([toolResult('call_1', 'done')]),
      assistant('Done.'),
      user('Thanks.'),
    ],
  }
  const { value, losses } = chat.encodeRequest(request, { flavor: 'moonshot' })
  expect(value.messages[1]).toMatchObject({ reasoning_content: ' ' })
  expect(value.messages[3]).not.toHaveProperty('reasoning_content')
  expect(losses).toMatchObject([{ rule: 'empty-reasoning', path: '/messages/1' }])
})

test('every compatible host that deviates has a body that is sent unchanged, or an answer', () => {
  const hosts = Object.values(compatibleHostRows).flatMap(({ dialect, flavor = [] }) =>
    dialect === 'openai-chat' ? flavor : [],
  )
  const tested = new Set(Object.keys({ ...legal, ...documentedAnswers }))
  expect(hosts.length).toBeGreaterThan(10)
  expect(hosts.filter((host) => !tested.has(host))).toEqual([])
})

test('every row names its source', () => {
  const folder = new URL('../../../src/dialects/openai-chat/', import.meta.url)
  const source = ['flavors.ts', 'open-model-hosts.ts']
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  // A row, with the comments before it.
  const rows = [...source.matchAll(/((?:^ {2}\/\/.*\n)*)^ {2}'?([\w.-]+)'?: (?:\{\n[^]*?^ {2}\}|[^\n]*),$/gm)]
  const sources = new Map(
    rows.map(([text, , name = '']) => [name, /\/\/.*[\w-]+(?:\.[a-z]{2,}\/|\/[\w.-]+#\d)/.test(text)]),
  )
  expect(Object.keys(flavors).filter((name) => sources.get(name) !== true)).toEqual([])
})
