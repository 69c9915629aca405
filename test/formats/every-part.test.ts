// Every kind of part in every format: the laws over generated conversations take a few of them only.
import type { Message } from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { expect, test } from 'vitest'
import { conversationRows } from './conversations/format-table.ts'
import { answer, answerParts, everyPart, user } from './every-part.ts'
import { formatRows } from './messages/format-table.ts'
import { expectOmissionsReported } from './shared-laws.ts'

const formats = [...formatRows, ...conversationRows]

test.each(formats)('$name writes every kind of part, or reports it', ({ format }) => {
  for (const messages of everyPart) expectOmissionsReported(format, messages)
})

const signed: readonly (readonly Message[])[] = ['anthropic', 'openai', 'google'].flatMap((vendor) =>
  answerParts
    .filter(({ type }) => ['text', 'reasoning', 'tool-call'].includes(type))
    .map((part) => [user, answer(attachSignature(part, { vendor, value: 'the-signature' }))]),
)

test.each(formats)('$name writes a valid signature, or reports it', ({ format }) => {
  for (const messages of signed) {
    const { value, losses } = format.toMessages(messages)
    const isReported = losses.some(({ path }) => path.includes('/content/0'))
    expect(isReported || JSON.stringify(value).includes('the-signature'), JSON.stringify(messages)).toBe(true)
  }
})
