export { dropToolTraffic, type DropToolTrafficOptions } from './context/trim-strategies.ts'
export { keepLast } from './context/trim-strategies.ts'
export {
  type AddedContext,
  type ContextNotes,
  type ContextReport,
  type ContextStrategy,
  type ContextTail,
  type TrimmedContext,
  type ContextResult,
  chainStrategies,
} from './context/strategy.ts'
export {
  summarize,
  type SummarizeByMessages,
  type SummarizeByTokens,
  type SummarizeOptions,
} from './context/summarize.ts'
export { tokenBudget, type TokenBudgetOptions } from './context/trim-strategies.ts'
export { estimateTokens } from './context/estimate-tokens.ts'
export { Conversation } from './conversation/conversation.ts'
export type { ConversationStream } from './conversation/conversation-stream.ts'
export type {
  ConversationOptions,
  RegenerateOptions,
  SendOptions,
} from './conversation/conversation-options.ts'
export { RunTakenOverError } from './conversation/run-taken-over-error.ts'
export type { BusyOptions } from './conversation/acquire-lease.ts'
export {
  type AppendOptions,
  type AppendResult,
  type Branch,
  type ConversationStorage,
  type IntegrityIssue,
  type ForkOptions,
  type ImportedSession,
  type ImportOptions,
  type SaveStoreOptions,
  type SearchHit,
  type SearchPage,
  type SearchQuery,
  type SearchSnippet,
  type SectionOptions,
  type NewSession,
  type MessagesQuery,
  type Session,
  type SessionChanges,
  type SessionPage,
  type SessionQuery,
  type UsageQuery,
  type UsageTotal,
} from './conversation-storage.ts'
export type { AcquireLeaseOptions, Lease, LeaseOperations } from './lease.ts'
export { replicated, type ReplicatedOptions } from './replicated/index.ts'
export { memoryStorage } from './in-memory/memory-storage.ts'
export type {
  LabelRow,
  LeaseRow,
  MessageTreePosition as MessagePosition,
  MessageRow,
  NodeRow,
  SectionRow,
  SessionRow,
  UsageRow,
} from './rows/row-definitions.ts'
export type {
  SearchCandidate,
  SearchCandidatePage,
  SearchPosition,
  SearchRowQuery,
  SessionPosition,
  SessionRowQuery,
  TokenConditions,
  UsageRowQuery,
} from './rows/row-queries.ts'
export type {
  MessageTreeQueries,
  RowTransaction,
  RowStore,
  TransactionScope,
  UnchangedAppend,
} from './rows/row-store.ts'
export type {
  DeletedSession,
  DeletionReceipt,
  ForgetSessionsOptions as ForgetOptions,
  ForgetSessionsSelection as ForgetSelection,
  KeptSession,
  PruneSessionsOptions as PruneOptions,
} from './retention.ts'
export { createStorage, type StorageOptions } from './create-storage.ts'
export { createKeyring, type EncryptionOptions, type Keyring, type TenantKeys } from './encryption/keyring.ts'
export { createStreamLog, type StreamLogOptions } from './streams/create-stream-log.ts'
export { memoryStreamLog } from './streams/memory-stream-log.ts'
export type {
  OpenStreamOptions,
  ReadStreamOptions,
  StreamChunk,
  StreamEnd,
  StreamEndReason,
  StreamEntry,
  StreamInfo,
  StreamLog,
  StreamTruncation,
  StreamLogWriter as StreamWriter,
} from './streams/stream-log.ts'
export type {
  NewStream,
  StreamBackend,
  StreamBatch,
  StreamPage,
  StreamRow,
  StreamTimes,
  StreamUpdate,
} from './streams/stream-backend.ts'
