import type { Message } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { anthropicDialect } from '../../dialects/anthropic/index.ts'
import { openaiResponsesDialect } from '../../dialects/openai-responses/index.ts'
import { getOwnValue, isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { decodeMessages, omitKeys, readText, readTime, withFields } from '../transcripts/session-builder.ts'
import { BLOCK_NOTE_FIELDS, NAME, NOTE_FIELDS } from './constants.ts'

/** Decodes a stored message, which is one of Anthropic, or a reasoning item of the Responses API. */
export function decodeApiMessage(
  record: JsonObject,
  id: string,
  usage: Usage | undefined,
): readonly Message[] {
  const wire = omitKeys(record, NOTE_FIELDS)
  const blockNotes: JsonObject[] = []
  const messages =
    record['type'] === 'reasoning'
      ? decodeReasoningItem(record)
      : decodeMessages(anthropicDialect, { messages: [cleanBlocks(wire, blockNotes)] })
  const isItem = record['type'] === 'reasoning'
  const note = {
    ...omitKeys(record, [
      'content',
      'role',
      'ts',
      ...(isItem ? ['type', 'summary', 'encrypted_content', 'text'] : []),
    ]),
    ...(blockNotes.length > 0 && { blocks: blockNotes }),
  }
  const origin = readOrigin(record['modelInfo'])
  const all = messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, ...omitUndefined({ origin, usage: readMetrics(record['metrics']) ?? usage }) }
      : message,
  )
  return withFields(all, id, readTime(record['ts']), NAME, note)
}

function decodeReasoningItem({ id, summary, encrypted_content: encrypted }: JsonObject): readonly Message[] {
  const item = {
    type: 'reasoning',
    ...omitUndefined({ id, encrypted_content: encrypted }),
    summary: summary ?? [],
  }
  return decodeMessages(openaiResponsesDialect, { input: [item] })
}

/** Removes the fields of blocks that Anthropic does not accept; `notes` receives them. */
function cleanBlocks(wire: JsonObject, notes: JsonObject[]): JsonObject {
  const { content } = wire
  if (!Array.isArray(content)) return wire
  const blocks = (content as readonly Json[]).map((block, index) => {
    if (!isObject(block)) return block
    // Cline adds the signature of Gemini to blocks that have none in Anthropic's API.
    const extra = block['type'] === 'thinking' ? [] : ['signature']
    const omitted = [...BLOCK_NOTE_FIELDS, ...extra].filter((key) => Object.hasOwn(block, key))
    if (omitted.length > 0)
      notes.push({
        index,
        ...Object.fromEntries(omitted.map((key) => [key, getOwnValue(block, key) as Json])),
      })
    return omitKeys(block, omitted)
  })
  return { ...wire, content: blocks }
}

function readOrigin(
  info: Json | undefined,
): { dialect: string; provider?: string; model?: string } | undefined {
  if (!isObject(info)) return undefined
  const [provider, model] = [readText(info['providerId']), readText(info['modelId'])]
  return { dialect: 'anthropic', ...omitUndefined({ provider, model }) }
}

/** Reads `{ tokens: { prompt, completion, cached } }`, whose prompt excludes cached tokens. */
function readMetrics(metrics: Json | undefined): Usage | undefined {
  const tokens = isObject(metrics) ? metrics['tokens'] : undefined
  if (!isObject(tokens)) return undefined
  return toUsage(tokens['prompt'], tokens['completion'], tokens['cached'], undefined)
}

/** Returns the tokens of the requests that `ui_messages.json` lists, in their order. */
export function listRequestUsages(view: readonly JsonObject[]): readonly (Usage | undefined)[] {
  return view
    .filter(({ say }) => say === 'api_req_started')
    .map(({ text }) => {
      const request = parseObject(text)
      return toUsage(request['tokensIn'], request['tokensOut'], request['cacheReads'], request['cacheWrites'])
    })
}

function parseObject(text: Json | undefined): JsonObject {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    return isObject(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

function toUsage(input: unknown, output: unknown, read: unknown, write: unknown): Usage | undefined {
  const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
  const inputTokens = count(input) + count(read) + count(write)
  const outputTokens = count(output)
  if (inputTokens + outputTokens === 0) return undefined
  const totals = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  return { ...totals, cachedInputTokens: count(read), cacheWriteTokens: count(write) }
}

/** Returns true for a message with content. */
export function hasContent({ content }: JsonObject): boolean {
  return typeof content === 'string' ? content !== '' : itemsOf(content).length > 0
}
