import { pairCalls, snapshot } from '../../canonical/check/pairing.ts'
import { edit } from '../../canonical/edit/message.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isEmptyContent } from '../../canonical/read/state.ts'
import type { ContextStrategy, Fitted } from './strategy.ts'

export interface ToolTraffic {
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
export function dropToolTraffic({ turns = 1 }: ToolTraffic = {}): ContextStrategy {
  return (given) => {
    const messages = [...given]
    const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
    const end = starts.at(-turns) ?? 0
    return withoutPairs(messages, end)
  }
}

/** Without the calls that were both made and answered before a place. */
function withoutPairs(messages: readonly Message[], end: number): Fitted {
  const gone = new Set<Part>()
  for (const { message, value, answer } of pairCalls(snapshot(messages)).calls) {
    if (answer === undefined || Math.max(message, answer.message) >= end) continue
    gone.add(value).add(answer.value)
  }
  if (gone.size === 0) return { messages, cut: [] }
  const dropped: string[] = []
  const shortened: string[] = []
  const kept = messages.flatMap((message) => {
    // Whatever has calls or results has parts of an answer.
    const parts = message.content as readonly AssistantPart[]
    if (!parts.some((part) => gone.has(part))) return [message]
    const rest = parts.filter((part) => !gone.has(part) && part.type !== 'reasoning')
    if (isEmptyContent(rest)) {
      dropped.push(message.id)
      return []
    }
    shortened.push(message.id)
    return [edit(message, { content: rest })]
  })
  const reason = 'Calls of earlier turns and their results are not shown'
  const cut = [
    ...(dropped.length > 0 ? [{ kind: 'dropped' as const, messages: dropped, reason }] : []),
    ...(shortened.length > 0 ? [{ kind: 'shortened' as const, messages: shortened, reason }] : []),
  ]
  return { messages: kept, cut }
}
