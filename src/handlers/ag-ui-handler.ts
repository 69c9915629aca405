import { ON_LOSS_CHOICES } from '../canonical/losses/create-loss.ts'
import type { Agent } from '../agent/agent.ts'
import { tool } from '../agent/tools/tool.ts'
import type { Message } from '../canonical/model/message.ts'
import { InterlinguaError } from '../errors.ts'
import { agUiHeaders, toAgUi } from '../formats/ag-ui/index.ts'
import type { AgUiOptions } from '../formats/ag-ui/options.ts'
import { type AgUiRunInput, readAgUiRunInput } from '../formats/ag-ui/read-run-input.ts'
import { agUiMessages } from '../formats/ag-ui-messages/index.ts'
import { toPublicErrorText } from '../formats/shared/protocol-writer.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import type { JsonObject } from '../wire/json.ts'
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
  sanitizePrompt,
  streamClientHistory,
  throwNothingToContinue,
} from './open-conversation.ts'
import { refuseApprovals, selectDecisions } from './tool-decisions.ts'

/** Options of {@link createAgUiHandler}. */
export interface AgUiHandlerOptions extends HandlerOptions<AgUiRunInput> {
  /** False to ignore the tools that the client offers and runs itself. Default: true. */
  readonly clientTools?: boolean
  /** Options of the AG-UI events. */
  readonly stream?: Pick<AgUiOptions, 'errorText' | 'opaque' | 'onLoss'>
}

const OPTION_NAMES: OptionNames<AgUiHandlerOptions> = {
  ...HANDLER_OPTION_NAMES,
  clientTools: Boolean,
  stream: { errorText: Function, opaque: true, onLoss: ON_LOSS_CHOICES },
}

/**
 * Creates a handler for AG-UI clients: a `POST` of `RunAgentInput` runs the agent, `GET <path>/<threadId>/stream`
 * continues a running stream, and `DELETE` of the same path stops it. The thread is the session. A call that needs
 * approval ends the run with an interrupt, which the client answers in `resume`. `state`, `context` and
 * `forwardedProps` are passed to the function that selects the agent, and are not used otherwise.
 *
 * @example
 * const handler = createAgUiHandler({ agent, storage, streams })
 * export { handler as POST, handler as GET, handler as DELETE }
 */
export function createAgUiHandler(options: HandlerOptionsSource<AgUiHandlerOptions>): RequestHandler {
  return createHandler<AgUiRunInput, AgUiHandlerOptions>(
    {
      optionNames: OPTION_NAMES,
      readBody: readAgUiRunInput,
      getTopic: ({ threadId }) => threadId,
      planRun: (input, agent, own) => {
        const complete = own.clientTools === false ? agent : addClientTools(agent, input)
        return own.storage === undefined
          ? planClientRun(input, complete, own)
          : planStoredRun(input, complete, own.storage, own)
      },
      toStreamProtocol: (_topic, { stream }) => ({
        headers: agUiHeaders,
        toFailure: (code) => {
          const error = new InterlinguaError(code, 'The stream ended early')
          return { type: 'RUN_ERROR', message: (stream?.errorText ?? toPublicErrorText)(error), code }
        },
      }),
    },
    options,
  )
}

/** Adds the tools of the client, which the model may call and the client runs. Those of the server have precedence. */
function addClientTools(agent: Agent, { tools }: AgUiRunInput): Agent {
  const own = agent.options.tools ?? []
  const names = new Set(own.map((each) => ('name' in each ? each.name : '')))
  const added = tools
    .filter(({ name }) => !names.has(name))
    .map(({ name, description, parameters }) => tool({ name, description, input: parameters }))
  return added.length === 0 ? agent : agent.with({ tools: [...own, ...added] })
}

/** Plans a run with the history of the client. */
async function planClientRun(
  input: AgUiRunInput,
  agent: Agent,
  { sanitize, stream }: AgUiHandlerOptions,
): Promise<RequestedRun> {
  refuseApprovals(input.answers, '/resume')
  const history = readMessages(input.messages)
  return {
    start: async (signal) => streamClientHistory(agent, history, sanitize, signal),
    toChunks: (run) => toAgUi(run.events(), { ...stream, ...getRunIds(input) }),
  }
}

/** Plans a run of a stored conversation with the newest message, or with answers about its open calls. */
async function planStoredRun(
  input: AgUiRunInput,
  agent: Agent,
  storage: ConversationStorage,
  options: AgUiHandlerOptions,
): Promise<RequestedRun> {
  const { threadId: session, messages, answers } = input
  const conversation = await openConversation(storage, session, agent, options)
  const ids = { ...options.stream, ...getRunIds(input) }
  const toChunks: RequestedRun['toChunks'] = (run) => toAgUi(run.events(), ids)
  if (answers.length > 0) {
    const last = (await storage.messages(session, { last: 1 })).last()
    const { decisions, openCalls } = selectDecisions(last, answers, agent)
    return {
      start: async (signal) =>
        (await conversation.resumeStream(decisions, { signal })) ?? throwNothingToContinue(),
      toChunks: (run) => toAgUi(run.events(), { ...ids, knownCalls: openCalls }),
    }
  }
  const posted = messages.at(-1)
  const prompt = sanitizePrompt(posted === undefined ? [] : readMessages([posted]), options.sanitize)
  // A client that asks for another answer posts a message again.
  const isStored = (await storage.get(session, prompt.id)) !== undefined
  return {
    start: (signal) =>
      isStored
        ? conversation.regenerateStream({ message: prompt.id, signal })
        : conversation.stream([prompt], { signal }),
    toChunks,
  }
}

function getRunIds({ threadId, runId, parentRunId }: AgUiRunInput): Omit<AgUiOptions, 'onLoss'> {
  return { threadId, runId, ...(parentRunId !== undefined && { parentRunId }) }
}

function readMessages(messages: readonly JsonObject[]): readonly Message[] {
  return agUiMessages.fromMessages(messages).value
}
