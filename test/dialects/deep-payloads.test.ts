import { type ChatEvent, dialects, translateStream } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { subjects } from './dialect-table.ts'
import { collect, framedTexts, source } from './stream-responses.ts'

type Nested = readonly Nested[]

/** More levels than the stack has room for. */
const TOO_MANY = 20_000

function nest(levels: number): Nested {
  let value: Nested = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

describe.each(subjects)('[bounded work] $name: a stream that nests', ({ name, dialect }) => {
  const frame = (levels: number): string =>
    framedTexts(name, [`{"unknown":{"data":${'['.repeat(levels)}${']'.repeat(levels)}}}`])
  const others = subjects.map((subject) => subject.name).filter((other) => other !== name)

  test('as deep as JSON may is read', async () => {
    const [event] = await collect(dialect.decodeStream(source(frame(190))))
    expect(event).toMatchObject({ type: 'opaque', dialect: name })
  })

  test('deeper ends with a typed error', async () => {
    const events = await collect(dialect.decodeStream(source(frame(TOO_MANY))))
    expect(events).toMatchObject([{ type: 'error', error: { code: 'too-deep' } }])
  })

  test.each(others)('deeper is an error for a client of %s', async (to) => {
    const { body } = translateStream(source(frame(TOO_MANY)), { from: name, to })
    expect((await collect(body)).length).toBeGreaterThan(0)
  })

  test('deeper in events of the application is refused, or written', async () => {
    const encode = (event: object): Promise<Uint8Array[]> =>
      collect(dialects[name].encodeStream([event as ChatEvent]))
    const opaque = { type: 'opaque', dialect: 'other', value: { type: 'x', data: nest(TOO_MANY) } }
    await expect(encode(opaque)).rejects.toMatchObject({ code: 'invalid-type', path: '/value' })
    await encode({ type: 'start', extra: { other: { data: nest(TOO_MANY) } } })
  })
})
