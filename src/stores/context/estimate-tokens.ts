import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { throwInvalidType } from '../check-arguments.ts'

/** Tokens per message in addition to its content. */
const OVERHEAD_TOKENS = 4
/** Estimate for an image, audio or document; providers count these differently. */
const MEDIA_TOKENS = 1_000
const CHARACTERS_PER_TOKEN = 4

/**
 * Estimates the tokens of a message at four characters per token. Works offline.
 *
 * @example
 * estimateTokens(user('How warm is it in Oslo?')) // 10
 */
export function estimateTokens(message: Message): number {
  return withTypedErrors(
    () =>
      checkAndFreezeMessage(message).content.reduce(
        (sum, part) => sum + estimatePartTokens(part),
        OVERHEAD_TOKENS,
      ),
    [message],
  )
}

/** Checks the option that replaces {@link estimateTokens}. */
export function checkEstimate(estimate: unknown): void {
  if (typeof estimate !== 'function') throwInvalidType('estimate', estimate, 'a function')
}

function estimatePartTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return countTokens(part.text)
    case 'tool-call':
      return countTokens(part.name) + countTokens(part.invalidArguments ?? JSON.stringify(part.arguments))
    case 'tool-result':
      return part.content.reduce((sum, each) => sum + estimatePartTokens(each), OVERHEAD_TOKENS)
    case 'json':
    case 'opaque':
      return countTokens(JSON.stringify(part.value))
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return part.source.kind === 'text' ? countTokens(part.source.text) : MEDIA_TOKENS
  }
}

function countTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** Largest plausible ratio of a reported count to the estimate; beyond it, the count covers something else. */
const MAX_COUNT_RATIO = 4

/** Returns a function that sums the tokens of some of these messages. */
export function createTokenCounter(
  messages: readonly Message[],
  estimate: (message: Message) => number,
): (some: readonly Message[]) => number {
  const sizes = measureTokens(messages, estimate)
  return (some) => some.reduce((sum, message) => sum + (sizes.get(message) ?? 0), 0)
}

/**
 * Returns the tokens of each message: the provider's count if responses report usage, otherwise the estimate.
 * The messages between two responses share the difference of the reported counts, unless the context was
 * trimmed in between.
 */
function measureTokens(
  messages: readonly Message[],
  estimate: (message: Message) => number,
): ReadonlyMap<Message, number> {
  const sizes = new Map(messages.map((message) => [message, estimate(message)]))
  let since: Message[] = []
  let counted: number | undefined
  for (const message of messages) {
    const usage = message.role === 'assistant' ? message.usage : undefined
    if (usage === undefined) {
      since.push(message)
      continue
    }
    if (counted !== undefined) distributeTokens(since, usage.inputTokens - counted, sizes)
    sizes.set(message, usage.outputTokens)
    counted = usage.inputTokens + usage.outputTokens
    since = []
  }
  return sizes
}

/** Distributes a count over messages in proportion to their estimates. */
function distributeTokens(messages: readonly Message[], count: number, sizes: Map<Message, number>): void {
  const estimated = messages.reduce((sum, message) => sum + (sizes.get(message) ?? 0), 0)
  if (count <= 0 || count > estimated * MAX_COUNT_RATIO || count * MAX_COUNT_RATIO < estimated) return
  for (const message of messages) sizes.set(message, ((sizes.get(message) ?? 0) * count) / estimated)
}
