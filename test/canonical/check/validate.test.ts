import {
  assistant,
  baseRules,
  type Message,
  Messages,
  reasoning,
  type Rule,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'

const call = (...ids: string[]): Message =>
  assistant(
    ids.map((id) => toolCall({ id, name: 'weather' })),
    { id: `a-${ids.join()}` },
  )
const provided = (id: string): Message =>
  assistant([toolCall({ id, name: 'search', executedBy: 'provider' }), toolResult(id, 'found')])
const results = (...ids: string[]): Message => toolResults(ids.map((id) => toolResult(id, 'done')))
const ask = (): Message => user('Hello')

/** Messages, and the problems as `rule path`. */
type Example = readonly [title: string, messages: readonly Message[], problems?: readonly string[]]

const examples: readonly Example[] = [
  [
    'a tidy conversation [C1]',
    [system('Be brief.'), ask(), call('1', '2'), results('1', '2'), assistant('Done')],
  ],
  ['results in one message each [C1]', [call('1', '2'), results('1'), results('2'), ask()]],
  [
    'no alternation: two users and two answers in a row [C22]',
    [ask(), ask(), assistant('a'), assistant('b')],
  ],
  ['nothing at all', []],
  [
    'one id twice',
    [user('a', { id: 'm' }), user('b', { id: 'm' }), user('c', { id: 'm' })],
    ['duplicate-id /1', 'duplicate-id /2'],
  ],
  ['an id that is a key of every object', [user('a', { id: '__proto__' }), user('b', { id: 'constructor' })]],
  [
    'a call id in two turns',
    [call('1'), results('1'), assistant(['And', toolCall({ id: '1', name: 'x' })]), results('1')],
    ['duplicate-call-id /2/content/1'],
  ],
  ['a call id twice in one turn', [call('1', '1'), results('1', '1')], ['duplicate-call-id /0/content/1']],
  ['a call without a result', [ask(), call('1')], ['orphan-call /1/content/0']],
  ['one of two calls without a result', [call('1', '2'), results('1')], ['orphan-call /0/content/1']],
  [
    'a crashed turn in the middle [C22]',
    [call('1'), ask(), assistant('Sorry')],
    ['orphan-call /0/content/0'],
  ],
  [
    'a hostile call id',
    [call('__proto__'), results('constructor')],
    ['orphan-result /1/content/0', 'orphan-call /0/content/0'],
  ],
  [
    "the provider's own call needs no result",
    [assistant(toolCall({ id: '1', name: 'search', executedBy: 'provider' }))],
  ],
  ["the provider's own call with its result", [provided('1'), ask()]],
  [
    "the provider's result in a later turn",
    [
      assistant(toolCall({ id: '1', name: 'search', executedBy: 'provider' })),
      assistant([toolResult('1', 'x'), 'So']),
    ],
  ],
  ["the provider's result for a call that is not there", [assistant([toolResult('9', 'x'), 'So'])]],
  ['a result for no call, as after trimming', [ask(), results('1')], ['orphan-result /1/content/0']],
  ['a second result', [call('1'), results('1'), results('1')], ['duplicate-result /2/content/0']],
  ['a second result beside the first', [call('1'), results('1', '1')], ['duplicate-result /1/content/1']],
  [
    "a result in a tool message for the provider's own call",
    [provided('1'), results('1')],
    ['orphan-result /1/content/0'],
  ],
  ['a result before its call', [results('1'), call('1')], ['result-before-call /0/content/0']],
  [
    'an early result where another stands right',
    [results('1'), call('1'), results('1')],
    ['duplicate-result /0/content/0'],
  ],
  ['a result after the user spoke', [call('1'), ask(), results('1')], ['late-result /2/content/0']],
  [
    'a result after instructions',
    [call('1', '2'), results('1'), system('Hurry'), results('2')],
    ['late-result /3/content/0'],
  ],
  [
    'calls in two turns, answered together',
    [call('1'), call('2'), results('1', '2')],
    ['late-result /2/content/0'],
  ],
  [
    "a result in an assistant's message",
    [assistant([toolCall({ id: '1', name: 'x' }), toolResult('1', 'y')])],
    ['misplaced-result /0/content/1'],
  ],
  [
    "a result in an assistant's later message",
    [call('1'), assistant([toolResult('1', 'y'), 'So'])],
    ['misplaced-result /1/content/0'],
  ],
  ['no content [C13]', [ask(), assistant([])], ['empty-message /1']],
  ['only empty texts [C13]', [user(['', ''])], ['empty-message /0']],
  ['an empty text with a signature', [assistant(text('', { signature: { vendor: 'google', value: 's' } }))]],
  ['an empty text with a citation', [assistant(text('', { citations: [{ type: 'source', title: 'T' }] }))]],
  ['redacted reasoning', [assistant(reasoning('', { redacted: true }))]],
  ['an empty result', [call('1'), toolResults(toolResult('1', ''))]],
]

const rows = examples.map(([title, messages, problems = []]) => ({ title, messages, problems }))

describe('validate', () => {
  test.each(rows)('[r216] $title', ({ messages, problems }) => {
    expect(validate(messages).map(({ rule, path }) => `${rule} ${path}`)).toEqual(problems)
  })

  test('[C19] a result with an empty call id is an orphan, whatever its message is called', () => {
    const bare: Message = {
      id: 'call_1',
      role: 'tool',
      content: [{ type: 'tool-result', callId: '', content: [] }],
    }
    const problems = validate([call('call_1'), bare])
    expect(problems.map(({ rule }) => rule)).toEqual(['orphan-result', 'orphan-call'])
  })

  test('says what, where and how bad', () => {
    expect(validate([ask(), call('1'), user('')])).toEqual([
      { rule: 'empty-message', path: '/2', severity: 'warning', message: 'The message has no content' },
      {
        rule: 'orphan-call',
        path: '/1/content/0',
        severity: 'error',
        message: 'The call has no result',
      },
    ])
  })

  test('takes any iterable', () => {
    const list = [ask(), call('1')]
    expect(validate(Messages.from(list))).toEqual(validate(list))
    expect(validate(new Set(list))).toEqual(validate(list))
  })

  test('asks the rules of the target last', () => {
    const firstIsUser: Rule = {
      id: 'first-is-user',
      severity: 'error',
      summary: 'The first message is of the user.',
      check: (messages) => (messages[0]?.role === 'user' ? [] : [{ path: '/0', message: 'Not of the user' }]),
      repair: (messages) => messages,
    }
    const problems = validate([call('1')], { rules: [firstIsUser] })
    expect(problems.map(({ rule }) => rule)).toEqual(['orphan-call', 'first-is-user'])
  })

  test('a rule that is asked again looks again', () => {
    const rule = baseRules.find(({ id }) => id === 'orphan-call')
    const list = [call('1')]
    expect([...(rule?.check(list) ?? [])]).toHaveLength(1)
    list.push(results('1'))
    expect([...(rule?.check(list) ?? [])]).toEqual([])
  })

  test('the rules have ids of their own, and say what must hold', () => {
    expect(baseRules.map((rule) => `${rule.id}: ${rule.summary}`)).toMatchInlineSnapshot(`
      [
        "empty-message: Every message has content.",
        "duplicate-id: Every message has a unique id.",
        "orphan-result: Every result in a tool message has a call that the application runs.",
        "duplicate-result: Every tool call has at most one result.",
        "duplicate-call-id: Every tool call has a unique id.",
        "result-before-call: A tool result follows its call.",
        "misplaced-result: The result of a call that the application runs is in a tool message.",
        "late-result: Only other results of the same message separate a call from its result.",
        "orphan-call: Every call that the application runs has a result.",
      ]
    `)
  })
})
