import { toolCall, type ToolResultPart } from 'interlingua'
import { tool, ToolExecutor } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'

async function resultOf(run: () => unknown): Promise<ToolResultPart> {
  const tools = [tool({ name: 'work', run })]
  const { results } = await new ToolExecutor({ tools }).executeBatch([
    toolCall({ id: 'call_1', name: 'work' }),
  ])
  return results[0] ?? expect.fail('no result')
}

const trapped = (): never => expect.fail('looked into')
const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

describe('whatever a tool throws becomes an error result', () => {
  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /^Unknown error\.$/],
    ['an object with a message', { code: 5, message: 'no such file' }, /^no such file$/],
    ['an object without a message', { code: 5 }, /^\{"code":5\}$/],
    ['an object that cannot be converted to text', Object.create(null), /^Unknown error\.$/],
    ['an object that throws on conversion', { toString: trapped, toJSON: trapped }, /^Unknown error\.$/],
    [
      'an error whose message is not text',
      Object.assign(new Error('x'), { message: 5 }),
      /^Unknown error\.$/,
    ],
    [
      'an error whose message throws',
      Object.defineProperty(new Error('x'), 'message', { get: trapped }),
      /^Unknown error\.$/,
    ],
    [
      'a proxy that throws on every access',
      new Proxy({}, { get: trapped, getPrototypeOf: trapped }),
      /^Unknown error\.$/,
    ],
    ['something that contains itself', cyclic, /^Unknown error\.$/],
    ['a response', new Response('x'), /^Unknown error\.$/],
    ['a symbol', Symbol('what'), /what/],
    ['a bigint', 5n, /^5$/],
  ])('%s', async (_, thrown, message) => {
    for (const run of [() => Promise.reject(thrown), () => failing(thrown)]) {
      const { isError, content } = await resultOf(run)
      expect([isError, content]).toEqual([true, [{ type: 'text', text: expect.stringMatching(message) }]])
    }
  })
})

async function* failing(thrown: unknown): AsyncGenerator<string> {
  yield 'half'
  throw thrown
}

describe('a value that JSON would silently distort is an error that names it', () => {
  test.each<[string, unknown, RegExp]>([
    ['a map', new Map([['a', 1]]), /Map/],
    ['a nested set', { found: [new Set([1])] }, /Set/],
    ['a response that was not read', new Response('x'), /Response/],
    ['bytes of no known format', new Uint8Array([1, 2]), /Uint8Array/],
    ['a Buffer of no known format', Buffer.from('abc'), /Buffer/],
    ['an ArrayBuffer of no known format', new ArrayBuffer(3), /ArrayBuffer/],
    ['a nested Buffer', { file: Buffer.from('abc') }, /Buffer/],
    ['a nested image', { file: [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')] }, /Buffer/],
    ['a nested blob', { file: new Blob(['x']) }, /Blob/],
    ['a function', () => 1, /function/],
    ['a symbol', Symbol('x'), /symbol/],
    ['an error that is returned and not thrown', new Error('no such city'), /^no such city$/],
  ])('%s', async (_, output, message) => {
    const { isError, content } = await resultOf(() => output)
    expect([isError, content]).toEqual([true, [{ type: 'text', text: expect.stringMatching(message) }]])
  })

  test('fields of a class are kept, as in JSON', async () => {
    class Weather {
      readonly celsius = 4
    }
    expect((await resultOf(() => new Weather())).content).toEqual([{ type: 'json', value: { celsius: 4 } }])
  })

  test('an iterable that yields such a value is closed', async () => {
    let closed = false
    const { isError } = await resultOf(async function* () {
      try {
        yield 5n
      } finally {
        closed = true
      }
    })
    expect([isError, closed]).toEqual([true, true])
  })
})

describe('bytes of a known format are media', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
  const data = png.toString('base64')
  const exact = png.buffer.slice(png.byteOffset, png.byteOffset + png.length)

  test.each<[string, unknown]>([
    ['a Buffer', png],
    ['a Uint8Array', new Uint8Array(png)],
    ['an ArrayBuffer', exact],
    ['a DataView', new DataView(exact)],
    ['a Blob', new Blob([png])],
    ['a promise of a Buffer', Promise.resolve(png)],
  ])('%s', async (_, output) => {
    const { isError, content } = await resultOf(() => output)
    expect(isError).toBeUndefined()
    expect(content).toEqual([{ type: 'image', source: { kind: 'base64', mediaType: 'image/png', data } }])
  })

  test('the Blob that a generator returns', async () => {
    const { content } = await resultOf(async function* () {
      yield 'half'
      return new Blob([png])
    })
    expect(content).toMatchObject([{ type: 'image' }])
  })

  test('a PDF is a file, and a named File of another format keeps its name and type', async () => {
    expect((await resultOf(() => Buffer.from('%PDF-1.7'))).content).toMatchObject([{ type: 'file' }])
    const report = new File(['a,b'], 'report.csv', { type: 'text/csv' })
    expect((await resultOf(() => report)).content).toEqual([
      { type: 'file', name: 'report.csv', source: { kind: 'base64', mediaType: 'text/csv', data: 'YSxi' } },
    ])
  })
})
