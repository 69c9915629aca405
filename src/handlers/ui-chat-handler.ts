import { ON_LOSS_CHOICES } from '../canonical/losses/create-loss.ts'
import type { Agent } from '../agent/agent.ts'
import type { AgentStream } from '../agent/agent-stream.ts'
import type { Message } from '../canonical/model/message.ts'
import { InterlinguaError } from '../errors.ts'
import { toUIMessageStream, uiMessageStreamHeaders } from '../formats/ai-sdk-ui/index.ts'
import type { UIMessageStreamOptions } from '../formats/ai-sdk-ui/options.ts'
import {
  type PostedUIMessage,
  readUIChatRequest,
  type UIChatRequest,
} from '../formats/ai-sdk-ui/read-chat-request.ts'
import { aiSdkUiMessages } from '../formats/ai-sdk-ui-messages/index.ts'
import { toPublicErrorText } from '../formats/shared/protocol-writer.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import { createConflictError } from '../stores/storage-errors.ts'
import { createHandler, type RequestedRun } from './create-handler.ts'
import type { OptionNames } from '../wire/check-options.ts'
import {
  HANDLER_OPTION_NAMES,
  type HandlerOptions,
  type HandlerOptionsSource,
  type RequestHandler,
} from './handler-options.ts'
import {
  openConversation,
  readLastAnswer,
  sanitizePrompt,
  streamClientHistory,
  throwNothingToContinue,
} from './open-conversation.ts'
import { refuseApprovals, selectDecisions } from './tool-decisions.ts'

/** Options of {@link createUIChatHandler}. */
export interface UIChatHandlerOptions extends HandlerOptions<UIChatRequest> {
  /** Options of the UI message stream. */
  readonly stream?: Omit<UIMessageStreamOptions, 'messageId' | 'knownCalls' | 'deniedCalls'>
}

const OPTION_NAMES: OptionNames<UIChatHandlerOptions> = {
  ...HANDLER_OPTION_NAMES,
  stream: {
    messageMetadata: Function,
    errorText: Function,
    toolErrorText: Function,
    isDynamicTool: Function,
    opaque: true,
    onLoss: ON_LOSS_CHOICES,
  },
}

/**
 * Creates a handler for `useChat` of the AI SDK: `POST /api/chat` runs the agent, `GET /api/chat/<id>/stream` continues
 * a running answer (`useChat({ resume: true })`), and `DELETE /api/chat/<id>/stream` stops it. The id of the chat is
 * the id of the session; authenticate the request in the function that returns the options, and give each user a
 * tenant.
 *
 * @example
 * const handler = createUIChatHandler((request) => {
 *   const user = authenticate(request) // your function
 *   if (user === undefined) return new Response(null, { status: 401 })
 *   return { agent, storage: storage.forTenant(user.id), streams: streams.forTenant(user.id) }
 * })
 * export { handler as POST, handler as GET, handler as DELETE }
 */
export function createUIChatHandler(options: HandlerOptionsSource<UIChatHandlerOptions>): RequestHandler {
  return createHandler<UIChatRequest, UIChatHandlerOptions>(
    {
      optionNames: OPTION_NAMES,
      readBody: readUIChatRequest,
      getTopic: ({ id }) => id,
      planRun: (chat, agent, own) =>
        own.storage === undefined
          ? planClientRun(chat, agent, own)
          : planStoredRun(chat, agent, own.storage, own),
      toStreamProtocol: (topic, { storage, stream }) => ({
        headers: uiMessageStreamHeaders,
        lastData: '[DONE]',
        toFailure: (code) => {
          const error = new InterlinguaError(code, 'The stream ended early')
          return { type: 'error', errorText: (stream?.errorText ?? toPublicErrorText)(error) }
        },
        ...(storage && { rebuild: async () => toUIMessageStream(readLastAnswer(storage, topic), stream) }),
      }),
    },
    options,
  )
}

/** Plans a run with the history of the client. */
async function planClientRun(
  { messages, answers }: UIChatRequest,
  agent: Agent,
  { sanitize, stream }: UIChatHandlerOptions,
): Promise<RequestedRun> {
  const last = messages.at(-1)
  refuseApprovals(answers, `/messages/${messages.length - 1}`)
  const history = readMessages(messages)
  const continued = last?.role === 'assistant' && { messageId: last.id }
  return {
    start: async (signal) => streamClientHistory(agent, history, sanitize, signal),
    toChunks: (run) => toUIMessageStream(run.events(), { ...stream, ...continued }),
  }
}

/** Plans a run of a stored conversation with the newest message, or with answers about its open calls. */
async function planStoredRun(
  chat: UIChatRequest,
  agent: Agent,
  storage: ConversationStorage,
  options: UIChatHandlerOptions,
): Promise<RequestedRun> {
  const { id: session, trigger, messageId, messages, answers } = chat
  const conversation = await openConversation(storage, session, agent, options)
  const posted = messages.at(-1)
  const toChunks = (
    run: AgentStream<unknown>,
    more: UIMessageStreamOptions = {},
  ): ReturnType<RequestedRun['toChunks']> => toUIMessageStream(run.events(), { ...options.stream, ...more })

  if (trigger === 'regenerate-message') {
    const message = posted?.role === 'user' ? { message: posted.id } : {}
    return { start: (signal) => conversation.regenerateStream({ ...message, signal }), toChunks }
  }
  if (posted?.role === 'assistant') {
    const last = (await storage.messages(session, { last: 1 })).last()
    const { decisions, openCalls, deniedCalls } = selectDecisions(last, answers, agent)
    return {
      replay: await readReplay(storage, session, options),
      start: async (signal) =>
        (await conversation.resumeStream(decisions, { signal })) ?? throwNothingToContinue(),
      toChunks: (run) => toChunks(run, { messageId: posted.id, knownCalls: openCalls, deniedCalls }),
    }
  }
  const prompt = sanitizePrompt(posted === undefined ? [] : readMessages([posted]), options.sanitize)
  if ((await storage.get(session, prompt.id)) === undefined)
    return { start: (signal) => conversation.stream([prompt], { signal }), toChunks }
  if (messageId === prompt.id)
    return { start: (signal) => conversation.editStream(prompt.id, [prompt], { signal }), toChunks }
  if ((await storage.head(session)) !== prompt.id) throw createRepeatedMessageError()
  // The message is stored, but its answer is not: the client tries again.
  return {
    start: async (signal) => (await conversation.resumeStream({}, { signal })) ?? throwNothingToContinue(),
    toChunks,
  }
}

/** Returns the chunks of the message that a run continues, for a client that has only the messages before it. */
async function readReplay(
  storage: ConversationStorage,
  session: string,
  { stream }: UIChatHandlerOptions,
): Promise<readonly object[]> {
  const chunks: object[] = []
  for await (const chunk of toUIMessageStream(readLastAnswer(storage, session), stream))
    if (chunk.type !== 'finish') chunks.push(chunk)
  return chunks
}

function readMessages(messages: readonly PostedUIMessage[]): readonly Message[] {
  return aiSdkUiMessages.fromMessages(messages).value
}

function createRepeatedMessageError(): InterlinguaError {
  return createConflictError(
    'The conversation already contains the message, and has continued after it',
    'Give a new message a new id. To edit a message, send its id as `messageId`.',
  )
}
