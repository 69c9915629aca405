import type { Json } from 'interlingua'
import { type MessageFormatName, fromMessages, toMessages } from 'interlingua/formats'
import { expect, test } from 'vitest'
import { again } from '../../law-assertions.ts'

/** A message with a call in each format whose arguments are any JSON value, and how its arguments are found. */
const formats = {
  'ai-sdk-ui-messages': (input: Json) => ({
    id: 'm1',
    role: 'assistant',
    parts: [{ type: 'tool-weather', toolCallId: 'c1', state: 'input-available', input }],
  }),
  'ai-sdk-model-messages': (input: Json) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input }],
  }),
  opentelemetry: (input: Json) => ({
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: input }],
  }),
} satisfies Partial<Record<MessageFormatName, (input: Json) => unknown>>
const names = ['ai-sdk-ui-messages', 'ai-sdk-model-messages', 'opentelemetry'] as const

const values: readonly Json[] = [{ a: 1 }, 'abc', '{"a":', '86', 'null', '[1]', '"abc"', 86, true, [1]]

test.each(names)('arguments of %s that are no object keep their type in the other formats', (from) => {
  for (const to of names)
    for (const value of values) {
      const { value: messages } = fromMessages([formats[from](value)], { from })
      const written = again(toMessages(messages, { to }).value) as readonly unknown[]
      expect(JSON.stringify(written), `${JSON.stringify(value)} in ${to}`).toContain(
        `${to === 'opentelemetry' ? '"arguments"' : '"input"'}:${JSON.stringify(value)}`,
      )
    }
})
