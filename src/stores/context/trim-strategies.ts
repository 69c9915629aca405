import type { Message } from '../../canonical/model/message.ts'
import { checkCount, checkLimit } from '../check-arguments.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import {
  areKeptBlocksComplete,
  groupIntoBlocks,
  type MessageBlock,
  type ContextStrategy,
  keepBlocks,
  readContext,
  takeLastBlocks,
  type ContextResult,
  type TrimmedContext,
} from './strategy.ts'
import { checkEstimate, createTokenCounter, estimateTokens } from './estimate-tokens.ts'
import type { PairedResult } from '../../canonical/check/call-matcher.ts'
import { pairCalls, snapshotMessages } from '../../canonical/check/call-pairing.ts'
import { updateMessage } from '../../canonical/update/message.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isEmptyContent } from '../../canonical/read/content-checks.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Fewest messages that are read at once. */
const MIN_TAIL_COUNT = 64
/** Ratio of the tokens that are read to those that are sent. */
const TOKEN_RESERVE = 2

export interface DropToolTrafficOptions {
  /** Number of recent turns that keep their tool calls; a turn starts with a user message. Default: 1. */
  readonly turns?: number
}

/**
 * Omits tool calls and their results from all but the most recent turns. Other content of these messages
 * stays, except reasoning that led to an omitted call.
 *
 * @example
 * new Conversation({ agent, storage, session, context: dropToolTraffic({ turns: 3 }) })
 */
export function dropToolTraffic(options: DropToolTrafficOptions = {}): ContextStrategy {
  return withTypedErrors(() => {
    checkOptions('dropToolTraffic()', options, { turns: true })
    const { turns = 1 } = options
    checkCount(turns, 'turns')
    return (input) => {
      const messages = readContext(input)
      const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
      return dropAnsweredCalls(messages, starts.at(-turns) ?? 0)
    }
  }, [options])
}

/** Removes the calls that precede index `end` with all of their results. */
function dropAnsweredCalls(messages: readonly Message[], end: number): ContextResult {
  const removedParts = new Set<Part>()
  const { results } = pairCalls(snapshotMessages(messages))
  const isRecent = ({ message, call }: PairedResult): boolean => Math.max(message, call?.message ?? 0) >= end
  const recentCalls = new Set(results.filter(isRecent).map(({ call }) => call))
  for (const { value, call } of results)
    if (call !== undefined && !recentCalls.has(call)) removedParts.add(value).add(call.value)
  if (removedParts.size === 0) return { messages, trimmed: [] }
  const dropped: string[] = []
  const shortened: string[] = []
  const kept = messages.flatMap((message) => {
    // Only assistant and tool messages contain calls or results, so their parts are assistant parts.
    const parts = message.content as readonly AssistantPart[]
    if (!parts.some((part) => removedParts.has(part))) return [message]
    const rest = parts.filter((part) => !removedParts.has(part) && part.type !== 'reasoning')
    if (isEmptyContent(rest)) {
      dropped.push(message.id)
      return []
    }
    shortened.push(message.id)
    return [updateMessage(message, { content: rest })]
  })
  const reason = 'Tool calls and results of earlier turns were omitted'
  const trimmed: TrimmedContext[] = [
    { kind: 'dropped', messages: dropped, reason },
    { kind: 'shortened', messages: shortened, reason },
  ]
  return { messages: kept, trimmed: trimmed.filter(({ messages: ids }) => ids.length > 0) }
}

/**
 * Sends only the last `count` messages, not counting system messages; fewer if a call would be separated from
 * its result. The last user message and the last round of calls and results are sent even if they are more.
 *
 * @example
 * new Conversation({ agent, storage, session, context: keepLast(40) })
 */
export function keepLast(count: number): ContextStrategy {
  return withTypedErrors(() => {
    checkLimit(count, 'count')
    const take = (messages: readonly Message[]): readonly MessageBlock[] =>
      takeLastBlocks(groupIntoBlocks(messages), count, (block) => block.length)
    const strategy: ContextStrategy = (input) => {
      const messages = readContext(input)
      return keepBlocks(messages, take(messages), `Only the last ${count} messages were sent`)
    }
    if (!Number.isFinite(count)) return strategy
    // Twice as many, so that the beginning rarely cuts what belongs together.
    const messageCount = Math.max(MIN_TAIL_COUNT, Math.ceil(count) * 2)
    const isEnough = (messages: readonly Message[]): boolean =>
      areKeptBlocksComplete(messages, take(messages))
    return Object.assign(strategy, { tail: { messageCount, isEnough } })
  }, [count])
}

export interface TokenBudgetOptions {
  /** Maximum number of tokens of all messages, system messages included. */
  readonly tokens: number
  /** Estimates a message whose token count no response reports. Default: {@link estimateTokens}. */
  readonly estimate?: (message: Message) => number
}

/**
 * Sends the most recent messages that fit in a token budget. The last user message and the last round of calls
 * and results are sent even if they exceed it.
 *
 * @example
 * new Conversation({ agent, storage, session, context: tokenBudget({ tokens: 100_000 }) })
 */
export function tokenBudget(options: TokenBudgetOptions): ContextStrategy {
  return withTypedErrors(() => {
    checkOptions('tokenBudget()', options, { tokens: true, estimate: Function })
    const { tokens, estimate = estimateTokens } = options
    checkEstimate(estimate)
    checkLimit(tokens, 'tokens')
    const take = (messages: readonly Message[], budget: number): readonly MessageBlock[] => {
      const sum = createTokenCounter(messages, estimate)
      const capacity = budget - sum(messages.filter(({ role }) => isSystemRole(role)))
      return takeLastBlocks(groupIntoBlocks(messages), capacity, sum)
    }
    const strategy: ContextStrategy = (input) => {
      const messages = readContext(input)
      const reason = `Only messages within the budget of ${tokens} tokens were sent`
      return keepBlocks(messages, take(messages, tokens), reason)
    }
    // Later responses report other counts for the same messages, so more is read than fits now.
    const isEnough = (messages: readonly Message[]): boolean =>
      areKeptBlocksComplete(messages, take(messages, tokens * TOKEN_RESERVE))
    return Object.assign(strategy, { tail: { messageCount: MIN_TAIL_COUNT, isEnough } })
  }, [options])
}
