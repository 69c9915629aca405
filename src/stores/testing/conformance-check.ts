import assert from 'node:assert/strict'
import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { InterlinguaError, type ErrorCode } from '../../errors.ts'
import type { ConversationStorage } from '../conversation-storage.ts'

/** The storage to try. */
export interface StorageUnderTest {
  /** Opens it. What was written before is there, unless it is volatile. */
  open(): Promise<ConversationStorage>
  /** Whether it forgets everything when it is closed. */
  readonly isVolatile?: boolean
  /** Whether it can be opened twice at once, as several processes do. */
  readonly supportsSharing?: boolean
  /** How many messages the longest session has. Default: 100,000. */
  readonly messageCount?: number
}

/** What one test is given: a storage, of a tenant that nobody else uses. */
interface CheckContext {
  readonly storage: ConversationStorage
  readonly subject: StorageUnderTest
}

export interface ConformanceCheck {
  readonly name: string
  readonly run: (trial: CheckContext) => Promise<void>
}

/** A tenant of its own. */
export function createTenant(): string {
  return createId('tenant')
}

/** The texts of messages, for a glance at a conversation. */
export function messageTexts(messages: Iterable<Message>): string[] {
  return Array.from(messages, (message) => textOf(message))
}

/** Expects a refusal with a code. */
export async function expectError(code: ErrorCode, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof InterlinguaError, `expected an InterlinguaError, got ${String(error)}`)
    assert.equal(error.code, code)
    return true
  })
}

/** Message as it comes back: with the id of what it follows, and nothing else changed. */
export function withParent(message: Message, parent: Message | undefined): Message {
  const { parentId: _parentId, ...rest } = message
  return parent === undefined ? rest : { ...rest, parentId: parent.id }
}
