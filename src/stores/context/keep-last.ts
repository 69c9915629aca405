import { blocksOf, type ContextStrategy, keepOnly, lastBlocks } from './strategy.ts'

/**
 * Shows the last so many messages, system text not counted; fewer where a call and its result would be taken apart.
 *
 * @example
 * new Conversation({ agent, storage, session, context: keepLast(40) })
 */
export function keepLast(count: number): ContextStrategy {
  return (given) => {
    const messages = [...given]
    const kept = lastBlocks(blocksOf(messages), count, (block) => block.length)
    return keepOnly(messages, kept, `Only the last ${count} messages are shown`)
  }
}
