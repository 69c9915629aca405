import { pairCalls, snapshotMessages } from '../../canonical/check/call-pairing.ts'
import type { Message } from '../../canonical/model/message.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import type { Json } from '../../wire/json.ts'

/** Something that the model is not shown, or not as it was. */
export interface TrimmedContext {
  readonly kind: 'dropped' | 'summarized' | 'shortened'
  /** The ids of the messages. */
  readonly messages: readonly string[]
  readonly reason: string
}

/** A conversation that fits, and what it lacks. */
export interface ContextResult {
  readonly messages: readonly Message[]
  readonly trimmed: readonly TrimmedContext[]
}

/** What a conversation tells of a cut. */
export interface ContextReport {
  readonly session: string
  readonly trimmed: readonly TrimmedContext[]
}

/** Where a strategy keeps what it has made of a conversation, so that it need not be made again. */
export interface ContextNotes {
  /** The last ones, the newest at the end. */
  read(): Promise<readonly Json[]>
  write(note: Json): Promise<void>
}

/**
 * Decides what of a conversation the model is shown. It loses no system text and never takes a call from its result.
 * What is stored stays as it is. A {@link Conversation} gives it notes that are stored with it.
 */
export type ContextStrategy = (
  messages: Iterable<Message>,
  notes?: ContextNotes,
) => ContextResult | Promise<ContextResult>

/** Neighbours that stay or go together: calls with all that lies between them and their results. */
export type MessageBlock = readonly Message[]

/** The messages that may go, in blocks. System text is in none. */
export function groupIntoBlocks(messages: readonly Message[]): readonly MessageBlock[] {
  const until = messages.map((_, index) => index)
  for (const { message, answer } of pairCalls(snapshotMessages(messages)).calls) {
    if (answer === undefined) continue
    const [first, last] = [Math.min(message, answer.message), Math.max(message, answer.message)]
    until[first] = Math.max(until[first] ?? first, last)
  }
  const blocks: Message[][] = []
  let open = -1
  for (const [index, message] of messages.entries()) {
    if (index > open && !isSystemRole(message.role)) blocks.push([])
    open = Math.max(open, until[index] ?? index)
    if (!isSystemRole(message.role)) blocks.at(-1)?.push(message)
  }
  return blocks.filter((block) => block.length > 0)
}

/**
 * The last blocks for which there is room, beginning with something that the user said where they hold one. There is always
 * room for the last one.
 */
export function takeLastBlocks(
  blocks: readonly MessageBlock[],
  capacity: number,
  sizeOf: (block: MessageBlock) => number,
): readonly MessageBlock[] {
  let start = blocks.length
  let used = 0
  while (start > 0) {
    const size = sizeOf(blocks[start - 1] ?? [])
    if (used + size > capacity && start < blocks.length) break
    used += size
    start -= 1
  }
  const kept = blocks.slice(start)
  const firstUserBlock = start === 0 ? 0 : kept.findIndex(([first]) => first?.role === 'user')
  return kept.slice(Math.max(firstUserBlock, 0))
}

/** The system text and the blocks that stay, in their order, with a report of what goes. */
export function keepBlocks(
  messages: readonly Message[],
  kept: readonly MessageBlock[],
  reason: string,
): ContextResult {
  const keptMessages = new Set(kept.flat())
  const dropped = messages.filter((message) => !isSystemRole(message.role) && !keptMessages.has(message))
  if (dropped.length === 0) return { messages, trimmed: [] }
  return {
    messages: messages.filter((message) => isSystemRole(message.role) || keptMessages.has(message)),
    trimmed: [{ kind: 'dropped', messages: dropped.map(({ id }) => id), reason }],
  }
}

/**
 * Several strategies, one after the other.
 *
 * @example
 * context: inOrder(dropToolTraffic({ turns: 3 }), tokenBudget({ tokens: 100_000 }))
 */
export function chainStrategies(...strategies: readonly ContextStrategy[]): ContextStrategy {
  return async (given, notes) => {
    let fitted: ContextResult = { messages: [...given], trimmed: [] }
    for (const strategy of strategies) {
      const { messages, trimmed } = await strategy(fitted.messages, notes)
      fitted = { messages, trimmed: [...fitted.trimmed, ...trimmed] }
    }
    return fitted
  }
}
