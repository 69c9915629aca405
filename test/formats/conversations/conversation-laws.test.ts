// Laws of the formats whose files contain conversations: training data and exchange files.
import type { ChatRequest, Json, JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyMessages, anyRequest, RUNS } from '../../arbitraries.ts'
import { traced, vanished } from '../../dialects/find-lost-values.ts'
import { bare } from '../../dialects/json-leaves.ts'
import { mutated } from '../../json-mutations.ts'
import { again, expectFrozen, expectSame, law } from '../../law-assertions.ts'
import { expectOmissionsReported, expectReadOrRefused } from '../shared-laws.ts'
import { conversationRows } from './format-table.ts'

/** Several formats share the time of one law; a soak runs 10,000 conversations for each. */
const SHARE = process.env['SOAK'] ? 10_000 : RUNS / 3

/** The only conversation of a list. */
function first<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1)
  return list[0] as T
}

describe.each(conversationRows)('$name', ({ format, record }) => {
  test('writes its own records as they were read, and gives each message an id', () => {
    law(
      record,
      (given) => {
        const { value, losses, allMessages = [] } = first(format.fromConversations(given))
        expect(losses).toEqual([])
        const messages = [...value.messages]
        for (const message of messages) expectFrozen(message)
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
        expect(new Set(allMessages.map(({ id }) => id)).size).toBe(allMessages.length)
        const written = format.toConversation(again(value) as ChatRequest)
        expectSame(again(written.value), again(given))
        expect(written.losses).toEqual([])
      },
      SHARE,
    )
  })

  test('keeps columns and fields that it does not know', () => {
    law(
      record,
      (given) => {
        const extended = addUnknownFields(given)
        const { value } = first(format.fromConversations(extended))
        expectSame(again(format.toConversation(value).value), again(extended))
      },
      SHARE,
    )
  })

  test('writes any conversation, and reports what it omits', () => {
    law(anyMessages, (generated) => expectOmissionsReported(format, generated), SHARE)
  })

  test('writes any request with its tools, and reports what it omits', () => {
    law(
      anyRequest,
      (generated) => {
        const { messages, tools = [] } = again(generated) as ChatRequest
        const given = traced(bare({ messages, ...(tools.length > 0 && { tools }) }))
        const { value, losses } = format.toConversation(given)
        const back = first(format.fromConversations(again(value))).value
        expect(vanished(given, again(back), losses)).toEqual([])
      },
      SHARE,
    )
  })

  test('broken records are read, or refused with a code and a path', () => {
    law(
      mutated(record.map((each) => [each])),
      (broken) => expectReadOrRefused(() => format.fromConversations(broken)),
      SHARE * 3,
    )
  })
})

/** Adds an unknown field to every object that is not data of the application. */
function addUnknownFields(value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => addUnknownFields(each as Json))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).map(([key, each]): readonly [string, Json] => [
    key,
    key === 'parameters' || key === 'arguments' ? each : addUnknownFields(each),
  ])
  return Object.fromEntries([...entries, ['x_unknown', { deep: [1, null, 'é'] }]])
}
