import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { user } from '../../canonical/build/messages.ts'
import type { Reply } from '../../canonical/model/model-interface.ts'
import { formatTranscript, SUMMARY_INSTRUCTION } from '../../stores/context/summarize.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { ChatCall } from '../chat-answer.ts'
import type { Sealer } from '../state/sealer.ts'
import { createCompactionItem } from './compaction-item.ts'

/** A conversation to summarize, and the model that does it. */
export interface CompactCall extends Pick<
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
