import { developer, type JsonSchema, textOf, user } from 'interlingua'
import { fromConversations, toConversation } from 'interlingua/formats'
import { harmony } from 'interlingua/formats/harmony'
import { expect, test } from 'vitest'
import { describeParts, only } from './only-conversation.ts'

/** A prompt as openai/harmony renders it. */
const rendered = `<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.
Knowledge cutoff: 2024-06
Current date: 2025-06-28

Reasoning: high

# Valid channels: analysis, commentary, final. Channel must be included for every message.
Calls to these tools must go to the commentary channel: 'functions'.<|end|><|start|>developer<|message|># Instructions

Be brief.

# Tools

## functions

namespace functions {

// The place of the user.
type get_location = () => any;

// The weather.
// In a city.
type weather = (_: {
// The city, e.g. Oslo
city: string,
days?: number[],
unit?: "celsius" | "fahrenheit", // default: celsius
either?:
 | string // a name
 | number // default: 20
,
}) => any;

} // namespace functions<|end|><|start|>user<|message|>How warm is it?<|end|><|start|>assistant<|channel|>analysis<|message|>Use the tool.<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|><|start|>functions.weather to=assistant<|channel|>commentary<|message|>4<|end|><|start|>assistant<|channel|>final<|message|>4 degrees<|return|>`

test('a rendered prompt is a conversation with tools, reasoning, calls and results', () => {
  const { value, format } = only(rendered)
  expect(format).toBe('harmony')
  expect(value.reasoning).toEqual({ effort: 'high' })
  expect(describeParts(value)).toEqual([
    'developer: text',
    'user: text',
    'assistant: reasoning, text, tool-call',
    'tool: tool-result',
    'assistant: text',
  ])
  expect(textOf([...value.messages][0] ?? user(''))).toBe('Be brief.')
  expect(value.tools).toEqual([
    {
      type: 'function',
      name: 'get_location',
      description: 'The place of the user.',
      input: { type: 'object', properties: {} },
    },
    {
      type: 'function',
      name: 'weather',
      description: 'The weather.\nIn a city.',
      input: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'The city, e.g. Oslo' },
          days: { type: 'array', items: { type: 'number' } },
          unit: { enum: ['celsius', 'fahrenheit'], default: 'celsius' },
          either: { type: ['string', 'number'] },
        },
        required: ['city'],
      },
    },
  ])
  expect(toConversation(value, { to: 'harmony' }).value.text).toBe(rendered)
})

test('another effort changes the header, and nothing else of it', () => {
  const { value } = only(rendered)
  const { text } = toConversation({ ...value, reasoning: { effort: 'low' } }, { to: 'harmony' }).value
  expect(text).toContain('Current date: 2025-06-28\n\nReasoning: low\n\n# Valid channels')
})

test('the output of a model is an answer', () => {
  const { value } = only(
    '<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>',
  )
  expect(describeParts(value)).toEqual(['assistant: reasoning, text'])
})

test.each<[string, JsonSchema, boolean]>([
  ['an object', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }, false],
  ['no properties', { type: 'object' }, false],
  [
    'a nested list',
    { type: 'object', properties: { a: { type: 'array', items: { type: ['string', 'null'] } } } },
    false,
  ],
  [
    'keys and values with signs',
    { type: 'object', properties: { 'a b': { enum: ['<|end|>', '"', '} // x'] } } },
    false,
  ],
  ['a limit', { type: 'object', properties: { days: { type: 'number', maximum: 7 } } }, true],
  ['whole numbers', { type: 'object', properties: { days: { type: 'integer' } } }, true],
])('the schema of %s is restored, or reported', (_, input, isSimplified) => {
  const tool = { type: 'function', name: 'weather', input } as const
  const { value, losses } = harmony.toConversation({ messages: [developer('Be brief.')], tools: [tool] })
  expect(losses.filter(({ rule }) => rule === 'schema-simplified').map(({ path }) => path)).toEqual(
    isSimplified ? ['/tools/0/input'] : [],
  )
  const [read] = only(value).value.tools ?? []
  if (!isSimplified) expect(read).toEqual({ ...tool, input: { properties: {}, ...input } })
})

test('deeply nested types are text, and not an exception', () => {
  const depth = 100_000
  const type = `${'{a: '.repeat(depth)}string${'}'.repeat(depth)}`
  const text = `# Tools\n\n## functions\n\nnamespace functions {\n\ntype x = (_: ${type}) => any;\n\n} // namespace functions`
  const { value } = only(`<|start|>developer<|message|>${text}<|end|>`)
  expect(value.tools).toBeUndefined()
  expect(describeParts(value)).toEqual(['developer: text'])
})

test.each([
  ['text outside of a message', 'Hello<|start|>user<|message|>Hi<|end|>', '/0/text'],
  ['a header without content', '<|start|>user<|start|>user<|message|>Hi<|end|>', '/0/text/0'],
  ['no role', '<|start|><|message|>Hi<|end|>', '/0/text/0'],
])('%s is an error with the number of the message', (_, text, path) => {
  expect(() => fromConversations({ text }, { from: 'harmony' })).toThrow(
    expect.objectContaining({ code: 'invalid-value', path }),
  )
})
