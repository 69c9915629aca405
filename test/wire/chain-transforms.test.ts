import { describe, expect, test } from 'vitest'
import { openReader } from '../../src/wire/iterable-source.ts'
import { PullIterator } from '../../src/wire/pull-iterator.ts'
import type { StreamFailure, StreamTransform } from '../../src/wire/pull-stages.ts'
import { chainTransforms } from '../../src/wire/chain-transforms.ts'
import { collect as listAll } from './chunks.ts'

/** Reports a failure in its last output, as a decoder does. */
class Decoder implements StreamTransform<string, string> {
  read(value: string): readonly string[] {
    if (value === 'bad') throw new Error('the first transform')
    return [value, value.toUpperCase()]
  }

  end(failure: StreamFailure | undefined): readonly string[] {
    if (failure === undefined) return ['last']
    return [`${failure.isFromTransform ? 'own' : 'source'}: ${String((failure.error as Error).message)}`]
  }
}

class Encoder implements StreamTransform<string, string> {
  isDone = false

  read(value: string): readonly string[] {
    if (value === 'REFUSED') throw new Error('the second transform')
    this.isDone = value.includes(': ')
    return [`<${value}>`]
  }

  end(failure: StreamFailure | undefined): readonly string[] {
    if (failure !== undefined) throw failure.error
    return ['.']
  }
}

interface Log {
  pulled: number
  isCancelled: boolean
}

interface IterateOptions {
  readonly signal?: AbortSignal
  readonly failure?: Error
  readonly join?: (outputs: readonly string[]) => string
}

function iterate(
  chunks: readonly string[],
  log: Log,
  { signal, failure, join }: IterateOptions = {},
): PullIterator<string, string, string> {
  async function* generate(): AsyncGenerator<string> {
    try {
      for (const chunk of chunks) {
        log.pulled += 1
        yield chunk
      }
      if (failure !== undefined) throw failure
    } finally {
      log.isCancelled = true
    }
  }
  const createParser = (onValue: (value: string) => void) => ({
    push: (chunk: string) => chunk.split(' ').forEach((value) => onValue(value)),
    end: () => {},
  })
  const stages = chainTransforms(createParser, new Decoder(), new Encoder())
  return new PullIterator({ open: () => openReader(generate()), ...stages, ...(join && { join }), signal })
}

async function collect(iterator: AsyncIterable<string>): Promise<string> {
  let text = ''
  try {
    for await (const each of iterator) text += each
  } catch (error) {
    return `${text} ${(error as Error).message}`
  }
  return text
}

const join = (outputs: readonly string[]): string => outputs.join('')

describe.each([
  ['one by one', {}],
  ['joined', { join }],
])('a chain of two transforms, whose outputs are returned %s', (_, joining) => {
  const log: Log = { pulled: 0, isCancelled: false }

  test('returns the outputs of both, and of their ends', async () => {
    expect(await collect(iterate(['a b', 'c'], log, joining))).toBe('<a><A><b><B><c><C><last>.')
  })

  test('passes a failure of the source to the first transform', async () => {
    expect(await collect(iterate(['a'], log, { ...joining, failure: new Error('gone') }))).toBe(
      '<a><A><source: gone>',
    )
  })

  test('passes a failure of the first transform to its end, after the outputs before it', async () => {
    expect(await collect(iterate(['a bad c'], log, joining))).toBe('<a><A><own: the first transform>')
  })

  test('throws a failure of the second transform, after the outputs before it', async () => {
    expect(await collect(iterate(['a refused c'], log, joining))).toBe('<a><A><refused> the second transform')
  })

  test('reads the source on demand, and cancels it when the consumer stops', async () => {
    const own: Log = { pulled: 0, isCancelled: false }
    const iterator = iterate(['a', 'b', 'c'], own, joining)
    const { value: first } = await iterator.next()
    expect([first?.startsWith('<a>'), own.pulled]).toEqual([true, 1])
    await iterator.return()
    expect(own).toEqual({ pulled: 1, isCancelled: true })
  })

  test('ends with the failure of the first transform on abort', async () => {
    const controller = new AbortController()
    const iterator = iterate(['a', 'b'], log, { ...joining, signal: controller.signal })
    await iterator.next()
    controller.abort(new Error('stop'))
    expect(await collect(iterator)).toBe('<source: stop>')
  })
})

test('the outputs of a chunk are returned one by one, or joined', async () => {
  const log: Log = { pulled: 0, isCancelled: false }
  expect(await listAll(iterate(['a b', 'c'], log))).toEqual([
    '<a>',
    '<A>',
    '<b>',
    '<B>',
    '<c>',
    '<C>',
    '<last>',
    '.',
  ])
  expect(await listAll(iterate(['a b', 'c'], log, { join }))).toEqual([
    '<a><A><b><B>',
    '<c><C>',
    '<last>',
    '.',
  ])
})

test('a batch of joined outputs has one element', async () => {
  const iterator = iterate(['a b'], { pulled: 0, isCancelled: false }, { join })
  expect(await iterator.nextBatch()).toEqual({ done: false, value: ['<a><A><b><B>'] })
})

test('the outputs of a long chunk are joined in pieces', async () => {
  const outputs = await listAll(iterate(['a '.repeat(1000)], { pulled: 0, isCancelled: false }, { join }))
  const counts = outputs.map((output) => output.split('>').length - 1)
  expect(Math.max(...counts)).toBe(64)
})
