import fc from 'fast-check'
import {
  addContent,
  updateMessage,
  fromJson,
  type Message,
  Messages,
  sameContent,
  toJson,
  withRole,
} from 'interlingua'
import {
  isMessage,
  parseMessage,
  parseMessages,
  parsePart,
  parseRequest,
  parseResponse,
  parseToolCall,
} from 'interlingua/parse'
import { withExtra, withoutExtra } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import {
  anyJson,
  anyMessage,
  anyMessages,
  anyPart,
  anyRequest,
  anyResponse,
  anyText,
  RUNS,
} from '../arbitraries.ts'
import { messageShape } from '../../src/canonical/shape/message.ts'
import { partShape } from '../../src/canonical/shape/part.ts'
import { isCanonicalValue, readCanonicalValue } from '../../src/canonical/shape/shape.ts'
import { again, attempt, expectFrozen, expectSame, law } from '../law-assertions.ts'
import { mutated } from '../json-mutations.ts'

const cyclic: { itself?: unknown } = {}
cyclic.itself = cyclic

describe('laws of parsing', () => {
  test('[r14, r66] a message survives JSON text and parsing unchanged', () => {
    law(anyMessage, (message) => {
      const parsed = parseMessage(again(message))
      expectSame(parsed, message)
      expectSame(again(parsed), message)
      expectFrozen(parsed)
    })
  })

  test('a part survives JSON text and parsing unchanged', () => {
    law(anyPart, (part) => expectSame(parsePart(again(part)), part))
  })
  test('the fields of a message have the same order, however its keys are ordered', () => {
    const shuffled = anyMessage.chain((message) =>
      fc
        .shuffledSubarray(Object.entries(message), { minLength: Object.keys(message).length })
        .map((entries) => [message, Object.fromEntries(entries)] as const),
    )
    law(shuffled, ([message, other]) => {
      const [first, second] = [{ ...message }, other].map((each) => readCanonicalValue(messageShape, each))
      expect(JSON.stringify(second)).toBe(JSON.stringify(first))
    })
  })

  test('a request survives, its messages as an array', () => {
    law(anyRequest, (request) => {
      expectSame(parseRequest(again(request)), request)
      const live = { ...request, messages: Messages.from(request.messages) }
      expectSame(again(live), again(request))
    })
  })

  test('a response survives', () => {
    law(anyResponse, (response) => expectSame(parseResponse(again(response)), response))
  })

  test('[r65] the stored form of anything is read back as it was', () => {
    law(anyMessages, (messages) => expectSame(fromJson(again(toJson(messages))).toArray(), messages))
    law(anyMessage, (message) => expectSame(fromJson(again(toJson(message)), 'message'), message))
    law(anyRequest, (request) => expectSame(fromJson(again(toJson(request)), 'request'), request))
    law(anyResponse, (response) => expectSame(fromJson(again(toJson(response)), 'response'), response))
  })

  test('any JSON gives a canonical value or an InterlinguaError, never anything else', () => {
    const parsers = [parseMessage, parseMessages, parsePart, parseToolCall, parseRequest, parseResponse]
    law(fc.oneof(anyJson, fc.jsonValue({ maxDepth: 5 })), (json) => {
      for (const parse of parsers) expectValueOrError(() => parse(json))
    })
  })

  test('[r18] an unknown key is kept in extra.unknown, whatever its name and position', () => {
    const key = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'toString'),
      anyText.map((text) => `x_${text}`),
    )
    law(fc.tuple(anyMessage, key, anyJson), ([message, name, value]) => {
      const { unknown = {} } = parseMessage(withKey(message, name, value)).extra ?? {}
      expectSame([Object.hasOwn(unknown, name), unknown[name]], [true, value])
    })
    law(fc.tuple(anyPart, key, anyJson), ([part, name, value]) => {
      const { unknown = {} } = parsePart(withKey(part, name, value)).extra ?? {}
      expectSame([Object.hasOwn(unknown, name), unknown[name]], [true, value])
    })
  })

  test('mutated messages never crash the parser: a key removed, retyped, renamed or nested', () => {
    law(mutated(anyMessage), (json) => expectValueOrError(() => parseMessage(json)), RUNS * 2)
    law(mutated(anyRequest), (json) => expectValueOrError(() => parseRequest(json)), RUNS)
    law(
      mutated(anyMessages),
      (json) => expectValueOrError(() => fromJson({ interlingua: 1, messages: json })),
      RUNS,
    )
  })

  test('a value is accepted if it is read strictly', () => {
    law(
      fc.oneof(mutated(anyMessage), anyMessage),
      (json) => {
        const isRead = attempt(() => readCanonicalValue(messageShape, again(json))) !== undefined
        expectSame(isCanonicalValue(messageShape, again(json)), isRead)
      },
      RUNS * 20,
    )
  })

  test.each<[string, unknown, boolean]>([
    ['a finite number', 1, true],
    ['a number that JSON lacks', NaN, false],
    ['an absent value', { a: undefined }, true],
    ['an absent item', [undefined], false],
    ['a function', { a: () => 1 }, false],
    ['an instance of a class', { a: new Date(0) }, false],
    ['an object without a prototype', Object.create(null), true],
    ['a cycle', cyclic, false],
  ])('accepts %s where JSON is expected: as it is read', (_name, value, isAccepted) => {
    const part = { type: 'json', value }
    expect([
      isCanonicalValue(partShape, part),
      attempt(() => readCanonicalValue(partShape, part)) !== undefined,
    ]).toEqual([isAccepted, isAccepted])
  })

  test('what a parser gives is canonical: strictly so, and parsing it again changes nothing', () => {
    law(mutated(anyMessage), (json) => {
      const message = attempt(() => parseMessage(json, { newId: (prefix) => `${prefix}_x` }))
      if (message === undefined) return
      expect(isMessage(again(message))).toBe(true)
      expectSame(parseMessage(again(message)), message)
    })
  })
})

describe('laws of editing', () => {
  const edits: readonly ((message: Message) => Message)[] = [
    (message) => updateMessage(message, { name: 'Ada' }),
    (message) => updateMessage(message, { name: undefined, metadata: { seen: true } }),
    (message) => updateMessage(message, { content: [] }),
    (message) => (message.role === 'tool' ? message : addContent(message, 'more')),
    (message) => withExtra(message, 'anthropic', { container: 'c' }),
    (message) => withoutExtra(message, 'unknown'),
    (message) => attempt(() => withRole(message, 'assistant')) ?? message,
  ]

  test('[r94, C4] every edit keeps id and createdAt, and mutates nothing', () => {
    law(anyMessage, (message) => {
      const before = structuredClone(message)
      for (const change of edits) {
        const after = change(message)
        expectSame([after.id, after.createdAt], [message.id, message.createdAt])
        expect('createdAt' in after).toBe('createdAt' in message)
        if (after !== message) expectFrozen(after)
      }
      expectSame(message, before)
      expect(Object.isFrozen(message)).toBe(false)
    })
  })

  test('a message has the same content as itself with other bookkeeping', () => {
    law(anyMessage, (message) => {
      const { extra: _extra, metadata: _metadata, ...rest } = message
      expect(sameContent(message, { ...rest, id: 'other' })).toBe(true)
    })
  })
})

/** An object with one more own key, be it `__proto__`. */
function withKey(object: object, key: string, value: unknown): unknown {
  return Object.defineProperty({ ...object }, key, { value, enumerable: true })
}

function expectValueOrError(act: () => unknown): void {
  const value = attempt(act)
  if (value instanceof Messages) value.toArray().forEach(expectFrozen)
  else expectFrozen(value)
}
