import { createTimestamp, type IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { InterlinguaError } from '../errors.ts'
import { type CheckedMemory, createTooManyMemoriesError } from './check-memory.ts'
import {
  isExpired,
  type MemoryRow,
  type MemoryRows,
  type MemoryRowTransaction,
  type NewMemoryRow,
  readMemoryBody,
  type StoredVector,
  toMemory,
} from './memory-rows.ts'
import type { MemoryLimits, PutResult } from './memory-store.ts'
import { iterateMemorySlices } from './search-memories.ts'
import { embedTexts, type MemoryEmbeddingOptions, getStoredModelName } from './vectors.ts'

/** What the operations that write need. */
export interface WriteContext {
  readonly rows: MemoryRows
  readonly embedding: MemoryEmbeddingOptions | undefined
  readonly limits: Required<MemoryLimits>
  readonly identity: Pick<IdentityOptions, 'now'>
}

/** A memory to write, and its vector, unless it has none or the stored one is still valid. */
interface PlannedMemory extends CheckedMemory {
  readonly vector: StoredVector | undefined
}

/**
 * Stores memories in one transaction. Vectors are computed before it starts, and only for texts that are new: the
 * stored vector of an unchanged text is reused.
 */
export async function putMemories(
  context: WriteContext,
  tenant: string,
  memories: readonly CheckedMemory[],
  now: string,
  signal: AbortSignal | undefined,
): Promise<readonly PutResult[]> {
  const keys = memories.map(({ key }) => key)
  const known = new Map((await context.rows.get(tenant, keys)).map((row) => [row.key, row]))
  const hasVector = ({ key, text }: CheckedMemory): boolean => isEmbedded(context, known.get(key), text)
  const first = await planVectors(context, memories, hasVector, signal)
  const results = await context.rows.write(tenant, (rows) => writeMemories(context, rows, first, now))
  if (results !== undefined) return results
  // Another writer has changed a memory whose vector was to be reused.
  const second = await planVectors(context, memories, () => false, signal)
  const repeated = await context.rows.write(tenant, (rows) => writeMemories(context, rows, second, now))
  if (repeated === undefined) throw new InterlinguaError('internal', 'A memory has no vector')
  return repeated
}

/** Tests whether a stored memory has the same text, and a vector of the model of the store. */
function isEmbedded({ embedding }: WriteContext, row: MemoryRow | undefined, text: string): boolean {
  if (embedding === undefined || row?.vectorModel !== getStoredModelName(embedding.model)) return false
  const hasDimensions = embedding.dimensions === undefined || embedding.dimensions === row.dimensions
  return hasDimensions && readMemoryBody(row.body).text === text
}

async function planVectors(
  { embedding, limits }: WriteContext,
  memories: readonly CheckedMemory[],
  hasVector: (memory: CheckedMemory) => boolean,
  signal: AbortSignal | undefined,
): Promise<readonly PlannedMemory[]> {
  if (embedding === undefined) return memories
  const missing = memories.filter((memory) => memory.vector === undefined && !hasVector(memory))
  const texts = [...new Set(missing.map(({ text }) => text))]
  const vectors = await embedTexts(embedding, texts, 'document', limits.maxDimensions, signal)
  const byText = new Map(texts.map((text, index) => [text, vectors[index]]))
  return memories.map((memory) => ({ ...memory, vector: memory.vector ?? byText.get(memory.text) }))
}

/** Writes memories in order. Returns undefined, without effect, if the vector of one is missing. */
async function writeMemories(
  context: WriteContext,
  rows: MemoryRowTransaction,
  memories: readonly PlannedMemory[],
  now: string,
): Promise<readonly PutResult[] | undefined> {
  const stored = await rows.get(memories.map(({ key }) => key))
  const current = new Map(stored.map((row) => [row.key, row]))
  const changed = new Map<string, NewMemoryRow>()
  const results: PutResult[] = []
  let createdCount = 0
  for (const memory of memories) {
    const existing = current.get(memory.key)
    const row = toRow(memory, existing, now)
    if (context.embedding !== undefined && row.vector === null) return undefined
    const isNew = existing === undefined || isExpired(existing, now)
    const isSame = !isNew && isSameRow(existing, row)
    if (isNew) createdCount += 1
    if (!isSame) {
      current.set(row.key, row)
      changed.set(row.key, row)
    }
    const status = isSame ? 'unchanged' : isNew ? 'created' : 'updated'
    results.push({ memory: toMemory(isSame ? existing : row), status })
  }
  if (createdCount > 0) await makeRoom(rows, createdCount, context.limits.maxMemories, now)
  await rows.put([...changed.values()])
  return results
}

/** Deletes expired memories if there would be too many; throws if there still are. */
async function makeRoom(
  rows: MemoryRowTransaction,
  createdCount: number,
  maxMemories: number,
  now: string,
): Promise<void> {
  if ((await rows.count()) + createdCount <= maxMemories) return
  await rows.deleteExpired(now, maxMemories)
  if ((await rows.count()) + createdCount > maxMemories) throw createTooManyMemoriesError(maxMemories)
}

function toRow(memory: PlannedMemory, existing: NewMemoryRow | undefined, now: string): NewMemoryRow {
  const { key, body, expiresAt, vector } = memory
  const isReplaced = existing !== undefined && !isExpired(existing, now)
  const kept =
    existing !== undefined && readMemoryBody(existing.body).text === memory.text ? existing : undefined
  return {
    key,
    body,
    createdAt: isReplaced ? existing.createdAt : now,
    updatedAt: now,
    expiresAt,
    vectorModel: vector?.model ?? kept?.vectorModel ?? null,
    dimensions: vector?.dimensions ?? kept?.dimensions ?? null,
    vector: vector?.bytes ?? kept?.vector ?? null,
  }
}

function isSameRow(a: NewMemoryRow, b: NewMemoryRow): boolean {
  if (a.body !== b.body || a.expiresAt !== b.expiresAt || a.vectorModel !== b.vectorModel) return false
  if (a.vector === null || b.vector === null) return a.vector === b.vector
  const other = b.vector
  return a.vector.length === other.length && a.vector.every((byte, index) => byte === other[index])
}

/** Computes the vectors of memories that have none of the model of the store. Returns how many. */
export async function embedMissing(
  context: WriteContext,
  tenant: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { rows, embedding, limits } = context
  if (embedding === undefined) {
    throw new InterlinguaError('unsupported', 'The memory store has no embedding model', {
      hint: 'Open the store with the option `embedding`.',
    })
  }
  let count = 0
  for await (const slice of iterateMemorySlices(rows, tenant, { signal })) {
    const now = createTimestamp(context.identity)
    const missing = slice.flatMap((row) => {
      const { text } = readMemoryBody(row.body)
      return isExpired(row, now) || isEmbedded(context, row, text)
        ? []
        : [{ key: row.key, body: row.body, text }]
    })
    if (missing.length === 0) continue
    const texts = missing.map(({ text }) => text)
    const vectors = await embedTexts(embedding, texts, 'document', limits.maxDimensions, signal)
    count += await rows.write(tenant, async (transaction) => {
      const stored = await transaction.get(missing.map(({ key }) => key))
      const byKey = new Map(missing.map(({ key, body }, index) => [key, { body, vector: vectors[index] }]))
      const changed = stored.flatMap((row) => {
        const { body, vector } = byKey.get(row.key) ?? {}
        // A memory that was changed meanwhile has a vector of its own.
        if (vector === undefined || body !== row.body) return []
        return [{ ...row, vectorModel: vector.model, dimensions: vector.dimensions, vector: vector.bytes }]
      })
      await transaction.put(changed)
      return changed.length
    })
  }
  return count
}
