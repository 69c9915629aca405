export { dropToolTraffic, type ToolTraffic } from './context/drop-tool-traffic.ts'
export { keepLast } from './context/keep-last.ts'
export {
  type ContextNotes,
  type ContextReport,
  type ContextStrategy,
  type Cut,
  type Fitted,
  inOrder,
} from './context/strategy.ts'
export { summarize, type Summarize } from './context/summarize.ts'
export { tokenBudget, type TokenBudget } from './context/token-budget.ts'
export { estimateTokens } from './context/tokens.ts'
export { Conversation, type ConversationOptions, type SendOptions } from './conversation/conversation.ts'
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
export { layered, type LayeredOptions } from './layered/index.ts'
export { memoryStorage } from './memory/index.ts'
export type { LabelRow, MessageRow, NodeRow, SectionRow, SessionRow, UsageRow } from './rows/row.ts'
export type { Rows, RowStore, SessionMark, SessionRowQuery, UsageRowQuery } from './rows/rows.ts'
export { storageOver, type StorageOptions } from './storage.ts'
