import { assistant, reasoning, refusal, text, textOf } from 'interlingua'
import { fromConversations, fromMessages, toConversation } from 'interlingua/formats'
import { expect, test } from 'vitest'
import { describeParts, only } from './only-conversation.ts'

/** A conversation as the chat template of Qwen3 renders it, with a prompt for the next answer. */
const rendered = `<|im_start|>system
Be brief.

# Tools

Call one of the functions in <tools></tools>:
<tools>
{"type": "function", "function": {"name": "weather", "description": "The weather", "parameters": {"type": "object", "properties": {}}}}
</tools>

Write calls in <tool_call></tool_call>.<|im_end|>
<|im_start|>user
How warm is it in Oslo?<|im_end|>
<|im_start|>assistant
<think>
The tool knows.
</think>

Let me see.
<tool_call>
{"name": "weather", "arguments": {"city": "Oslo"}}
</tool_call>
<tool_call>
{"name": "weather", "arguments": {"city": "Bergen"}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
4
</tool_response>
<tool_response>
7
</tool_response><|im_end|>
<|im_start|>assistant
<think>

</think>

4 degrees, and 7 in Bergen.<|im_end|>
<|im_start|>assistant
`

test('a rendered prompt is a conversation with tools, reasoning, calls and results', () => {
  const { value, format } = only(rendered)
  expect(format).toBe('chatml')
  expect(describeParts(value)).toEqual([
    'system: text',
    'user: text',
    'assistant: reasoning, text, tool-call, tool-call',
    'tool: tool-result, tool-result',
    'assistant: reasoning, text',
  ])
  expect([...value.messages].map((message) => textOf(message)).slice(0, 2)).toEqual([
    'Be brief.',
    'How warm is it in Oslo?',
  ])
  expect(value.tools).toMatchObject([{ type: 'function', name: 'weather', description: 'The weather' }])
  expect([...value.messages][3]?.content).toMatchObject([
    { callId: 'call_1', name: 'weather', content: [{ text: '4' }] },
    { callId: 'call_2', content: [{ text: '7' }] },
  ])
  expect(toConversation(value, { to: 'chatml' }).value.text).toBe(rendered)
  expect(fromMessages(rendered).value).toHaveLength(5)
})

test('an edited conversation is written anew, without the old text', () => {
  const { value } = only(rendered)
  const messages = [...value.messages].slice(0, 2)
  const { text } = toConversation({ ...value, messages }, { to: 'chatml' }).value
  expect(text).toContain('"name":"weather"')
  expect(text).not.toContain('Bergen')
  expect(only(text).value.tools).toHaveLength(1)
})

test('tools that a system text of another form describes are known, and the text stays', () => {
  const text =
    'You may call <tools> [{"name": "weather", "parameters": {"type": "object"}}] </tools> in <tool_call> tags.'
  const { value } = only({ text: `<|im_start|>system\n${text}<|im_end|>\n<|im_start|>user\nHi<|im_end|>` })
  expect(value.tools).toMatchObject([{ name: 'weather' }])
  const messages = [...value.messages]
  expect(messages.map((message) => textOf(message))).toEqual([text, 'Hi'])
  const written = toConversation({ ...value, messages: messages.slice(0, 1) }, { to: 'chatml' })
  expect(written.value.text).toBe(`<|im_start|>system\n${text}<|im_end|>\n`)
})

test('text outside of turns is an error with the number of the turn', () => {
  const input = { text: 'Hello<|im_start|>user\nHi<|im_end|>' }
  expect(() => fromConversations(input, { from: 'chatml' })).toThrow(
    expect.objectContaining({ code: 'invalid-value', path: '/0/text' }),
  )
  expect(() => fromConversations({ text: '<|im_start|>user\nHi<|im_end|>lost' })).toThrow(
    expect.objectContaining({ code: 'invalid-value', path: '/0/text/0' }),
  )
})

// An empty text between two reasoning parts writes nothing, so that they follow each other in the record.
test.each(['chatml', 'harmony'] as const)('%s keeps reasoning parts apart, empty ones included', (to) => {
  const thoughts = [reasoning(''), refusal(''), reasoning('Hm.'), reasoning(''), text('Hi')]
  const { value, losses } = toConversation({ messages: [assistant(thoughts)] }, { to })
  expect(losses.map(({ rule }) => rule)).not.toContain('texts-concatenated')
  const messages = [...(fromConversations(value)[0]?.value.messages ?? [])]
  expect(messages.map(({ content }) => content)).toEqual([
    [reasoning(''), reasoning('Hm.'), reasoning(''), text('Hi')],
  ])
  expect(toConversation({ messages }, { to })).toMatchObject({ value, losses: [] })
})
