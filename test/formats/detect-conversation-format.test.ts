import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toJson, user } from 'interlingua'
import { detectConversationFormat } from 'interlingua/formats'
import { expect, test } from 'vitest'
import { conversationInputs } from './conversations/recognized-conversations.ts'
import { inputsByFormat } from './messages/recognized-inputs.ts'

const inputs = Object.entries(inputsByFormat).flatMap(([format, byTitle]) =>
  Object.entries(byTitle).map(([title, input]) => ({ format, title, input })),
)

test.each(inputs)('$format, $title', ({ format, input }) => {
  const contains = Object.hasOwn(conversationInputs, format) ? 'conversations' : 'messages'
  const found = detectConversationFormat(input)
  expect(found?.format).toBe(format)
  // Session files of pi are transcripts, too.
  if (found?.contains !== 'transcript') expect(found?.contains).toBe(contains)
})

test.each(['claude-code.jsonl', 'codex.jsonl', 'gemini-cli.json', 'opencode.json', 'continue.json'])(
  '%s is a transcript',
  (file) => {
    const text = readFileSync(join(import.meta.dirname, 'transcripts/samples', file), 'utf8')
    expect(detectConversationFormat(text)).toEqual({
      format: file.replace(/\.jsonl?$/, ''),
      contains: 'transcript',
    })
  },
)

test('the stored form, and what is no conversation', () => {
  expect(detectConversationFormat(JSON.stringify(toJson([user('Hi')])))?.format).toBe('interlingua')
  for (const input of ['Hello', '', 4, null, {}, [], { a: 1 }, '{"torn":'])
    expect(detectConversationFormat(input), JSON.stringify(input)).toBeUndefined()
})
