export { createMemoryStore, type MemoryStoreOptions } from './create-memory-store.ts'
export { inProcessMemory } from './in-process-memory.ts'
export { memoryTools, type MemoryToolsOptions } from './memory-tools.ts'
export { recallMemories, type RecallMemoriesOptions } from './recall-memories.ts'
export type {
  ForgetReceipt,
  Memory,
  MemoryFilter,
  MemoryHit,
  MemoryKey,
  MemoryLimits,
  MemoryMetadata,
  MemoryPage,
  MemoryQuery,
  MemorySearch,
  MemorySearchResult,
  MemoryStore,
  MemoryVector,
  NewMemory,
  PutResult,
  SignalOptions,
  TenantOptions,
} from './memory-store.ts'
export type {
  ComparedRows,
  MemoryPosition,
  MemoryRow,
  MemoryRows,
  MemoryRowTransaction as MemoryTransaction,
  NewMemoryRow,
  ScoredRow,
  StoredVector,
  VectorKind,
  VectorQuery,
} from './memory-rows.ts'
export type { MemoryEmbeddingOptions } from './vectors.ts'
