import {
  convertToModelMessages,
  type ModelMessage,
  modelMessageSchema,
  type UIMessage,
  validateUIMessages,
} from 'ai'
import fc from 'fast-check'
import { image, type JsonObject, type Message, repair, user } from 'interlingua'
import { aiSdkModelMessages } from 'interlingua/formats/ai-sdk-model-messages'
import { aiSdkUiMessages } from 'interlingua/formats/ai-sdk-ui-messages'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { anyUIMessages } from './ui-message-arbitrary.ts'

const SHARE = RUNS / 10

/** The SDK rejects messages without parts, and keys that can reach a prototype. */
const tidyMessages: fc.Arbitrary<readonly Message[]> = anyMessages.map((messages) => {
  const plain = JSON.parse(
    JSON.stringify(messages).replaceAll('__proto__', 'proto').replaceAll('constructor', 'c'),
  )
  return repair((plain as Message[]).filter(({ content }) => content.length > 0))
})

const asyncLaw = async <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: SHARE })

/** What a model reads of a message: texts, calls and the ids of results. */
function outline({ role, content }: JsonObject): readonly unknown[] {
  if (!Array.isArray(content)) return [role, content]
  const known = (content as JsonObject[]).filter(
    ({ type }) => !JSON.stringify(type).startsWith('"tool-approval'),
  )
  const parts = known.map(({ type, text, toolCallId, toolName, input }) => [
    type,
    text,
    toolCallId,
    // The SDK reads an empty text of a model as no arguments (`parseToolCall`), but passes on a stored one, or none, as it is.
    type === 'tool-call' ? [toolName, input === '' ? {} : (input ?? {})] : undefined,
  ])
  return [role, ...parts]
}

describe('the AI SDK', () => {
  test('accepts the UI messages that are written', async () => {
    await asyncLaw(tidyMessages, async (given) => {
      const messages = again(aiSdkUiMessages.toMessages(given).value) as UIMessage[]
      const written = messages.filter(({ parts }) => parts.length > 0)
      if (written.length > 0) await validateUIMessages({ messages: written })
    })
  })

  test('accepts the model messages that are written', () => {
    law(
      tidyMessages,
      (given) => {
        const withoutStoredFiles = given.filter((message) => !JSON.stringify(message).includes('"kind":"id"'))
        for (const message of aiSdkModelMessages.toMessages(withoutStoredFiles).value)
          modelMessageSchema.parse(again(message))
      },
      SHARE,
    )
  })

  test('converts UI messages to the same messages', async () => {
    await asyncLaw(anyUIMessages, async (wire) => {
      const messages = (wire as unknown as UIMessage[]).filter(({ parts }) => parts.every(isConverted))
      const expected = again(await convertToModelMessages(messages)) as JsonObject[]
      const read = aiSdkUiMessages.fromMessages(messages).value
      const written = again(aiSdkModelMessages.toMessages(read).value) as JsonObject[]
      // The SDK writes system messages as one text, and messages of approvals, which have nothing for a model.
      const shown = (list: readonly JsonObject[]): unknown[] =>
        list.flatMap((each) =>
          each['role'] === 'system' || outline(each).length === 1 ? [] : [outline(each)],
        )
      expectSame(shown(written), shown(expected))
    })
  })
})

/** The SDK converts no calls that are still streamed or wait for approval, and needs the URL of a file. */
function isConverted(part: UIMessage['parts'][number]): boolean {
  if (/^(source|data|custom|reasoning-file|file)/.test(part.type)) return false
  return (
    !('state' in part) || /^(done|input-available|output-available|output-error)$/.test(String(part.state))
  )
}

test('types: written messages are messages of the SDK', async () => {
  const given = [user(['Look:', image('https://example.org/a.png')])]
  const forModels = aiSdkModelMessages.toMessages(given).value satisfies ModelMessage[]
  expect(forModels).toHaveLength(1)
  const forUi = aiSdkUiMessages.toMessages(given).value satisfies UIMessage[]
  expect((await convertToModelMessages(forUi))[0]?.role).toBe('user')
})
