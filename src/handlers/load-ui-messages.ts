import { checkMethods } from '../wire/check-methods.ts'
import { checkOptions } from '../wire/check-options.ts'
import { withTypedRejections } from '../wire/typed-errors.ts'
import type { Agent } from '../agent/agent.ts'
import { applicationCallsOf } from '../agent/assistant-content.ts'
import { isApplicationTool } from '../agent/tools/tool.ts'
import type { Message } from '../canonical/model/message.ts'
import { aiSdkUiMessages, type UIMessageJson } from '../formats/ai-sdk-ui-messages/index.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import type { UIMessagePartJson } from '../formats/ai-sdk-ui-messages/types.ts'

/** The conversation to load. */
export interface UIMessagesSource {
  readonly storage: ConversationStorage
  /** The id of the session: the id of the chat. */
  readonly session: string
  /** The agent, which knows the calls that wait for approval. */
  readonly agent: Agent
}

/**
 * Loads a stored conversation as the initial messages of `useChat`, with the ids that the client saw in the stream.
 * Calls that wait for approval ask for it again; system messages and metadata of the application are not sent.
 *
 * @example
 * const messages = await loadUIMessages({ storage, session: chatId, agent })
 * // in the page: useChat({ id: chatId, messages, resume: true, … })
 */
export function loadUIMessages(source: UIMessagesSource): Promise<UIMessageJson[]> {
  return withTypedRejections(() => loadMessages(source))
}

async function loadMessages(source: UIMessagesSource): Promise<UIMessageJson[]> {
  checkOptions('loadUIMessages()', source, { storage: true, session: true, agent: true })
  const { storage, session, agent } = source
  checkMethods(storage, 'storage', 'a storage', ['messages'])
  checkMethods(agent, 'agent', 'an agent', ['send'])
  const stored = (await storage.messages(session)).toArray()
  const shown = stored.filter(({ role }) => role !== 'system').map(withoutMetadata)
  const messages = aiSdkUiMessages.toMessages(shown).value
  const waiting = await findCallsToApprove(stored.at(-1), agent)
  const last = messages.at(-1)
  if (last === undefined || waiting.size === 0) return messages
  return [
    ...messages.slice(0, -1),
    { ...last, parts: last.parts.map((part) => askForApproval(part, waiting)) },
  ]
}

function withoutMetadata(message: Message): Message {
  const { metadata: _metadata, ...rest } = message
  return rest
}

/** Returns the ids of the open calls of a message that a user decides about. */
async function findCallsToApprove(last: Message | undefined, agent: Agent): Promise<ReadonlySet<string>> {
  const tools = (agent.options.tools ?? []).filter(isApplicationTool)
  const waiting = new Set<string>()
  for (const call of last === undefined ? [] : applicationCallsOf(last)) {
    const tool = tools.find(({ name, run }) => name === call.name && run !== undefined)
    if (await tool?.needsApproval(call.arguments ?? {}, call)) waiting.add(call.id)
  }
  return waiting
}

function askForApproval(part: UIMessagePartJson, waiting: ReadonlySet<string>): UIMessagePartJson {
  if (!('toolCallId' in part) || !waiting.has(part.toolCallId)) return part
  const requested = { ...part, state: 'approval-requested', approval: { id: part.toolCallId } }
  // The written states do not include this one.
  return requested as unknown as UIMessagePartJson
}
