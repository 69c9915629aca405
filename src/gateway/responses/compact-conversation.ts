import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { user } from '../../canonical/build/messages.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { ProviderError } from '../../errors.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { isSealed, type Sealer } from '../state/sealer.ts'
import type { Reply } from '../../canonical/model/model-interface.ts'
import { formatTranscript, SUMMARY_INSTRUCTION } from '../../stores/context/summarize.ts'
import type { ChatCall } from '../chat-answer.ts'

/** The type of an item that stands for a summarized conversation. */
const ITEM_TYPE = 'compaction'

/** Creates the item with the sealed summary of a conversation, which only the same client can send back. */
async function createCompactionItem(summary: string, client: string, sealer: Sealer): Promise<JsonObject> {
  const sealed = await sealer.seal({ type: ITEM_TYPE, client, summary })
  return { id: createId('cmp'), type: ITEM_TYPE, encrypted_content: sealed }
}

/** Replaces the compaction items of the gateway by the summaries that they contain. Those of a provider are its own. */
export async function expandCompactions(
  messages: readonly Message[],
  client: string,
  sealer: Sealer,
): Promise<readonly Message[]> {
  const expanded: Message[] = []
  for (const message of messages)
    if (message.role !== 'assistant' || !message.content.some(isSealedCompaction)) expanded.push(message)
    else for (const part of await expandMessage(message, client, sealer)) expanded.push(part)
  return expanded
}

/** Splits a message at its compaction items: a summary repeats what the user and the model wrote. */
async function expandMessage(
  message: AssistantMessage,
  client: string,
  sealer: Sealer,
): Promise<readonly Message[]> {
  const expanded: Message[] = []
  let content: AssistantPart[] = []
  const flush = (): void => {
    if (content.length > 0) expanded.push(freezeOwned({ ...message, id: createId('msg'), content }))
    content = []
  }
  for (const part of message.content) {
    if (!isSealedCompaction(part)) {
      content.push(part)
      continue
    }
    flush()
    expanded.push(
      user(`Summary of the conversation so far:\n\n${await openSummary(readSealed(part), client, sealer)}`),
    )
  }
  flush()
  return expanded
}

function isSealedCompaction(part: AssistantPart): boolean {
  return isSealed(readSealed(part))
}

/** Returns the content of a compaction item; empty for other parts. */
function readSealed(part: AssistantPart): string {
  if (part.type !== 'opaque' || !isObject(part.value) || part.value['type'] !== ITEM_TYPE) return ''
  const content = part.value['encrypted_content']
  return typeof content === 'string' ? content : ''
}

/** Without the summary, the model would know nothing of the conversation: the request is refused. */
async function openSummary(sealed: string, client: string, sealer: Sealer): Promise<string> {
  const opened = await sealer.open(sealed)
  const isOwn = isObject(opened) && opened['type'] === ITEM_TYPE && opened['client'] === client
  const summary = isOwn ? opened['summary'] : undefined
  if (typeof summary === 'string') return summary
  throw new ProviderError('The encrypted content of a compaction item could not be verified.', {
    kind: 'invalid-request',
    status: 400,
    dialect: 'openai-responses',
    type: 'invalid_request_error',
    providerCode: 'invalid_encrypted_content',
    param: 'input',
  })
}

/** A conversation to summarize, and the model that does it. */
interface CompactCall extends Pick<
  ChatCall,
  'dialect' | 'request' | 'input' | 'routed' | 'signal' | 'state'
> {
  readonly client: string
  readonly sealer: Sealer
}

/**
 * Summarizes a conversation. The result is one item with the sealed summary, which the client sends instead of the conversation.
 * The model gets a transcript, not the conversation itself: it must summarize the requests in it, not answer them.
 */
export async function compactConversation({
  dialect,
  request,
  input,
  routed,
  signal,
  state,
  client,
  sealer,
}: CompactCall): Promise<{ readonly body: JsonObject; readonly reply: Reply }> {
  const { messages } = await state.restore(input)
  const prompt = `${SUMMARY_INSTRUCTION}\n\n${formatTranscript([...messages])}`
  const reply = await routed.model.generate({ messages: [user(prompt)] }, { signal })
  const item = await createCompactionItem(reply.text, client, sealer)
  const { usage } = dialect.encodeResponse(reply.response, { request }).value as JsonObject
  const body = {
    id: createId('resp'),
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1000),
    output: [item],
    usage: usage ?? null,
  }
  return { body, reply }
}
