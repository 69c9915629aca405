import type { Message } from '../../canonical/model/message.ts'
import { isSystemRole } from '../../canonical/read/guards.ts'
import { blocksOf, type ContextStrategy, keepOnly, lastBlocks } from './strategy.ts'
import { estimateTokens, tokensOf } from './tokens.ts'

export interface TokenBudget {
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
export function tokenBudget({ tokens, estimate = estimateTokens }: TokenBudget): ContextStrategy {
  return (given) => {
    const messages = [...given]
    const sizes = tokensOf(messages, estimate)
    const sum = (some: readonly Message[]): number =>
      some.reduce((total, message) => total + (sizes.get(message) ?? 0), 0)
    const room = tokens - sum(messages.filter(({ role }) => isSystemRole(role)))
    const kept = lastBlocks(blocksOf(messages), room, sum)
    return keepOnly(messages, kept, `Only what fits into ${tokens} tokens is shown`)
  }
}
