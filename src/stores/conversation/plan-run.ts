import { omitUndefined } from '../../wire/json.ts'
import { applicationCallsOf } from '../../agent/assistant-content.ts'
import type { RunOptions } from '../../agent/options.ts'
import type { Decisions } from '../../agent/resumption.ts'
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import { toMessages } from '../../canonical/collections/message-input.ts'
import { InterlinguaError } from '../../errors.ts'
import type { MessagesInput } from '../conversation-storage.ts'
import { createUnknownMessageError } from '../storage-errors.ts'
import type { ConversationOptions, RegenerateOptions, SendOptions } from './conversation-options.ts'
import type { HeldLease } from './held-lease.ts'
import { findLastUserMessage, loadHistory } from './load-history.ts'
import {
  buildResultsForOpenCalls,
  isFinalMessage,
  type OpenCallsAsPausedRun,
  toPausedRun,
} from './results-for-open-calls.ts'
import { StoredRun } from './stored-run.ts'

/** What the agent of a conversation runs. */
export interface RunPlan {
  readonly prompt: MessagesInput
  readonly options: RunOptions
  /** The open calls that the run continues with. */
  readonly open?: OpenCallsAsPausedRun
}

/** Plans a run after the head. */
export async function planSend(
  conversation: ConversationOptions,
  lease: HeldLease,
  prompt: MessagesInput,
  options: SendOptions<unknown>,
): Promise<RunPlan> {
  return { prompt, options: await startRun(conversation, lease, options) }
}

/** Plans the continuation of an unfinished run; `undefined` if nothing is unfinished. */
export async function planResume(
  conversation: ConversationOptions,
  lease: HeldLease,
  decisions: Decisions,
  options: SendOptions<unknown>,
): Promise<RunPlan | undefined> {
  const { session, context } = conversation
  const { storage } = lease
  const last = (await storage.messages(session, { last: 1 })).last()
  if (last === undefined || isFinalMessage(last)) return undefined
  const branch = await loadHistory(storage, session, last.id, context)
  const run = new StoredRun(conversation, lease, { head: last.id, after: last.id })
  const runOptions = run.toRunOptions(options)
  if (last.role !== 'assistant' || applicationCallsOf(last).length === 0)
    return { prompt: [], options: { ...runOptions, history: branch } }
  run.registerCalls(last)
  const runId = options.id ?? generateId('run', options)
  const open = await toPausedRun(last, run.log, runId, decisions)
  return { prompt: [], options: { ...runOptions, history: branch.slice(0, -1) }, open }
}

/** Plans another answer to a user message, as a branch. */
export async function planRegenerate(
  conversation: ConversationOptions,
  lease: HeldLease,
  { message, ...options }: RegenerateOptions<unknown>,
): Promise<RunPlan> {
  const { storage } = lease
  const { session } = conversation
  const userMessage =
    message === undefined ? await findLastUserMessage(storage, session) : await storage.get(session, message)
  if (userMessage === undefined && message !== undefined) throw createUnknownMessageError()
  if (userMessage?.role !== 'user')
    throw new InterlinguaError(
      'invalid-value',
      'The answer cannot be regenerated: the message to answer is not a user message',
      {
        found: userMessage === undefined ? 'no user message' : `a message of the role ${userMessage.role}`,
        expected: 'a user message',
        hint: 'Call send() first, or pass the id of a user message.',
      },
    )
  return { prompt: [], options: await startRun(conversation, lease, options, userMessage.id) }
}

/** Plans a run from a message that replaces an earlier one, as a branch. */
export async function planEdit(
  conversation: ConversationOptions,
  lease: HeldLease,
  id: string,
  prompt: MessagesInput,
  options: SendOptions<unknown>,
): Promise<RunPlan> {
  const message = await lease.storage.get(conversation.session, id)
  if (message === undefined) throw createUnknownMessageError()
  // Only these options are about messages: others would be fields of the new one.
  const identity = omitUndefined({ newId: options.newId, now: options.now })
  const messages = toMessages(prompt, identity).map((each) =>
    each.id === id ? { ...each, id: generateId('msg', options) } : each,
  )
  const runOptions = await startRun(conversation, lease, options, message.parentId ?? null)
  return { prompt: messages, options: runOptions }
}

/**
 * Returns the options of a run that stores its messages after the head, or as a branch after `branchPoint`. Calls that
 * a crash left open get results first.
 */
async function startRun(
  conversation: ConversationOptions,
  lease: HeldLease,
  options: SendOptions<unknown>,
  branchPoint?: string | null,
): Promise<RunOptions> {
  const { session, context } = conversation
  const { storage } = lease
  const { afterMessage } = options
  const start = typeof afterMessage === 'function' ? await afterMessage() : afterMessage
  const end = branchPoint === undefined ? start : branchPoint
  const branch = await loadHistory(storage, session, end, context)
  const last = branch.last()
  const after = last?.id ?? null
  const head = branchPoint === undefined ? after : ((await storage.head(session)) ?? null)
  const run = new StoredRun(conversation, lease, { head, after })
  if (last === undefined || applicationCallsOf(last).length === 0)
    return { ...run.toRunOptions(options), history: branch }
  const results = await buildResultsForOpenCalls(last, run.log)
  await run.store(results)
  return { ...run.toRunOptions(options), history: branch.append(results) }
}
