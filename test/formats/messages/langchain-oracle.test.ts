import { type BaseMessage, mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { type JsonObject, type Message, repair, textOf, toolCallsOf } from 'interlingua'
import { langchain } from 'interlingua/formats/langchain'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { anyLangChainMessages } from './langchain-arbitrary.ts'
import { recordedMessages } from './langchain-recorded.ts'

const SHARE = RUNS / 10

const TYPES = { system: 'system', developer: 'system', user: 'human', assistant: 'ai', tool: 'tool' } as const

describe('LangChain', () => {
  const revive = (stored: unknown): readonly (BaseMessage & { readonly tool_calls?: { name: string }[] })[] =>
    mapStoredMessagesToChatMessages(stored as never)

  test('reads the messages that are written', () => {
    law(
      anyMessages,
      (given) => {
        const tidy = repair((again(given) as Message[]).filter(({ role }) => role !== 'tool'))
        const revived = revive(again(langchain.toMessages(tidy).value))
        const texts = tidy.filter(({ role }) => role === 'user' || role === 'assistant')
        const shown = revived.filter(({ type }) => type !== 'tool' && type !== 'system')
        expect(shown.map(({ type }) => type)).toEqual(texts.map(({ role }) => TYPES[role]))
        const calls = texts.flatMap((message) =>
          toolCallsOf(message).flatMap((call) =>
            call.arguments === undefined || call.executedBy === 'provider' ? [] : [call.name],
          ),
        )
        expect(shown.flatMap(({ tool_calls: found = [] }) => found.map(({ name }) => name))).toEqual(calls)
      },
      SHARE,
    )
  })

  test('writes messages that are read and written unchanged', () => {
    law(
      anyLangChainMessages,
      (wire) => {
        // The library assigns the key `__proto__`, which changes the prototype of its own objects.
        const safe = JSON.parse(JSON.stringify(wire).replaceAll('__proto__', 'proto')) as JsonObject[]
        const stored = safe.filter(
          ({ type, data }) => type !== 'remove' && data !== undefined && type !== 'constructor',
        )
        const live = revive(stored)
        const dicts = again(live.map((message) => message.toDict()))
        expectSame(again(langchain.toMessages(langchain.fromMessages(dicts).value).value), dicts)
        // Live messages are read through their `toJSON`.
        const read = langchain.fromMessages(live).value
        expect(read.map((message) => textOf(message))).toEqual(
          langchain.fromMessages(dicts).value.map((message) => textOf(message)),
        )
      },
      SHARE,
    )
  })
})

test.each(Object.entries(recordedMessages))('recorded: %s', (_, { messages, texts, calls }) => {
  const { value } = langchain.fromMessages(messages)
  expectSame(again(langchain.toMessages(value).value), again(messages))
  expect(value.map((message) => textOf(message))).toEqual(texts)
  expect(value.flatMap((message) => toolCallsOf(message).map(({ name }) => name))).toEqual(calls)
})
