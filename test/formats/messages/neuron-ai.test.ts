import type { Message } from 'interlingua'
import { neuronAi } from 'interlingua/formats/neuron-ai'
import { expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'

test('[r202] every kind of stored message becomes messages and is restored', () => {
  const calls = [
    { callId: 'c1', name: 'weather', description: null, inputs: { city: 'Paris' }, result: null },
  ]
  const results = calls.map((call) => ({ ...call, result: '4 degrees' }))
  const image = { type: 'image', content: 'AAAA', content_type: 'base64', media_type: 'image/png' }
  const stored = [
    { role: 'user', content: 'How warm is it there?', attachments: [image] },
    { role: 'assistant', content: [], type: 'tool_call', tools: calls },
    { role: 'user', content: [], type: 'tool_call_result', tools: results },
    {
      role: 'assistant',
      content: [{ type: 'text', content: 'It is 4 degrees.' }],
      usage: { input_tokens: 9, output_tokens: 3 },
      meta: { rating: 5 },
    },
  ]
  const { value, losses } = neuronAi.fromMessages(stored)
  expect(losses).toEqual([])
  expect(value).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'How warm is it there?' }, { type: 'image' }] },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', arguments: { city: 'Paris' } }] },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'c1', name: 'weather' }] },
    { role: 'assistant', usage: { inputTokens: 9, outputTokens: 3 } },
  ])
  expectSame(again(neuronAi.toMessages(again(value) as Message[])), { value: stored, losses: [] })
})

test.each([
  ['the arguments of its call', { city: 'Paris' }],
  ['no arguments', {}],
  ['an empty list', []],
  ['other arguments', { city: 'Rome' }],
])('a result with %s is restored', (_name, inputs) => {
  const call = { callId: 'c1', name: 'weather', description: null, inputs: { city: 'Paris' }, result: null }
  const stored = [
    { role: 'assistant', content: [], type: 'tool_call', tools: [call] },
    { role: 'user', content: [], type: 'tool_call_result', tools: [{ ...call, inputs, result: '4' }] },
  ]
  const { value } = neuronAi.fromMessages(stored)
  expectSame(again(neuronAi.toMessages(again(value) as Message[]).value), stored)
})
