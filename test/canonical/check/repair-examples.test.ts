import {
  assistant,
  type Message,
  type Part,
  repair,
  type Repair,
  toolCall,
  toolResult,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { call, derived, results, say } from './call-messages.ts'

const label: { readonly [type in Part['type']]?: (part: never) => string } = {
  text: (part: Part & { type: 'text' }) => JSON.stringify(part.text),
  'tool-call': (part: Part & { type: 'tool-call' }) => `call ${part.id}`,
  'tool-result': (part: Part & { type: 'tool-result' }) => {
    const said = part.content.map((each) => (each.type === 'text' ? each.text : each.type)).join(' ')
    return `result ${part.callId}: ${said}`
  },
}

/** One line per message: id, the rules that touched it, and its parts. */
function sketch(messages: Iterable<Message>): string[] {
  return Array.from(messages, ({ id, metadata, content }) => {
    const mark = metadata?.['interlingua'] as { repaired: string[] } | undefined
    const parts = content.map((part) => label[part.type]?.(part as never) ?? part.type)
    return `${id}${mark ? ` (${mark.repaired.join()})` : ''} | ${parts.join(' | ')}`
  })
}

const missing = 'No result was recorded for this call.'

type Example = readonly [title: string, messages: Message[], repaired: string[], repairs: string[]]

const examples: readonly Example[] = [
  [
    'an empty message goes [C13]',
    [say('u'), assistant([], { id: 'a' }), say('v', '')],
    ['u | "Hello"'],
    ['empty-message removed /1', 'empty-message removed /2'],
  ],
  [
    'a repeated id gets the first free number',
    [say('u'), say('u'), say('u_2'), say('u')],
    ['u | "Hello"', 'u_3 (duplicate-id) | "Hello"', 'u_2 | "Hello"', 'u_4 (duplicate-id) | "Hello"'],
    ['duplicate-id renamed /1', 'duplicate-id renamed /3'],
  ],
  [
    'a repeated call id is renamed with its result',
    [call('a', '1'), results('r', '1'), call('b', '1'), results('s', '1')],
    [
      'a | call 1',
      'r | result 1: 1 by r',
      'b (duplicate-call-id) | call 1_2',
      's (duplicate-call-id) | result 1_2: 1 by s',
    ],
    ['duplicate-call-id renamed /2/content/0', 'duplicate-call-id renamed /3/content/0'],
  ],
  [
    'a result belongs to the latest call of its id, and never to a call that is renamed',
    [call('a', '1'), call('b', '1'), results('r', '1', '1_2')],
    [
      'a | call 1',
      `${derived('orphan-call', 'a', '1')} (orphan-call) | result 1: ${missing}`,
      'b (duplicate-call-id) | call 1_2',
      'r (orphan-result,duplicate-call-id) | result 1_2: 1 by r',
      `${derived('orphan-result', 'r', '1_2')} (orphan-result) | "[result: 1_2 by r]"`,
    ],
    [
      'orphan-result described /2/content/1',
      'duplicate-call-id renamed /1/content/0',
      'duplicate-call-id renamed /2/content/0',
      'orphan-call added /0/content/0',
    ],
  ],
  [
    'calls of one message that share an id are answered in their order',
    [call('a', 'f', 'f'), results('r', 'f'), results('s', 'f')],
    [
      'a (duplicate-call-id) | call f | call f_2',
      'r | result f: f by r',
      's (duplicate-call-id) | result f_2: f by s',
    ],
    ['duplicate-call-id renamed /0/content/1', 'duplicate-call-id renamed /2/content/0'],
  ],
  [
    'a crashed turn gets its results, and the thread goes on [C22]',
    [say('u'), call('a', '1', '2'), results('r', '2'), say('v')],
    [
      'u | "Hello"',
      'a | call 1 | call 2',
      'r | result 2: 2 by r',
      `${derived('orphan-call', 'a', '1')} (orphan-call) | result 1: ${missing}`,
      'v | "Hello"',
    ],
    ['orphan-call added /1/content/0'],
  ],
  [
    'all calls of a round get one message [C1]',
    [call('a', '1', '2')],
    [
      'a | call 1 | call 2',
      `${derived('orphan-call', 'a', '1', '2')} (orphan-call) | result 1: ${missing} | result 2: ${missing}`,
    ],
    ['orphan-call added /0/content/0', 'orphan-call added /0/content/1'],
  ],
  [
    'results without a call, as after trimming, become text',
    [results('r', '0'), say('u'), call('a', '1'), results('s', '1', '9')],
    [
      'r (orphan-result) | "[result: 0 by r]"',
      'u | "Hello"',
      'a | call 1',
      's (orphan-result) | result 1: 1 by s',
      `${derived('orphan-result', 's', '9')} (orphan-result) | "[result: 9 by s]"`,
    ],
    ['orphan-result described /0/content/0', 'orphan-result described /3/content/1'],
  ],
  [
    'the first of two results stays, the second becomes text',
    [call('a', '1'), results('r', '1'), results('s', '1')],
    ['a | call 1', 'r | result 1: 1 by r', 's (duplicate-result) | "[result: 1 by s]"'],
    ['duplicate-result described /2/content/0'],
  ],
  [
    'results without a call become one text after the results of the round',
    [call('a', '1', '2'), results('r', '1', '1', '9'), results('s', '2'), say('u')],
    [
      'a | call 1 | call 2',
      'r (duplicate-result,orphan-result) | result 1: 1 by r',
      's | result 2: 2 by s',
      `${derived('duplicate-result,orphan-result', 'r', '1', '9')} (duplicate-result,orphan-result) | "[result: 1 by r]" | "[result: 9 by r]"`,
      'u | "Hello"',
    ],
    ['duplicate-result described /1/content/1', 'orphan-result described /1/content/2'],
  ],
  [
    'a result in a tool message does not answer a call that the provider ran',
    [assistant([toolCall({ id: '1', name: 'x', executedBy: 'provider' })], { id: 'a' }), results('r', '1')],
    ['a | call 1', 'r (orphan-result) | "[result: 1 by r]"'],
    ['orphan-result described /1/content/0'],
  ],
  [
    'a result before its call moves, message and all',
    [results('r', '1'), say('u'), call('a', '1'), say('v')],
    ['u | "Hello"', 'a | call 1', 'r (result-before-call) | result 1: 1 by r', 'v | "Hello"'],
    ['result-before-call moved /0'],
  ],
  [
    'a late result moves behind those that came in time',
    [call('a', '1', '2'), results('r', '1'), say('u'), results('s', '2')],
    ['a | call 1 | call 2', 'r | result 1: 1 by r', 's (late-result) | result 2: 2 by s', 'u | "Hello"'],
    ['late-result moved /3'],
  ],
  [
    'of results for two rounds each moves to its own',
    [call('a', '1'), call('b', '2'), results('r', '1', '2')],
    [
      'a | call 1',
      `${derived('late-result', 'r', 'a', '1')} (late-result) | result 1: 1 by r`,
      'b | call 2',
      'r (late-result) | result 2: 2 by r',
    ],
    ['late-result moved /2/content/0'],
  ],
  [
    'a message whose results all move to different rounds goes',
    [call('a', '1'), call('b', '2'), say('u'), results('r', '1', '2')],
    [
      'a | call 1',
      `${derived('late-result', 'r', 'a', '1')} (late-result) | result 1: 1 by r`,
      'b | call 2',
      `${derived('late-result', 'r', 'b', '2')} (late-result) | result 2: 2 by r`,
      'u | "Hello"',
    ],
    ['late-result moved /3/content/0', 'late-result moved /3/content/1', 'late-result removed /3'],
  ],
  [
    "a result in the assistant's message moves to a tool message",
    [assistant([toolCall({ id: '1', name: 'x' }), toolResult('1', 'y'), 'So'], { id: 'a' }), say('u')],
    [
      'a (misplaced-result) | call 1 | "So"',
      `${derived('misplaced-result', 'a', 'a', '1')} (misplaced-result) | result 1: y`,
      'u | "Hello"',
    ],
    ['misplaced-result moved /0/content/1'],
  ],
  [
    'an answer that has nothing left goes',
    [call('a', '1'), assistant(['', toolResult('1', 'y')], { id: 'b' })],
    ['a | call 1', `${derived('misplaced-result', 'b', 'a', '1')} (misplaced-result) | result 1: y`],
    ['misplaced-result moved /1/content/1', 'misplaced-result removed /1'],
  ],
]

describe('repair, by example', () => {
  test.each(examples)('[r216] %s', (_title, messages, repaired, repairs) => {
    const heard: Repair[] = []
    const output = repair(messages, undefined, { onRepair: (each) => heard.push(each) })
    expect(sketch(output)).toEqual(repaired)
    expect(heard.map(({ rule, action, path }) => `${rule} ${action} ${path}`)).toEqual(repairs)
    expect(validate(output)).toEqual([])
    expect(repair(output)).toBe(output)
  })
})
