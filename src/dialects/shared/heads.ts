import type { Origin } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { DialectName } from '../dialect.ts'

/** What an answer tells of itself before it says anything. */
export interface Head extends Pick<ChatResponse, 'id' | 'model' | 'createdAt'> {
  readonly origin: Origin
}

/** The head of an answer from what the wire has for it; whatever is no text says nothing. */
export function headOf(dialect: DialectName, id: unknown, model: unknown, createdAt?: string): Head {
  const named = typeof model === 'string' ? { model } : {}
  return {
    ...(typeof id === 'string' && { id }),
    ...named,
    ...(createdAt !== undefined && { createdAt }),
    origin: { dialect, ...named, ...(typeof id === 'string' && { responseId: id }) },
  }
}

/** A date that is told in seconds; undefined where it is none. */
export function dateOf(seconds: unknown): string | undefined {
  return Number.isSafeInteger(seconds) && Math.abs(seconds as number) < 1e11
    ? new Date((seconds as number) * 1000).toISOString()
    : undefined
}
