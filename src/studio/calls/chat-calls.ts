import { Agent } from '../../agent/agent.ts'
import type { AgentChunk } from '../../agent/agent-result.ts'
import type { AgentStream } from '../../agent/agent-stream.ts'
import type { Decisions } from '../../agent/resumption.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { UserMessage } from '../../canonical/model/message.ts'
import { parseMessage } from '../../canonical/parse/parse.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { InterlinguaError } from '../../errors.ts'
import { Conversation } from '../../stores/conversation/conversation.ts'
import { describeType, isObject } from '../../wire/json.ts'
import type { RunUpdate } from '../api/contract.ts'
import { studioTools } from '../chat-tools.ts'
import { readText, type StreamTable, type UncheckedInput } from '../http-api.ts'
import type { ConversationLibrary } from '../conversation-library.ts'
import { createStudioModel } from '../studio-models.ts'

type ChatCalls = Pick<StreamTable, 'chat.run'>

const TITLE_LENGTH = 60

/** Creates the call that runs a model on a conversation. */
export function createChatCalls(library: ConversationLibrary): ChatCalls {
  return {
    'chat.run': async function* (input, signal): AsyncGenerator<RunUpdate> {
      const agent = new Agent({ model: createStudioModel(readText(input, 'model')), tools: studioTools })
      const run = readAction(input)
      const session = await openSession(library, input, run.title)
      yield { type: 'session', session }
      const storage = await library.storageOf(session)
      const conversation = new Conversation({ agent, storage, session })
      const stream = await run.start(conversation, signal)
      if (stream !== undefined) for await (const chunk of stream) yield* toUpdates(chunk)
    },
  }
}

/** A run that starts when its conversation is known. */
interface PreparedRun {
  /** The title of a session that the run creates. */
  readonly title: string
  readonly start: (conversation: Conversation, signal: AbortSignal) => Promise<AgentStream<never> | undefined>
}

type Action = { readonly [key: string]: unknown }

/** Prepares a run, by the type of its action. */
const ACTIONS: { readonly [type: string]: (action: Action) => PreparedRun } = {
  send: (action) => {
    const message = readUserMessage(action)
    return {
      title: textOf(message, ' ').trim().slice(0, TITLE_LENGTH) || 'Untitled',
      start: (conversation, signal) => conversation.stream(message, { signal }),
    }
  },
  edit: (action) => {
    const message = readUserMessage(action)
    const id = readText(action, 'message')
    return { title: '', start: (conversation, signal) => conversation.editStream(id, message, { signal }) }
  },
  regenerate: (action) => {
    const given = action['message'] === undefined ? {} : { message: readText(action, 'message') }
    return {
      title: '',
      start: (conversation, signal) => conversation.regenerateStream({ ...given, signal }),
    }
  },
  resume: ({ decisions }) => {
    if (!isObject(decisions)) throw invalidAction(decisions)
    return {
      title: '',
      // The decisions are parsed one by one before a tool runs.
      start: (conversation, signal) => conversation.resumeStream(decisions as Decisions, { signal }),
    }
  },
}

function readAction({ action }: UncheckedInput): PreparedRun {
  if (!isObject(action)) throw invalidAction(action)
  const type = readText(action, 'type')
  const prepare = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined
  if (prepare === undefined) throw invalidAction(type)
  return prepare(action)
}

function invalidAction(found: unknown): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The run cannot start: its action is invalid', {
    path: '/action',
    found: describeType(found),
    expected: `one of ${Object.keys(ACTIONS).join(', ')}`,
  })
}

function readUserMessage({ content }: Action): UserMessage {
  const message = parseMessage({ role: 'user', content })
  if (message.role === 'user' && message.content.length > 0) return message
  throw new InterlinguaError('missing-field', 'The message is empty', { path: '/action/content' })
}

async function openSession(
  library: ConversationLibrary,
  input: UncheckedInput,
  title: string,
): Promise<string> {
  if (input['session'] !== undefined) return readText(input, 'session')
  return (await library.store.createSession({ title })).id
}

function* toUpdates({ event, messages, finish, pending = [] }: AgentChunk): Generator<RunUpdate> {
  if (event !== undefined) yield { type: 'event', event: withoutSharedValue(event) }
  if (messages.length > 0) yield { type: 'messages', messages }
  if (finish !== undefined)
    yield { type: 'end', reason: finish.reason, pending: pending.map(({ call }) => call) }
}

/** The arguments so far would be sent again with each delta: the page joins the deltas itself. */
function withoutSharedValue(event: ChatEvent): ChatEvent {
  if (event.type !== 'arguments-delta') return event
  const { value: _value, ...rest } = event
  return rest
}
