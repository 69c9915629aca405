import { PrefixFold } from '../canonical/collections/prefix-fold.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { AssistantPart, Part } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { isOwnCall } from './shared/own-calls.ts'

/** Answers that follow each other without a word of the user between: the first of them, and the last. */
interface Run {
  readonly first?: Message
  readonly last?: Message
  /** Whether the user has said something since. */
  readonly ended?: boolean
}

const runs = new PrefixFold<Run>(
  () => ({}),
  (run, message) => {
    if (message.role === 'user') return { ...run, ended: true }
    if (message.role !== 'assistant') return run
    return { first: run.ended ? message : (run.first ?? message), last: message }
  },
)

/** The first answer of those that call and wait, without a word of the user between. */
export function loopOf(messages: ChatRequest['messages']): Message | undefined {
  const { first, last } = runs.of(messages)
  return (last?.content as readonly Part[] | undefined)?.some(isOwnCall) ? first : undefined
}

/**
 * Whether a conversation ends with an answer that the model is to go on with: one that neither waits for a result nor was
 * paused by its provider. What says nothing after it, or only in another format, may not be sent.
 */
export function isUnfinished(messages: ChatRequest['messages'], dialect: string): boolean {
  const last = lastSaid(messages, dialect)
  return last?.role === 'assistant' && !last.content.some(isOwnCall) && !isPaused(last, dialect)
}

/** Whether the provider was at work itself when the answer ended: it goes on from there. */
function isPaused({ content, finish }: AssistantMessage, dialect: string): boolean {
  const ran = (part: AssistantPart | undefined): boolean =>
    (part?.type === 'tool-call' || part?.type === 'tool-result') && part.extra?.[dialect] !== undefined
  return ran(content.at(-1)) || (finish?.reason === 'pause' && content.some(ran))
}

function lastSaid(messages: ChatRequest['messages'], dialect: string): Message | undefined {
  const isForeign = (part: Part): boolean => part.type === 'opaque' && part.dialect !== dialect
  const saysNothing = (part: Part): boolean => isBlank(part) || isForeign(part)
  let at = -1
  let last = messages.at(at)
  while (last !== undefined && (last.content as readonly Part[]).every(saysNothing)) last = messages.at(--at)
  return last
}

/** Text that says nothing. */
export function isBlank(part: Part): boolean {
  return part.type === 'text' && part.text.trim() === ''
}
