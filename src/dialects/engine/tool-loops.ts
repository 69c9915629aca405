import { CachedMessageFold } from '../../canonical/collections/cached-message-fold.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** The first and last message of a run of assistant messages without a user message between them. */
interface AssistantRun {
  readonly first?: Message
  readonly last?: Message
  /** True if a user message follows the run. */
  readonly isEnded?: boolean
  /** The first assistant message after that user message, if it may be omitted: with it, the run is not over. */
  readonly next?: Message
}

const assistantRuns = new CachedMessageFold<AssistantRun>(
  () => ({}),
  (run, message) => {
    if (message.role === 'user') return { ...run, isEnded: true }
    if (message.role !== 'assistant') return run
    // A message that may be omitted does not end the loop before it.
    if (run.last !== undefined && !message.content.some(isAlwaysWritten))
      return run.isEnded ? { ...run, next: run.next ?? message } : run
    const first = run.isEnded ? (run.next ?? message) : (run.first ?? message)
    return { first, last: message }
  },
)

/**
 * Returns the first assistant message of the current tool loop: since the last user message, up to an
 * assistant message with tool calls.
 */
function findToolLoopStart(messages: ChatRequest['messages']): Message | undefined {
  const { first, last } = assistantRuns.fold(messages)
  return (last?.content as readonly Part[] | undefined)?.some(isApplicationCall) ? first : undefined
}

/** Returns true if the current tool loop does not start with reasoning that the model's own vendor signed. */
export function isForeignToolLoop(messages: ChatRequest['messages'], vendor: string | undefined): boolean {
  const first = vendor === undefined ? undefined : findToolLoopStart(messages)
  const firstPart = first?.content.find((part) => !isBlankText(part))
  if (first === undefined) return false
  return !(
    firstPart?.type === 'reasoning' &&
    firstPart.signature?.vendor === vendor &&
    isSignatureValid(firstPart)
  )
}

/** Returns true for content that every dialect writes: an assistant message with it is never omitted. */
function isAlwaysWritten(part: Part): boolean {
  return isApplicationCall(part) || (part.type === 'text' && !isBlankText(part))
}

/** Returns true for a text part without visible text. */
export function isBlankText(part: Part): boolean {
  return part.type === 'text' && part.text.trim() === ''
}
