import { user } from '../canonical/build/messages.ts'
import type { Message } from '../canonical/model/message.ts'
import { textOf } from '../canonical/read/message-content.ts'
import { InterlinguaError } from '../errors.ts'
import { checkCount, checkIdentifier, checkLimit } from '../stores/check-arguments.ts'
import {
  type AddedContext,
  type ContextResult,
  type ContextStrategy,
  groupIntoBlocks,
  hasUserMessage,
  readContext,
} from '../stores/context/strategy.ts'
import { checkMethods } from '../wire/check-methods.ts'
import { checkOptions } from '../wire/check-options.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { checkFilter } from './check-memory.ts'
import { formatMemories } from './format-memories.ts'
import type { MemoryFilter, MemoryStore, TenantOptions } from './memory-store.ts'

/** Options of {@link recallMemories}. */
export interface RecallMemoriesOptions extends TenantOptions {
  /** Maximum number of memories. Default: 5. */
  readonly maxMemories?: number
  /** Maximum number of tokens of the added message, at four characters per token. Default: 1,000. */
  readonly maxTokens?: number
  /** Omits memories with a lower score. Default: that of {@link MemoryStore.search}. */
  readonly minScore?: number
  readonly filter?: MemoryFilter
}

const DEFAULT_MAX_MEMORIES = 5
const DEFAULT_MAX_TOKENS = 1_000

/** Number of characters of the user message that are searched for: more hardly change the meaning. */
const MAX_QUERY_LENGTH = 1_000

/** The message with the recalled memories, if any, and its report. */
interface RecalledMemories {
  readonly message: Message | undefined
  readonly added: readonly AddedContext[]
}

/**
 * Adds the memories that match the newest user message, in a user message before it. What precedes is sent unchanged, so
 * that provider caches keep working; tool rounds that follow send the same memories. They are marked as untrusted data
 * and never part of the system prompt. If the search fails, the conversation is sent without memories, and `onContext`
 * reports it.
 *
 * @example
 * new Conversation({ agent, storage, session, context: recallMemories(memory, { tenant: 'ada' }) })
 */
export function recallMemories(memory: MemoryStore, options: RecallMemoriesOptions): ContextStrategy {
  const checked = withTypedErrors(() => checkRecallOptions(options), [memory, options])
  checkMethods(memory, 'memory', 'a memory store', ['search'])
  // Entries disappear with the message, so that nothing outlives the run that recalled it.
  const known = new WeakMap<Message, RecalledMemories>()
  return async (input): Promise<ContextResult> => {
    const messages = readContext(input)
    const prompt = messages.findLast(({ role }) => role === 'user')
    const query = prompt === undefined ? '' : textOf(prompt, '\n').slice(0, MAX_QUERY_LENGTH).trim()
    if (prompt === undefined || query === '') return { messages, trimmed: [] }
    const recalled = known.get(prompt) ?? (await searchMemories(memory, checked, query))
    // A failed search is repeated.
    if (recalled.message !== undefined || recalled.added.length === 0) known.set(prompt, recalled)
    const { message, added } = recalled
    if (message === undefined) return { messages, trimmed: [], ...(added.length > 0 && { added }) }
    const [first] = groupIntoBlocks(messages).findLast(hasUserMessage) ?? []
    const position = first === undefined ? messages.length : messages.indexOf(first)
    return { messages: messages.toSpliced(position, 0, message), trimmed: [], added }
  }
}

type CheckedRecallOptions = RecallMemoriesOptions &
  Required<Pick<RecallMemoriesOptions, 'maxMemories' | 'maxTokens'>>

function checkRecallOptions(options: RecallMemoriesOptions): CheckedRecallOptions {
  checkOptions('recallMemories()', options, {
    tenant: true,
    maxMemories: true,
    maxTokens: true,
    minScore: true,
    filter: true,
  })
  const { maxMemories = DEFAULT_MAX_MEMORIES, maxTokens = DEFAULT_MAX_TOKENS } = options
  checkIdentifier(options.tenant, 'tenant')
  checkCount(maxMemories, 'maxMemories')
  checkCount(maxTokens, 'maxTokens')
  checkFilter(options.filter)
  if (options.minScore !== undefined) checkLimit(options.minScore, 'minScore')
  return { ...options, maxMemories, maxTokens }
}

async function searchMemories(
  memory: MemoryStore,
  { maxMemories, maxTokens, ...options }: CheckedRecallOptions,
  query: string,
): Promise<RecalledMemories> {
  try {
    const { hits, notCompared } = await memory.search({ ...options, text: query, limit: maxMemories })
    const { part, included, omitted } = formatMemories(hits, maxTokens)
    const message = part && user(part, { metadata: part.metadata ?? {} })
    const reasons = [
      ...(included.length > 0 ? ['These memories match the newest user message'] : []),
      ...(omitted.length > 0 ? [`Some exceed the limit of ${maxTokens} tokens`] : []),
      ...(notCompared > 0
        ? [`${notCompared} have no vector of the embedding model and were not compared`]
        : []),
    ]
    if (reasons.length === 0) return { message, added: [] }
    const reason = reasons.join('. ')
    return { message, added: [describeAdded(message, included, omitted, reason)] }
  } catch (error) {
    const code = error instanceof InterlinguaError ? error.code : 'internal'
    return {
      message: undefined,
      added: [describeAdded(undefined, [], [], `No memories were added: the search failed with ${code}`)],
    }
  }
}

function describeAdded(
  message: Message | undefined,
  included: readonly string[],
  omitted: readonly string[],
  reason: string,
): AddedContext {
  return { kind: 'memories', ...(message && { message: message.id }), included, omitted, reason }
}
