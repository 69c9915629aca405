import {
  accumulate,
  type AssistantMessage,
  type AssistantPart,
  type ChatEvent,
  type ChatResponse,
  type EncodeOptions,
  type Loss,
} from 'interlingua'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import { streamOf } from '../../src/dialects/define.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { encodeStream, type StreamCodec } from '../../src/dialects/stream.ts'
import { bare } from './trees.ts'

/** The formats whose streams stand under these laws; the next one joins by a row. */
const codecs: { readonly [name: string]: StreamCodec } = {
  'openai-chat': streamOf(openaiChat),
  anthropic: streamOf(anthropic),
}

export type StreamName = 'openai-chat' | 'anthropic'
export const streamNames: readonly StreamName[] = ['openai-chat', 'anthropic']

export const identity = { newId: (prefix: string): string => `${prefix}_1`, now: (): number => 0 }

/** The bytes of a stream as one text, and everything that it could not say. */
export async function told(
  name: StreamName,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions = {},
): Promise<{ readonly text: string; readonly losses: readonly Loss[] }> {
  const losses: Loss[] = []
  const codec = codecs[name]
  if (codec === undefined) throw new Error(`no stream codec is called ${name}`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of encodeStream(codec, events, { now: () => 0, ...options }, (loss) =>
    losses.push(loss),
  ))
    text += decoder.decode(bytes, { stream: true })
  return { text, losses }
}

/** A source of one piece. */
export async function* source(text: string): AsyncGenerator<string> {
  yield text
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

/** What an answer says, without what one format keeps beside its fields, and without ids that nobody sent. */
export function canonical(response: ChatResponse, name: StreamName): object {
  const { candidates, ...rest } = bare(JSON.parse(JSON.stringify(response)) as ChatResponse)
  return {
    ...rest,
    candidates: candidates.map(({ id: _id, content, ...message }: AssistantMessage) => ({
      ...message,
      content: shapes[name](content),
    })),
  }
}

/**
 * What the stream of a format says otherwise than its whole answer, and why:
 * - openai-chat: a whole answer has one text, one refusal, and its calls after them. A stream tells them in the order in
 *   which the model made them, and that is kept, so that both are brought into the order of the whole.
 * - anthropic: a whole answer has arguments as data. A stream has their text, and its spelling is kept, also where it is not
 *   JSON at all.
 */
const shapes: { readonly [name in StreamName]: (parts: readonly AssistantPart[]) => unknown } = {
  'openai-chat': (parts) => {
    const texts = (type: string): unknown[] => {
      const words = parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : []))
      return words.length === 0 ? [] : [{ type, text: words.join('') }]
    }
    const plain = parts.filter(({ type }) => type !== 'text' && type !== 'refusal').map(withoutMadeId)
    return [
      ...plain.filter(({ type }) => type === 'reasoning'),
      ...texts('text'),
      ...texts('refusal'),
      ...plain.filter(({ type }) => type !== 'reasoning'),
    ]
  },
  anthropic: (parts) =>
    parts.map((part) => {
      if (part.type !== 'tool-call') return part
      const { rawArguments: _raw, argumentsError: error, ...call } = part
      return error === undefined ? call : { ...call, arguments: { INVALID_JSON: error } }
    }),
}

/** A call of the time before tools has no id: the one that it gets depends on when its arguments are known. */
function withoutMadeId(part: AssistantPart): AssistantPart {
  return part.type === 'tool-call' && /^call_[\da-f]{24}$/.test(part.id) ? { ...part, id: 'made' } : part
}

/** The response that a stream of a format tells. */
export async function answerOf(events: AsyncIterable<ChatEvent>): Promise<ChatResponse> {
  return accumulate(events, identity)
}
