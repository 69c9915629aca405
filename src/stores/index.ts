export {
  type AppendOptions,
  type Appended,
  type Branch,
  type ConversationStorage,
  type Damage,
  type ForkOptions,
  type InSection,
  type NewSession,
  type PathOptions,
  type Session,
  type SessionChanges,
  type SessionPage,
  type SessionQuery,
  type UsageQuery,
  type UsageTotal,
} from './contract.ts'
export { memoryStorage } from './memory/index.ts'
export type { LabelRow, MessageRow, NodeRow, SectionRow, SessionRow, UsageRow } from './rows/row.ts'
export type { Rows, RowStore, SessionMark, SessionRowQuery, UsageRowQuery } from './rows/rows.ts'
export { storageOver, type StorageOptions } from './storage.ts'
