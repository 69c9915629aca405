import { reasoning, type Message } from 'interlingua'
import { llmMsgIo } from 'interlingua/formats/llm-msg-io'
import { expect, test } from 'vitest'
import { bare } from '../../dialects/json-leaves.ts'
import { again, expectSame } from '../../law-assertions.ts'

test('[r188] the fields of its one message type become parts and are restored', () => {
  const wire = [
    { role: 'user', id: 'u1', name: 'ann', content: 'Will it rain?', extra: { shown: true } },
    {
      role: 'assistant',
      id: 'a1',
      name: 'planner',
      content: [{ type: 'text', text: 'I look it up.' }],
      reasoning: 'The city is missing.',
      refusal: 'I cannot promise anything.',
      tool_calls: [{ name: 'weather', arguments: '{"city":"Paris"}', call_id: 'c1' }],
      extra: { gemini: { note: 1 } },
    },
    { role: 'tool', call_id: 'c1', name: 'weather', content: 'sunny' },
  ]
  const { value, losses } = llmMsgIo.fromMessages(wire)
  expect(losses).toEqual([])
  expect(value).toMatchObject([
    { role: 'user', id: 'u1', name: 'ann', content: [{ type: 'text', text: 'Will it rain?' }] },
    { role: 'assistant', id: 'a1', name: 'planner' },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'c1', name: 'weather' }] },
  ])
  expect(value[1]?.content).toHaveLength(4)
  expect(value[1]?.content).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'reasoning', text: 'The city is missing.' }),
      expect.objectContaining({ type: 'text', text: 'I look it up.' }),
      expect.objectContaining({ type: 'refusal', text: 'I cannot promise anything.' }),
      expect.objectContaining({
        type: 'tool-call',
        id: 'c1',
        name: 'weather',
        arguments: { city: 'Paris' },
      }),
    ]),
  )
  expectSame(again(llmMsgIo.toMessages(again(value) as Message[])), { value: wire, losses: [] })
})

test('hidden reasoning of Claude is restored without a loss', () => {
  const wire = [
    {
      role: 'assistant',
      content: 'Yes.',
      extra: { claude: { thinking_blocks: [{ type: 'redacted_thinking', data: 'EmwK' }] } },
    },
  ]
  const { value } = llmMsgIo.fromMessages(wire)
  expect(value[0]?.content[0]).toMatchObject({ type: 'reasoning', text: '', redacted: true })
  const written = llmMsgIo.toMessages(again(value) as Message[])
  expectSame(again(written.value), wire)
  expect(written.losses).toEqual([])
})

test('the mark of any other hidden reasoning is a loss', () => {
  const hidden = (vendor: string, content: string) =>
    ({ ...reasoning(content, { signature: { vendor, value: 'x' } }), redacted: true }) as const
  for (const part of [hidden('openai', ''), hidden('anthropic', 'The user wants a list.')]) {
    const { losses } = llmMsgIo.toMessages([{ id: 'a1', role: 'assistant', content: [part] }])
    expect(losses).toContainEqual(
      expect.objectContaining({ rule: 'reasoning-mark', path: '/0/content/0/redacted' }),
    )
  }
})

test('reasoning beside the blocks of Claude stays apart', () => {
  const message = (text: string, ...blocks: readonly string[]) => ({
    role: 'assistant',
    content: 'Yes.',
    reasoning: text,
    extra: {
      claude: {
        thinking_blocks: blocks.map((thinking) => ({ type: 'thinking', thinking, signature: 'EmwK' })),
      },
    },
  })
  for (const wire of [[message('A', 'B')], [message('A', '', 'B')], [message('A\nB', 'A', 'B')]]) {
    const { value } = llmMsgIo.fromMessages(wire)
    const written = llmMsgIo.toMessages(again(value) as Message[])
    expectSame(again(written.value), wire)
    expect(written.losses).toEqual([])
    // From the content alone, too.
    const [message] = value.map(bare)
    if (message === undefined) throw new Error('no message')
    const [first] = llmMsgIo.toMessages([message]).value
    expect(first).toMatchObject({ reasoning: wire[0]?.reasoning, extra: wire[0]?.extra })
  }
})

test('reasoning after a block of Claude is written before it, which is a loss', () => {
  const block = reasoning('B', { signature: { vendor: 'anthropic', value: 'EmwK' } })
  const { losses } = llmMsgIo.toMessages([{ id: 'a1', role: 'assistant', content: [block, reasoning('A')] }])
  expect(losses).toContainEqual(expect.objectContaining({ rule: 'order-lost', path: '/0/content/1' }))
})
