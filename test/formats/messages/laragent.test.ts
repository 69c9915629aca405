import { assistant, type Message, text, toolCall, toolCallsOf } from 'interlingua'
import { laragent } from 'interlingua/formats/laragent'
import { expect, test } from 'vitest'
import { inputsByFormat } from './recognized-inputs.ts'

const read = (title: string): readonly Message[] =>
  laragent.fromMessages(inputsByFormat['laragent']?.[title]).value

test('ids, times, usage and thought signatures are read', () => {
  const [question, calling, results, answer] = read('a tool loop in a file')
  expect(question).toMatchObject({ id: 'msg_1', createdAt: '2026-08-20T17:44:19+00:00' })
  expect(calling && toolCallsOf(calling)[0]?.signature).toMatchObject({ vendor: 'google', value: 's' })
  expect(results).toMatchObject({ id: 'msg_3', role: 'tool', content: [{ callId: 'c1', name: 'weather' }] })
  expect(answer).toMatchObject({ usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12 } })
})

test('text and calls of one answer become two messages: LarAgent ignores the text of a message with calls', () => {
  const call = toolCall({ id: 'c1', name: 'weather', arguments: {} })
  const given = assistant([text('I look.'), call], { id: 'msg_1' })
  const { value, losses } = laragent.toMessages([given])
  expect(value.map(({ content, message_uuid: id }) => [content, id])).toEqual([
    [{ type: 'text', text: 'I look.' }, 'msg_1'],
    [null, 'msg_1_calls'],
  ])
  expect(losses.map(({ rule }) => rule)).toEqual([])
  expect(laragent.fromMessages(value).value.flatMap(({ content }) => content)).toHaveLength(2)
})

test.each(['{"city": ', 'Oslo', '"Oslo"', '5', ''])('arguments %j are JSON for LarAgent', (invalid) => {
  const given = toolCall({ id: 'c1', name: 'weather', arguments: invalid })
  const [written] = laragent.toMessages([assistant([given])]).value
  const calls = (written?.tool_calls ?? []) as unknown as { function: { arguments: string } }[]
  expect(() => JSON.parse(calls[0]?.function.arguments ?? '') as unknown).not.toThrow()
  const [back] = laragent.fromMessages([written]).value
  expect(back && toolCallsOf(back)[0]?.invalidArguments).toBe(given.invalidArguments)
})
