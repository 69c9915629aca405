import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { type Json, type JsonObject, ownValue } from '../../wire/json.ts'
import { type Encoding, silent } from '../encoding.ts'
import { encodeRequest } from '../requests.ts'
import { dateOf, type Head, headOf } from '../shared/heads.ts'
import { SLOT } from './codes.ts'
import { requests } from './request.ts'

/** Reads which answer it is, of which model, and when it began. */
export function decodeHead({ id, model, created_at: created }: JsonObject): Head {
  return headOf(SLOT, id, model, dateOf(created))
}

/** What a response repeats of its request. */
const echoed = [
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'max_output_tokens',
  'max_tool_calls',
  'previous_response_id',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'text',
  'top_logprobs',
  'truncation',
  'user',
] as const

/** What it says where there is nothing to repeat. */
const unasked: JsonObject = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** What a response says of itself and of its request. */
export function encodeHead(
  { id, model, createdAt }: Pick<ChatResponse, 'id' | 'model' | 'createdAt'>,
  encoding: Encoding,
  undated: boolean,
): JsonObject {
  const now = encoding.options.now ?? Date.now
  const date = (): number => Math.floor((createdAt === undefined ? now() : Date.parse(createdAt)) / 1000)
  return {
    id: id ?? '',
    object: 'response',
    ...((createdAt !== undefined || !undated) && { created_at: date() }),
    model: model ?? '',
    ...unasked,
    ...(encoding.options.request !== undefined && echoOf(encoding.options.request)),
  }
}

function echoOf(request: ChatRequest): JsonObject {
  // Of the conversation only instructions are echoed, and they come first.
  const first = request.messages.at(0)
  const asked = { ...request, messages: first === undefined ? [] : [first] }
  const body = encodeRequest({ name: SLOT, requests }, asked, silent)
  return Object.fromEntries(
    echoed.flatMap((key) => {
      const value = ownValue(body, key)
      return value === undefined ? [] : [[key, value as Json]]
    }),
  )
}
