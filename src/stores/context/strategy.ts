import { withTypedErrors } from '../../wire/typed-errors.ts'
import { pairCalls, snapshotMessages } from '../../canonical/check/call-pairing.ts'
import type { Message } from '../../canonical/model/message.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkIterable, throwWrongType } from '../../canonical/shape/shape.ts'
import type { Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'

/** Messages that were omitted, shortened or summarized for the model. */
export interface TrimmedContext {
  readonly kind: 'dropped' | 'summarized' | 'shortened'
  /** Ids of the messages. */
  readonly messages: readonly string[]
  readonly reason: string
}

/** Content that a strategy added for the model. It is not stored with the conversation. */
export interface AddedContext {
  readonly kind: 'memories'
  /** Id of the added message; absent if none was added. */
  readonly message?: string
  /** Keys of the memories in the message, the best match first. */
  readonly included: readonly string[]
  /** Keys of memories that match and did not fit. */
  readonly omitted: readonly string[]
  readonly reason: string
}

/** The messages to send, what was trimmed from the conversation, and what was added to it. */
export interface ContextResult {
  readonly messages: readonly Message[]
  readonly trimmed: readonly TrimmedContext[]
  readonly added?: readonly AddedContext[]
}

/** The report of a context that differs from the conversation. */
export interface ContextReport {
  readonly session: string
  readonly trimmed: readonly TrimmedContext[]
  readonly added: readonly AddedContext[]
}

/** Stores results of a strategy, such as summaries, for later requests. */
export interface ContextNotes {
  /** Returns the most recent notes, the newest last. */
  read(): Promise<readonly Json[]>
  write(note: Json): Promise<void>
}

/**
 * Selects the messages that are sent to the model. It keeps all system messages and the prompt being
 * answered, and never separates a call from its result. The stored conversation does not change.
 * A {@link Conversation} passes `notes` that are stored with the session.
 */
export interface ContextStrategy {
  (messages: Iterable<Message>, notes?: ContextNotes): ContextResult | Promise<ContextResult>
  /** Present if the end of a conversation is enough; otherwise a {@link Conversation} reads all messages. */
  readonly tail?: ContextTail
}

/** The end of a conversation from which a strategy selects the same messages as from all of it. */
export interface ContextTail {
  /** Number of last messages that are usually enough. */
  readonly messageCount: number
  /** Tests whether these last messages, and the system messages, are enough; if not, more are read. */
  isEnough(messages: readonly Message[]): boolean
}

/** Adjacent messages that are kept or omitted together: calls, their results and everything in between. */
export type MessageBlock = readonly Message[]

/** Returns the messages that a strategy selects from; throws for a value that is not a list of messages. */
export function readContext(input: Iterable<Message>): readonly Message[] {
  return withTypedErrors(
    () =>
      Array.from(checkIterable(input, 'a list of messages'), (message, index) =>
        checkAndFreezeMessage(message, child(undefined, index)),
      ),
    [input],
  )
}

/** Groups the messages that may be omitted into blocks; system messages are excluded. */
export function groupIntoBlocks(messages: readonly Message[]): readonly MessageBlock[] {
  const until = messages.map((_, index) => index)
  for (const { message, call } of pairCalls(snapshotMessages(messages)).results) {
    if (call === undefined) continue
    const [first, last] = [Math.min(message, call.message), Math.max(message, call.message)]
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

/** Tests whether a block contains a user message. The last such block is the prompt being answered. */
export function hasUserMessage(block: MessageBlock): boolean {
  return block.some(({ role }) => role === 'user')
}

/**
 * Returns the last blocks that fit in `capacity`, starting with a user message if possible. The prompt being
 * answered and the last block are always included, because the model could not continue without them.
 */
export function takeLastBlocks(
  blocks: readonly MessageBlock[],
  capacity: number,
  sizeOf: (block: MessageBlock) => number,
): readonly MessageBlock[] {
  const promptIndex = blocks.findLastIndex(hasUserMessage)
  const prompt = blocks.slice(0, -1)[promptIndex] ?? []
  let start = Math.max(blocks.length - 1, 0)
  let remaining = capacity - sizeOf(prompt) - sizeOf(blocks[start] ?? [])
  while (start > 0) {
    const size = start - 1 === promptIndex ? 0 : sizeOf(blocks[start - 1] ?? [])
    if (size > remaining) break
    remaining -= size
    start -= 1
  }
  const kept = blocks.slice(start)
  if (promptIndex < start) return prompt.length === 0 ? kept : [prompt, ...kept]
  const firstUserBlock = start === 0 ? 0 : kept.findIndex(([first]) => first?.role === 'user')
  return kept.slice(Math.max(firstUserBlock, 0))
}

/**
 * Tests whether the last messages of a conversation contain all that {@link takeLastBlocks} takes: a complete block
 * precedes what is kept, no kept result has its call outside, and the prompt is included.
 */
export function areKeptBlocksComplete(messages: readonly Message[], kept: readonly MessageBlock[]): boolean {
  const [[firstMessage] = []] = groupIntoBlocks(messages)
  const keptMessages = new Set(kept.flat())
  if (firstMessage === undefined || keptMessages.has(firstMessage) || !kept.some(hasUserMessage)) return false
  const isKept = new Set(messages.flatMap((message, index) => (keptMessages.has(message) ? [index] : [])))
  const { results } = pairCalls(snapshotMessages(messages))
  return results.every(({ message, call }) => call !== undefined || !isKept.has(message))
}

/** Returns the system messages and the kept blocks in their original order, and reports what was omitted. */
export function keepBlocks(
  messages: readonly Message[],
  kept: readonly MessageBlock[],
  reason: string,
): ContextResult {
  const keptMessages = new Set(kept.flat())
  const dropped = messages.filter((message) => !isSystemRole(message.role) && !keptMessages.has(message))
  return dropMessages(messages, dropped, reason)
}

export function dropMessages(
  messages: readonly Message[],
  dropped: readonly Message[],
  reason: string,
): ContextResult {
  if (dropped.length === 0) return { messages, trimmed: [] }
  const droppedSet = new Set(dropped)
  return {
    messages: messages.filter((message) => !droppedSet.has(message)),
    trimmed: [{ kind: 'dropped', messages: dropped.map(({ id }) => id), reason }],
  }
}

/**
 * Applies several strategies in order.
 *
 * @example
 * context: chainStrategies(dropToolTraffic({ turns: 3 }), tokenBudget({ tokens: 100_000 }))
 */
export function chainStrategies(...strategies: readonly ContextStrategy[]): ContextStrategy {
  for (const [index, strategy] of strategies.entries())
    if (typeof strategy !== 'function')
      throwWrongType(strategy, child(undefined, index), 'a context strategy')
  const applyAll: ContextStrategy = async (input, notes) => {
    let messages = readContext(input)
    const trimmed: (readonly TrimmedContext[])[] = []
    const added: (readonly AddedContext[])[] = []
    for (const strategy of strategies) {
      const result = await strategy(messages, notes)
      messages = result.messages
      trimmed.push(result.trimmed)
      added.push(result.added ?? [])
    }
    const all = added.flat()
    return { messages, trimmed: trimmed.flat(), ...(all.length > 0 && { added: all }) }
  }
  // The first one selects the same messages from its tail, so the others do, too.
  const tail = withTypedErrors(() => strategies[0]?.tail, strategies)
  return Object.assign(applyAll, tail && { tail })
}
