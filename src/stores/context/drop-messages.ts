import type { Message } from '../../canonical/model/message.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import {
  groupIntoBlocks,
  type ContextStrategy,
  keepBlocks,
  takeLastBlocks,
  type ContextResult,
} from './strategy.ts'
import { estimateTokens, measureTokens } from './estimate-tokens.ts'
import { pairCalls, snapshotMessages } from '../../canonical/check/call-pairing.ts'
import { updateMessage } from '../../canonical/update/message.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isEmptyContent } from '../../canonical/read/content-checks.ts'

export interface DropToolTrafficOptions {
  /** How many turns keep theirs, counted from the end; a turn begins with something that the user says. Default: 1. */
  readonly turns?: number
}

/**
 * Leaves out calls and their results in all but the last turns; what was said beside them stays. Thoughts that led to a
 * call go with it.
 *
 * @example
 * new Conversation({ agent, storage, session, context: dropToolTraffic({ turns: 3 }) })
 */
export function dropToolTraffic({ turns = 1 }: DropToolTrafficOptions = {}): ContextStrategy {
  return (given) => {
    const messages = [...given]
    const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
    const end = starts.at(-turns) ?? 0
    return dropAnsweredCalls(messages, end)
  }
}

/** Without the calls that were both made and answered before a place. */
function dropAnsweredCalls(messages: readonly Message[], end: number): ContextResult {
  const removedParts = new Set<Part>()
  for (const { message, value, answer } of pairCalls(snapshotMessages(messages)).calls) {
    if (answer === undefined || Math.max(message, answer.message) >= end) continue
    removedParts.add(value).add(answer.value)
  }
  if (removedParts.size === 0) return { messages, trimmed: [] }
  const dropped: string[] = []
  const shortened: string[] = []
  const kept = messages.flatMap((message) => {
    // Whatever has calls or results has parts of an answer.
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
  const reason = 'Calls of earlier turns and their results are not shown'
  const cut = [
    ...(dropped.length > 0 ? [{ kind: 'dropped' as const, messages: dropped, reason }] : []),
    ...(shortened.length > 0 ? [{ kind: 'shortened' as const, messages: shortened, reason }] : []),
  ]
  return { messages: kept, trimmed: cut }
}

/**
 * Shows the last so many messages, system text not counted; fewer where a call and its result would be taken apart.
 *
 * @example
 * new Conversation({ agent, storage, session, context: keepLast(40) })
 */
export function keepLast(count: number): ContextStrategy {
  return (given) => {
    const messages = [...given]
    const kept = takeLastBlocks(groupIntoBlocks(messages), count, (block) => block.length)
    return keepBlocks(messages, kept, `Only the last ${count} messages are shown`)
  }
}

export interface TokenBudgetOptions {
  /** How many tokens the messages may have, system text included. */
  readonly tokens: number
  /** Counts a message whose tokens no answer tells. Default: {@link estimateTokens}. */
  readonly estimate?: (message: Message) => number
}

/**
 * Shows the last messages that a budget of tokens has room for.
 *
 * @example
 * new Conversation({ agent, storage, session, context: tokenBudget({ tokens: 100_000 }) })
 */
export function tokenBudget({ tokens, estimate = estimateTokens }: TokenBudgetOptions): ContextStrategy {
  return (given) => {
    const messages = [...given]
    const sizes = measureTokens(messages, estimate)
    const sum = (some: readonly Message[]): number =>
      some.reduce((total, message) => total + (sizes.get(message) ?? 0), 0)
    const room = tokens - sum(messages.filter(({ role }) => isSystemRole(role)))
    const kept = takeLastBlocks(groupIntoBlocks(messages), room, sum)
    return keepBlocks(messages, kept, `Only what fits into ${tokens} tokens is shown`)
  }
}
