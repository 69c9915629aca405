import {
  assistant,
  type Message,
  Messages,
  type Part,
  rawMessage,
  repair,
  type Rule,
  toolResult,
  toolResults,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { call, derived, results, say } from './call-messages.ts'

const ids = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => message.id)
const missing = 'No result was recorded for this call.'

describe('repair', () => {
  test('a made-up result is an error, and marked', () => {
    const added = repair([call('a', '1')]).at(-1)
    expect(added).toEqual({
      id: derived('orphan-call', 'a', '1'),
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId: '1',
          name: 'weather',
          content: [{ type: 'text', text: missing }],
          isError: true,
          metadata: { interlingua: { repaired: ['orphan-call'] } },
        },
      ],
      metadata: { interlingua: { repaired: ['orphan-call'] } },
    })
  })

  test('a made-up result gives way when the real one comes', () => {
    const mended = repair([call('a', '1'), say('u')])
    const late = repair([...mended, results('r', '1')])
    expect(ids(late)).toEqual(['a', 'r', 'u'])
    expect(late[1]?.metadata).toEqual({ interlingua: { repaired: ['late-result'] } })
    const early = repair([results('r', '1'), ...mended])
    expect(ids(early)).toEqual(['a', 'r', 'u'])
    expect(early[1]?.metadata).toEqual({ interlingua: { repaired: ['result-before-call'] } })
  })

  test('keeps the other fields of a message and its metadata', () => {
    const opaque = rawMessage('anthropic', { role: 'tool' }).content[0] as Part & { type: 'opaque' }
    const metadata = { app: 1, interlingua: { other: true, repaired: ['late-result'] } }
    const [kept] = repair([toolResults([toolResult('1', 'x'), opaque], { id: 'r', metadata })])
    expect(kept).toMatchObject({
      id: 'r',
      content: [opaque],
      metadata: { app: 1, interlingua: { other: true, repaired: ['late-result', 'orphan-result'] } },
    })
  })

  test('an id that is taken already is not given to a new message', () => {
    const taken = say(derived('orphan-call', 'a', '1'))
    const added = repair([taken, call('a', '1')]).at(-1)
    expect(added?.id).toBe(`${taken.id}_2`)
    expect(added?.metadata).toEqual({ interlingua: { repaired: ['orphan-call'] } })
  })

  test('gives back what it was given: the same object, an array, or Messages [C22]', () => {
    const fine = [say('u'), assistant('Hi')]
    expect(repair(fine)).toBe(fine)
    expect(Object.isFrozen(fine)).toBe(false)
    const messages = Messages.from([say('u'), call('a', '1')])
    const mended = repair(messages)
    expect(mended).toBeInstanceOf(Messages)
    expect([...mended]).toEqual(repair([...messages]))
    expect(repair(mended)).toBe(mended)
  })

  test('works for a target until its rules and ours are content', () => {
    const withoutR: Rule = {
      id: 'without-r',
      severity: 'error',
      summary: 'No message is called r.',
      check: (messages) =>
        messages.flatMap(({ id }, index) => (id === 'r' ? [{ path: `/${index}`, message: 'r' }] : [])),
      repair: (messages) =>
        messages.some(({ id }) => id === 'r') ? messages.filter(({ id }) => id !== 'r') : messages,
    }
    const target = { rules: [withoutR] }
    const output = repair([call('a', '1'), results('r', '1')], target)
    expect(ids(output)).toEqual(['a', derived('orphan-call', 'a', '1')])
    expect(repair(output, target)).toBe(output)
  })

  test('ends where a target has no remedy, and gives the same object', () => {
    const hopeless: Rule = {
      id: 'hopeless',
      severity: 'error',
      summary: 'Cannot be.',
      check: () => [{ path: '', message: 'No' }],
      repair: (messages) => messages,
    }
    const fine = [say('u')]
    expect(repair(fine, { rules: [hopeless] })).toBe(fine)
    const restless: Rule = { ...hopeless, repair: (messages) => [...messages] }
    expect(repair(fine, { rules: [restless] })).toEqual(fine)
  })
})
