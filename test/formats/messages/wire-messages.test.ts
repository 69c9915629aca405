import type { JsonObject, Message } from 'interlingua'
import {
  anthropicMessages,
  bedrockMessages,
  chatMessages,
  cohereMessages,
  geminiContents,
  interactionSteps,
  type MessageFormat,
  mistralMessages,
  ollamaMessages,
  responsesItems,
} from 'interlingua/formats/wire-messages'
import { describe, expect, test } from 'vitest'
import { subjects } from '../../dialects/dialect-table.ts'
import { again, attempt, expectSame } from '../../law-assertions.ts'

const formats: { readonly [name: string]: MessageFormat } = {
  anthropic: anthropicMessages,
  gemini: geminiContents,
  'openai-responses': responsesItems,
  ollama: ollamaMessages,
  'openai-chat': chatMessages,
  mistral: mistralMessages,
  'gemini-interactions': interactionSteps,
  bedrock: bedrockMessages,
  cohere: cohereMessages,
}

describe.each(subjects)('bare messages of $name', ({ name, row, fixtures }) => {
  const format = formats[name] as MessageFormat
  const lists = fixtures.request.flatMap(({ name: title, body }) => {
    const list = body[row.list]
    // Contents of one turn are written as a step.
    if (name === 'gemini-interactions' && /^\[\{"type":"(?:text|image)"/.test(JSON.stringify(list))) return []
    // The number of cache points is limited, unless a received request has more.
    if (name === 'bedrock' && title === 'unusual six cache points') return []
    return Array.isArray(list) ? [{ title, list: list as JsonObject[] }] : []
  })

  test.each(lists)('$title', ({ title, list }) => {
    const read = attempt(() => format.fromMessages(list))
    // Messages of no known role are refused; tools among the items are reported.
    if (read === undefined) expect(title).toMatch(/^unusual/)
    else if (read.losses.length > 0) expect(read.losses.map(({ path }) => path)).toEqual(['/tools'])
    else expectSame(again(format.toMessages(again(read.value) as Message[]).value), again(list))
  })

  test('an empty list stays empty', () => {
    expect(format.toMessages([])).toEqual({ value: [], losses: [] })
  })

  test('there are some', () => expect(lists.length).toBeGreaterThan(0))
})
