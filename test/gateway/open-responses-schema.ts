import { z } from 'zod'

/** What tests read of a response. */
export interface ResponseBody {
  readonly id: string
  readonly status: string
  readonly previous_response_id: string | null
  readonly store: boolean
  readonly output: readonly { readonly type: string; readonly id?: string; readonly status?: string }[]
  readonly tools: readonly unknown[]
}

/** What tests read of an event. */
export interface StreamEvent {
  readonly type: string
  readonly sequence_number: number
  readonly response?: ResponseBody
  readonly output_index?: number
  readonly content_index?: number
  readonly summary_index?: number
  readonly item_id?: string
  readonly item?: ResponseBody['output'][number]
  readonly delta?: string
}

/** The objects and events of the Open Responses specification (release 2026-04-24). Keys that are not listed are allowed. */

const part = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.looseObject({ type: z.string() })),
    logprobs: z.array(z.unknown()).optional(),
  }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
])

const status = z.enum(['in_progress', 'completed', 'incomplete'])
const summaryPart = z.looseObject({ type: z.literal('summary_text'), text: z.string() })
const id = z.string().min(1)

const item = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message'),
    id,
    status,
    role: z.literal('assistant'),
    content: z.array(part),
    phase: z.enum(['commentary', 'final_answer']).optional(),
  }),
  z.looseObject({
    type: z.literal('function_call'),
    id,
    status,
    call_id: z.string().min(1),
    name: z.string().min(1),
    arguments: z.string(),
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    id,
    summary: z.array(summaryPart),
    content: z.array(z.unknown()).optional(),
    encrypted_content: z.string().optional(),
  }),
  z.looseObject({ type: z.literal('compaction'), id, encrypted_content: z.string().min(1) }),
])

const usage = z.looseObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
  output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
})

/** A response: all 31 keys are required. */
export const responseSchema: z.ZodType<ResponseBody> = z.looseObject({
  id,
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed']),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string().min(1),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(
    z.looseObject({
      type: z.literal('function'),
      name: z.string(),
      description: z.string().nullable(),
      parameters: z.looseObject({}).nullable(),
      strict: z.boolean().nullable(),
    }),
  ),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.string() })]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }), verbosity: z.string().optional() }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  usage: usage.nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.looseObject({}),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
})

export const compactionSchema: z.ZodType<Pick<ResponseBody, 'id' | 'output'>> = z.looseObject({
  id,
  object: z.literal('response.compaction'),
  created_at: z.int(),
  output: z.array(item).min(1),
  usage: usage.nullable(),
})

const number = z.int().min(0)

function event<const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({ type: z.literal(type), sequence_number: number, ...shape })
}

const inItem = { output_index: number, item_id: id }
const inPart = { ...inItem, content_index: number }
const inSummary = { ...inItem, summary_index: number }

/** An event of a stream. */
export const eventSchema: z.ZodType<StreamEvent> = z.discriminatedUnion('type', [
  event('response.created', { response: responseSchema }),
  event('response.queued', { response: responseSchema }),
  event('response.in_progress', { response: responseSchema }),
  event('response.completed', { response: responseSchema }),
  event('response.incomplete', { response: responseSchema }),
  event('response.failed', { response: responseSchema }),
  event('response.output_item.added', { output_index: number, item }),
  event('response.output_item.done', { output_index: number, item }),
  event('response.content_part.added', { ...inPart, part }),
  event('response.content_part.done', { ...inPart, part }),
  event('response.output_text.delta', { ...inPart, delta: z.string() }),
  event('response.output_text.done', { ...inPart, text: z.string() }),
  event('response.output_text.annotation.added', { ...inPart, annotation_index: number }),
  event('response.refusal.delta', { ...inPart, delta: z.string() }),
  event('response.refusal.done', { ...inPart, refusal: z.string() }),
  event('response.reasoning_summary_part.added', { ...inSummary, part: summaryPart }),
  event('response.reasoning_summary_part.done', { ...inSummary, part: summaryPart }),
  event('response.reasoning_summary_text.delta', { ...inSummary, delta: z.string() }),
  event('response.reasoning_summary_text.done', { ...inSummary, text: z.string() }),
  event('response.function_call_arguments.delta', { ...inItem, delta: z.string() }),
  event('response.function_call_arguments.done', { ...inItem, arguments: z.string() }),
  event('error', {
    error: z.looseObject({ type: z.string(), code: z.string().nullable(), message: z.string() }),
  }),
])
