import { describe, expect, test } from 'vitest'
import { openReader } from '../../src/wire/iterable-source.ts'
import { PullIterator } from '../../src/wire/pull-iterator.ts'
import type { StreamFailure, StreamTransform } from '../../src/wire/pull-stages.ts'
import { chainTransforms } from '../../src/wire/chain-transforms.ts'

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

function iterate(
  chunks: readonly string[],
  log: Log,
  signal?: AbortSignal,
  failure?: Error,
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
  return new PullIterator({ open: () => openReader(generate()), ...stages, signal })
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

describe('a chain of two transforms', () => {
  const log: Log = { pulled: 0, isCancelled: false }

  test('returns the outputs of both, and of their ends', async () => {
    expect(await collect(iterate(['a b', 'c'], log))).toBe('<a><A><b><B><c><C><last>.')
  })

  test('passes a failure of the source to the first transform', async () => {
    expect(await collect(iterate(['a'], log, undefined, new Error('gone')))).toBe('<a><A><source: gone>')
  })

  test('passes a failure of the first transform to its end, after the outputs before it', async () => {
    expect(await collect(iterate(['a bad c'], log))).toBe('<a><A><own: the first transform>')
  })

  test('throws a failure of the second transform, after the outputs before it', async () => {
    expect(await collect(iterate(['a refused c'], log))).toBe('<a><A><refused> the second transform')
  })

  test('reads the source on demand, and cancels it when the consumer stops', async () => {
    const own: Log = { pulled: 0, isCancelled: false }
    const iterator = iterate(['a', 'b', 'c'], own)
    expect([await iterator.next(), await iterator.next(), own.pulled]).toEqual([
      { done: false, value: '<a>' },
      { done: false, value: '<A>' },
      1,
    ])
    await iterator.return()
    expect(own).toEqual({ pulled: 1, isCancelled: true })
  })

  test('ends with the failure of the first transform on abort', async () => {
    const controller = new AbortController()
    const iterator = iterate(['a', 'b'], log, controller.signal)
    await iterator.next()
    controller.abort(new Error('stop'))
    expect(await collect(iterator)).toBe('<source: stop>')
  })
})
