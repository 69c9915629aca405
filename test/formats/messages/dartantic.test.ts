import { assistant, reasoning, text, toolCall, toolResult } from 'interlingua'
import { dartantic } from 'interlingua/formats/dartantic'
import { expect, test } from 'vitest'
import { inputsByFormat } from './recognized-inputs.ts'

test('[C1] results in a user message become a tool message, and are written as one user message', () => {
  const given = inputsByFormat['dartantic']?.['a tool loop of version 3']
  const { value } = dartantic.fromMessages(given)
  expect(value.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  expect(value[2]?.content).toMatchObject([{ callId: 'c1', content: [{ value: { degrees: 4 } }] }])
  expect(dartantic.toMessages(value).value).toEqual(given)
})

test('the thinking block of Anthropic is the signature of the reasoning with its text', () => {
  const [, answer] = dartantic.fromMessages(inputsByFormat['dartantic']?.['a tool loop of version 3']).value
  expect(answer?.content[0]).toMatchObject({
    type: 'reasoning',
    signature: { vendor: 'anthropic', value: 's' },
  })
  const signature = { vendor: 'anthropic', value: 'x' }
  const [written] = dartantic.toMessages([assistant([reasoning('Hm', { signature }), text('Hi')])]).value
  expect(written?.metadata).toEqual({ _anthropic_thinking_block: { thinking: 'Hm', signature: 'x' } })
  const [back] = dartantic.fromMessages([written]).value
  expect(back?.content[0]?.signature).toMatchObject(signature)
})

test('reasoning of versions without thinking parts is read from the metadata', () => {
  const [answer] = dartantic.fromMessages(inputsByFormat['dartantic']?.['version 2']).value
  expect(answer?.content).toMatchObject([{ type: 'reasoning', text: 'Hm' }, { type: 'text' }])
  expect(answer?.metadata).toBeUndefined()
})

test('invalid arguments are wrapped and reported, never replaced by {}', () => {
  const call = toolCall({ id: 'c1', name: 'weather', arguments: '{"city": ' })
  const { value, losses } = dartantic.toMessages([assistant([call])])
  expect(value[0]?.parts[0]?.['content']).toMatchObject({ arguments: { input: '{"city": ' } })
  expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toContain(
    'arguments-wrapped /0/content/0/invalidArguments',
  )
})

test('all results of a round are parts of one message', () => {
  const { value } = dartantic.toMessages([
    { id: 'm', role: 'tool', content: [toolResult('c1', '4'), toolResult('c2', { rain: true })] },
  ])
  expect(value).toMatchObject([
    { role: 'user', parts: [{ content: { result: '4' } }, { content: { result: { rain: true } } }] },
  ])
})
