import type { ChunkParser, PullStages, StreamFailure, StreamTransform } from './pull-stages.ts'

/** The stages of a `PullIterator` that parse and transform. */
type TransformStages<Chunk, T, Output> = Pick<PullStages<Chunk, T, Output>, 'createParser' | 'transform'>

/**
 * Returns stages that parse chunks and transform the values twice. Two iterators, of which one reads the other, return the same
 * outputs but wait twice for each chunk. The first transform runs while a chunk is parsed, the second one on demand.
 */
export function chainTransforms<Chunk, T, Middle, Output>(
  createParser: (onValue: (value: T) => void) => ChunkParser<Chunk>,
  first: StreamTransform<T, Middle>,
  second: StreamTransform<Middle, Output>,
): TransformStages<Chunk, Middle, Output> {
  const chain = new TransformChain(first, second)
  return { createParser: (onValue) => chain.createParser(createParser, onValue), transform: chain }
}

class TransformChain<T, Middle, Output> implements StreamTransform<Middle, Output> {
  readonly #first: StreamTransform<T, Middle>
  readonly #second: StreamTransform<Middle, Output>
  /** True after the first transform threw an error. */
  #hasFirstFailed = false

  constructor(first: StreamTransform<T, Middle>, second: StreamTransform<Middle, Output>) {
    this.#first = first
    this.#second = second
  }

  get isDone(): boolean {
    return this.#second.isDone === true
  }

  createParser<Chunk>(
    createParser: (onValue: (value: T) => void) => ChunkParser<Chunk>,
    onMiddle: (value: Middle) => void,
  ): ChunkParser<Chunk> {
    const parser = createParser((value) => {
      for (const each of this.#readFirst(value)) onMiddle(each)
    })
    return {
      push: parser.push,
      end: () => {
        parser.end()
        for (const each of this.#first.end(undefined)) onMiddle(each)
      },
    }
  }

  #readFirst(value: T): readonly Middle[] {
    try {
      return this.#first.read(value)
    } catch (error) {
      this.#hasFirstFailed = true
      throw error
    }
  }

  read(value: Middle): readonly Output[] {
    return this.#second.read(value)
  }

  end(failure: StreamFailure | undefined): readonly Output[] {
    // The first transform has ended with the parser, unless the reading failed before.
    if (failure === undefined || failure.isFromTransform === true) return this.#second.end(failure)
    const outputs: Output[] = []
    const isFromTransform = this.#hasFirstFailed && { isFromTransform: true as const }
    for (const each of this.#first.end({ error: failure.error, ...isFromTransform })) {
      if (this.isDone) return outputs
      for (const output of this.#second.read(each)) outputs.push(output)
    }
    if (!this.isDone) for (const output of this.#second.end(undefined)) outputs.push(output)
    return outputs
  }
}
