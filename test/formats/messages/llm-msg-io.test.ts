import { reasoning, type Message } from 'interlingua'
import { llmMsgIo } from 'interlingua/formats/llm-msg-io'
import { expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'

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
