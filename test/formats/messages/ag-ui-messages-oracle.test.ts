import type { Message as AgUiMessage } from '@ag-ui/core'
import { MessageSchema } from '@ag-ui/core/schemas'
import { image, user } from 'interlingua'
import { agUiMessages } from 'interlingua/formats/ag-ui-messages'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, law } from '../../law-assertions.ts'
import { anyAgUiMessages } from './ag-ui-messages-arbitrary.ts'

const SHARE = RUNS / 10

describe('@ag-ui/core', () => {
  test('accepts the messages that are written', () => {
    law(
      anyMessages,
      (given) => {
        for (const message of agUiMessages.toMessages(given).value) MessageSchema.parse(again(message))
      },
      SHARE,
    )
  })

  test('accepts the generated messages, so that the laws hold for real ones', () => {
    law(anyAgUiMessages, (wire) => wire.forEach((message) => MessageSchema.parse(again(message))), SHARE)
  })

  test('has the types of the written messages', () => {
    const written = agUiMessages.toMessages([user(['Look:', image('https://example.org/a.png')])]).value
    const messages = written satisfies AgUiMessage[]
    expect(messages[0]?.role).toBe('user')
  })
})

test('reasoning belongs to the answer after it, and keeps its encrypted value', () => {
  const wire = [
    {
      id: 'r',
      role: 'reasoning',
      content: 'Hm',
      encryptedValue: 'xyz',
      metadata: { interlingua: { vendor: 'openai' } },
    },
    { id: 'a', role: 'assistant', content: 'Hello' },
  ]
  const [answer, ...rest] = agUiMessages.fromMessages(wire).value
  expect(rest).toEqual([])
  expect(answer?.id).toBe('a')
  expect(answer?.content.map(({ type }) => type)).toEqual(['reasoning', 'text'])
  expect(answer?.content[0]?.signature).toMatchObject({ vendor: 'openai', value: 'xyz' })
})
