import type { Extra } from './extra.ts'
import type { AssistantMessage } from './message.ts'
import type { Usage } from './usage.ts'

/** The response of a model: one message per candidate, each with its own finish. */
export interface ChatResponse {
  readonly id?: string
  readonly model?: string
  readonly createdAt?: string
  readonly candidates: readonly AssistantMessage[]
  readonly usage?: Usage
  readonly extra?: Extra
}
