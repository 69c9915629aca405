import { assert } from '../../stores/testing/assertions.ts'
import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { EmbeddingModel } from '../../canonical/model/model-interface.ts'
import { InterlinguaError, type ErrorCode } from '../../errors.ts'
import type { MemoryStoreOptions } from '../create-memory-store.ts'
import type { MemoryHit, MemoryQuery, MemoryStore } from '../memory-store.ts'

/** The memory store to test. */
export interface MemoryStoreUnderTest {
  /** Opens the store with these options. Earlier writes must be present, unless it is volatile. */
  open(options: MemoryStoreOptions): Promise<MemoryStore>
  /** True if closing loses all data. */
  readonly isVolatile?: boolean
}

/** What a check uses. The tenant is its own. */
export interface MemoryCheckContext {
  readonly tenant: string
  /** Opens a store, which is closed after the check. */
  readonly open: (options?: MemoryStoreOptions) => Promise<MemoryStore>
}

/** Checks by name. */
export type MemoryChecks = { readonly [name: string]: (context: MemoryCheckContext) => Promise<void> }

/** Returns a unique tenant name. */
export function createTenantName(): string {
  return createId('tenant')
}

/** A clock that a check sets. */
export function createClock(start: string): {
  readonly now: () => number
  readonly set: (time: string) => void
} {
  let time = Date.parse(start)
  return { now: () => time, set: (next) => void (time = Date.parse(next)) }
}

const hashWord = (word: string): number => {
  let hash = 7
  for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}

/** An embedding model that computes vectors from the words of a text, and records the texts. */
export interface WordEmbeddingModel extends EmbeddingModel {
  readonly embedded: readonly string[]
}

/** Creates an embedding model whose vectors are similar if the texts share words. */
export function createWordEmbeddingModel(name = 'words', dimensions = 64): WordEmbeddingModel {
  const embedded: string[] = []
  return {
    name,
    provider: 'test',
    embedded,
    embed: async (texts) => ({
      vectors: texts.map((text) => {
        embedded.push(text)
        const vector = Array.from({ length: dimensions }, () => 0.01)
        for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
          const index = hashWord(word) % dimensions
          vector[index] = (vector[index] ?? 0) + 1
        }
        return vector
      }),
    }),
  }
}

/** Returns the keys of hits. */
export function listHitKeys(hits: readonly MemoryHit[]): string[] {
  return hits.map(({ memory }) => memory.key)
}

/** Returns the keys of a list, page by page. */
export async function listKeys(store: MemoryStore, query: MemoryQuery): Promise<readonly string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ ...query, ...(cursor !== undefined && { cursor }) })
    pages.push(page.memories.map(({ key }) => key))
    cursor = page.cursor
  } while (cursor !== undefined)
  return pages
}

/** Expects an InterlinguaError with a code. */
export async function expectError(code: ErrorCode, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof InterlinguaError, `expected an InterlinguaError, got ${String(error)}`)
    assert.equal(error.code, code, error.message)
  })
}
