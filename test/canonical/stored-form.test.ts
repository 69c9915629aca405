import { readdirSync, readFileSync } from 'node:fs'
import { Validator } from '@cfworker/json-schema'
import {
  assistant,
  fromJson,
  InterlinguaError,
  type JsonObject,
  Messages,
  MessageStore,
  type StoredKind,
  toJson,
  user,
} from 'interlingua'
import { parseMessage } from 'interlingua/parse'
import { STORED_VERSION, storedSchema } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { anyMessages, anyRequest, anyResponse } from '../arbitraries.ts'
import { again, attempt, expectSame, law } from '../law-assertions.ts'
import { mutated } from '../json-mutations.ts'

const golden = new URL('../golden/', import.meta.url)
const published: unknown = JSON.parse(readFileSync(new URL('../../schema.json', import.meta.url), 'utf8'))
const validator = new Validator(published as JsonObject, '2020-12')
const hello = user('Hi', {
  id: 'msg_1',
  createdAt: '2026-01-01T00:00:00Z',
  metadata: { a: 1 },
  parentId: 'msg_0',
})

describe('the stored form', () => {
  test('has a description for every field of its schema', () => {
    const { $defs: definitions } = storedSchema() as {
      readonly $defs: { readonly [name: string]: JsonObject }
    }
    const missing = Object.entries(definitions).flatMap(([name, { properties }]) =>
      Object.entries(properties as { readonly [field: string]: JsonObject })
        .filter(([, { description }]) => typeof description !== 'string')
        .map(([field]) => `${name}.${field}`),
    )
    expect(missing).toEqual([])
  })

  test('[r8, r22, r151, r153] has id, time, parent and metadata, and only the optional keys that are set', () => {
    expect(again(toJson(hello))).toEqual({
      interlingua: 1,
      message: {
        id: 'msg_1',
        createdAt: '2026-01-01T00:00:00Z',
        parentId: 'msg_0',
        metadata: { a: 1 },
        role: 'user',
        content: [{ type: 'text', text: 'Hi' }],
      },
    })
  })

  test('[r22] can be made without metadata, for each kind', () => {
    const store = MessageStore.fromMessages([hello])
    const response = { candidates: [assistant('x', { metadata: { a: 1 } })] }
    for (const value of [hello, [hello], Messages.of(hello), store, response, { messages: [hello] }]) {
      expect(JSON.stringify(toJson(value))).toContain('"metadata":{"a":1}')
      expect(JSON.stringify(toJson(value, { metadata: false }))).not.toContain('"metadata"')
    }
  })

  test.each([
    ['a message whose content is text', { role: 'user', content: 'Hi' }, ''],
    ['a message without an id', { role: 'user', content: [] }, '/id'],
    ['a list with null', [hello, null], '/1'],
    ['a part of an unknown type', { ...hello, content: [{ type: 'x' }] }, '/content/0/type'],
    ['a candidate of the user', { candidates: [hello] }, '/candidates/0'],
    ['a request whose messages are text', { messages: 'Hi' }, '/messages'],
    ['a request with text as a message', { messages: ['Hi'] }, '/messages/0'],
    ['a setting of the wrong type', { messages: [], temperature: '1' }, '/temperature'],
    ['an object', {}, '/messages'],
    ['null', null, ''],
    ['text', 'Hi', ''],
  ])('is not made of %s', (_name, value, path) => {
    const refused = expect.objectContaining({ path: expect.stringContaining(path) as string }) as Error
    expect(() => toJson(value as never)).toThrow(refused)
    expect(() => toJson(value as never)).toThrow(InterlinguaError)
  })

  test('is only made of what can be read back', () => {
    law(mutated(anyRequest), (value) => {
      const stored = attempt(() => toJson(value as never))
      if (stored !== undefined && 'request' in stored) fromJson(again(stored), 'request')
    })
  })

  test('[r23, r69c] is what JSON.stringify makes of plain readonly objects', () => {
    expect(Object.getPrototypeOf(hello)).toBe(Object.prototype)
    expect(Object.values(hello).some((value) => typeof value === 'function')).toBe(false)
    expect(hello.role).toBe('user')
    expectSame(again(hello), hello)
  })

  test('[r66, r121] of a conversation or a store is restored, and its messages are found by id', () => {
    const bye = { ...hello, id: 'msg_2' }
    const messages = fromJson(again(toJson(Messages.of(hello, bye))))
    expect(messages.toArray()).toEqual([hello, bye])
    expect([messages.get('msg_1'), messages.get('msg_2')]).toEqual([hello, bye])
    const store = MessageStore.fromMessages([hello], 'chat').parameters.set('tone', 'kind')
    const restored = fromJson(again(toJson(store)), 'store')
    expect(restored.section('chat').messages.get('msg_1')).toEqual(hello)
    expectSame(again(restored), again(store))
  })

  test('a store whose JSON repeats a section joins it, and one with unknown keys is refused', () => {
    const section = { name: 'a', messages: [hello] }
    const stored = { interlingua: 1, store: { sections: [section, section], parameters: {} } }
    expect(fromJson(stored, 'store').section('a').messages.size).toBe(2)
    expect(() => fromJson({ interlingua: 1, store: { ...stored.store, x: 1 } }, 'store')).toThrowError(
      /unknown field/,
    )
  })

  test('what is frozen already is not copied again', () => {
    expect(fromJson({ interlingua: 1, messages: [hello] }).first()).toBe(hello)
    expect(parseMessage(hello)).toBe(hello)
  })
})

describe('the published JSON Schema', () => {
  test('is the one that the code makes', () => {
    expectSame(storedSchema(), published)
  })

  test('[r69a] describes every field', () => {
    const { $defs } = storedSchema() as { $defs: Record<string, { properties: Record<string, JsonObject> }> }
    const fields = Object.values($defs).flatMap(({ properties }) => Object.values(properties))
    expect(fields.length).toBeGreaterThan(150)
    expect(fields.filter(({ description }) => typeof description !== 'string' || description === '')).toEqual(
      [],
    )
  })

  test('holds for whatever is stored', () => {
    law(anyMessages, (messages) => expectValid(toJson(messages)))
    law(anyRequest, (request) => expectValid(toJson(request)))
    law(anyResponse, (response) => expectValid(toJson(response)))
    expectValid(toJson(MessageStore.fromMessages([hello])))
  })

  test('[S4] is as strict as the strict reader: it refuses what breaks the form', () => {
    let refused = 0
    law(
      mutated(anyMessages),
      (messages) => {
        const { valid } = validator.validate({ interlingua: 1, messages })
        if (!valid) refused++
        else expectSame(again(fromJson({ interlingua: 1, messages }).toArray()), messages)
      },
      500,
    )
    expect(refused).toBeGreaterThan(100)
  })
})

function expectValid(stored: unknown): void {
  const { valid, errors } = validator.validate(again(stored))
  if (!valid) expect.fail(JSON.stringify(errors.at(-1)))
}

describe('golden files', () => {
  const files = readdirSync(golden).filter((name) => name.endsWith('.json'))

  test('there is one for this version', () => {
    expect(files).toContain(`v${STORED_VERSION}.json`)
  })

  test.each(files)('%s is still read, whole', (name) => {
    const entries = JSON.parse(readFileSync(new URL(name, golden), 'utf8')) as Record<StoredKind, JsonObject>
    for (const [kind, stored] of Object.entries(entries) as [StoredKind, JsonObject][]) {
      const read = fromJson(stored, kind)
      expectSame(again(toJson(read)), { ...stored, interlingua: STORED_VERSION })
    }
  })
})
