import type { InterlinguaError } from 'interlingua'
import { type JsonObject, textOf } from 'interlingua'
import { fromMessages } from 'interlingua/formats'
import { llmMsgIo, writeStf } from 'interlingua/formats/llm-msg-io'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { tryParseJson5 } from '../../../src/formats/llm-msg-io/json5.ts'
import { isStf, parseStf } from '../../../src/formats/llm-msg-io/stf-read.ts'

/** Files of the documentation and of the tests of llm-msg-io, and their messages. */
const files: { readonly [title: string]: readonly [text: string, messages: readonly JsonObject[]] } = {
  'roles and aliases': [
    ';sys\nBe brief.\n;user\nHi! Who are you?\n;ai\nAn AI.',
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi! Who are you?' },
      { role: 'assistant', content: 'An AI.' },
    ],
  ],
  'a line break at the end': [';user\nHello\n', [{ role: 'user', content: 'Hello\n' }]],
  'blank lines before a message': ['\n \t\n;user\nHello', [{ role: 'user', content: 'Hello' }]],
  'escaped lines and lines with leading blanks': [
    ';user\n;;x\n ;not a command\n;;;y',
    [{ role: 'user', content: ';x\n ;not a command\n;;y' }],
  ],
  comments: [
    ';# a\n;user\nHello\n; // b\n; /* c\nignored\n;/* nested\n;*/\n;ai\n;*/\nWorld',
    [{ role: 'user', content: 'Hello\nWorld' }],
  ],
  arguments: [
    ';msg role=narrator name="John \\"Doe\\""\nOnce\n; msg {id:\'m2\',}\nupon\n;tool call_id=c1 id=m3\n4',
    [
      { role: 'narrator', name: 'John "Doe"', content: 'Once' },
      { role: 'narrator', id: 'm2', content: 'upon' },
      { role: 'tool', call_id: 'c1', id: 'm3', content: '4' },
    ],
  ],
  'raw, extra and flush': [
    ";raw\n{role: 'user', content: [{type: 'text', text: 'Hi'},],}\n;end\n;ai\nHello\n;extra\n{a: 1}\n;end\n;extra\n{b: 2}\n;end of extra\n;flush\n",
    [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: 'Hello', extra: { a: 1, b: 2 } },
    ],
  ],
}

describe('STF', () => {
  test.each(Object.entries(files))('%s', (_, [text, messages]) => {
    expect(parseStf(text).messages).toEqual(messages)
    expect(fromMessages(text).format).toBe('llm-msg-io')
  })

  test('metadata of a file is kept, and signatures belong to their parts', () => {
    const text = `;meta\n{title: 'Chat'}\n;end\n;raw\n${JSON.stringify({
      role: 'assistant',
      content: 'Hi',
      reasoning: 'Hm',
      extra: { claude: { thinking_blocks: [{ type: 'thinking', thinking: 'Hm', signature: 's' }] } },
    })}\n;end`
    expect(parseStf(text).metadata).toEqual({ title: 'Chat' })
    const { value } = llmMsgIo.fromMessages(text)
    const answer = value[1]
    expect(parseStf(writeStf(llmMsgIo.toMessages(value).value)).metadata).toEqual({ title: 'Chat' })
    expect(answer?.content[0]?.signature).toMatchObject({ vendor: 'anthropic', value: 's' })
    expect(answer && textOf(answer)).toBe('Hi')
  })

  test('what is written is read again', () => {
    law(
      anyMessages,
      (given) => {
        const { value } = llmMsgIo.toMessages(given)
        const text = writeStf(value)
        if (value.length === 0) return
        expect(isStf(text)).toBe(true)
        expectSame(again(parseStf(text).messages), again(value.filter(({ role }) => role !== undefined)))
      },
      RUNS / 3,
    )
  })

  test.each([
    [';user\nHi\n;nope', '/2'],
    [';user\n;*/', '/1'],
    [';/* open', '/0'],
    [';raw\n{role: 1', '/0'],
    [';raw\n{a:}\n;end', '/0'],
    [';extra\n{}\n;end', '/0'],
    [';user\n;end', '/1'],
    [';meta\n;user\n;end', '/1'],
    [';msg name=x', '/0'],
    [';user name="x', '/0'],
    [';user name=a name=b', '/0'],
    [';# only\ntext', '/1'],
    ['; ;x', 'not-stf'],
  ])('%j is refused with its line', (text, path) => {
    const error = attemptError(() => fromMessages(text))
    expect(error?.code).toBe(path === 'not-stf' ? 'not-json' : 'invalid-value')
    if (path !== 'not-stf') expect(error?.path).toBe(path)
  })
})

test.each([
  [
    '{a: \'x\', "b": [1, .5, +2., 0xFF, -1e3,], /* c */ $d: null, // e\n}',
    { a: 'x', b: [1, 0.5, 2, 255, -1000], $d: null },
  ],
  ["'a\\\nb\\x41\\u0042\\0\\q\\''", "abAB\0q'"],
  ['{"__proto__": {"polluted": 1}}', JSON.parse('{"__proto__": {"polluted": 1}}')],
  ['NaN', undefined],
  ['[1 2]', undefined],
  ["'a\nb'", undefined],
  ['{a}', undefined],
  ['truex', undefined],
  ['['.repeat(5000), undefined],
] as const)('JSON5: %s', (text, value) => {
  expectSame(tryParseJson5(text), value)
})

function attemptError(act: () => unknown): InterlinguaError | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error as InterlinguaError
  }
}
