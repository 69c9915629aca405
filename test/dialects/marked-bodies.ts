import type { JsonObject } from 'interlingua'
import { type Place, setOf } from './json-leaves.ts'

/** Keys whose values are enumerations of a format: another value would have another meaning or none. */
const words: ReadonlySet<string | number> = setOf(
  'type role media_type format object finish_reason stop_reason detail mode ttl effort',
  'reasoning_effort verbosity display syntax category error_code index category',
  'modalities voice search_context_size tool_choice function_call required enum $ref',
  'mimeType mime_type finishReason finish_reason blockReason language outcome toolType thinkingLevel',
  'responseMimeType response_mime_type responseModalities category threshold createTime',
  'status phase summary truncation reason output_format execution include',
  'created updated thinking_level thinking_summaries',
  'stopReason latency maxReasoningEffort qualifiers trace additionalModelResponseFieldPaths schema',
)

/** Keys whose values refer to other parts of the body: equal values get the same mark. */
const links: ReadonlySet<string | number> = setOf(
  'id tool_use_id tool_call_id name tool_name url allowedFunctionNames allowed_function_names',
  'call_id approval_request_id toolUseId',
)

/** Counters that are parts of sums: they are translated as sums. */
const sums: ReadonlySet<string | number> = setOf(
  'input_tokens prompt_tokens total_tokens prompt_cache_miss_tokens',
  'promptTokenCount candidatesTokenCount thoughtsTokenCount toolUsePromptTokenCount totalTokenCount',
  'prompt_token_count candidates_token_count total_token_count',
  'total_input_tokens total_output_tokens total_thought_tokens total_tool_use_tokens',
  'inputTokens outputTokens totalTokens',
)

/** Numbers that depend on other values: positions in a text. */
const places: ReadonlySet<string | number> = setOf(
  'start_index end_index startIndex endIndex partIndex groundingChunkIndices grounding_chunk_indices content_index',
)

/** A body in which every free string and number is unique, and those strings and numbers. */
export interface Marked {
  readonly body: JsonObject
  readonly marks: readonly (string | number)[]
}

/**
 * Returns the mark with an index; marks are far enough apart that no sum with a small number is another mark.
 */
const markNumber = (place: number): number => 1_000_000 + place * 100_003

/** Returns true if a number is a mark. */
export function isMarkNumber(value: number): boolean {
  const place = (value - 1_000_000) / 100_003
  return Number.isInteger(place) && place > 0 && place < 10_000
}

/** Replaces every free string and number of a body by a unique mark. */
export function marked(body: JsonObject): Marked {
  const marks: (string | number)[] = []
  const known = new Map<string, string>()
  let next = 0
  const fresh = (kind: string): string => {
    const mark = `${kind}q${String((next += 1)).padStart(4, '0')}zq`
    marks.push(mark)
    return mark
  }
  const change = (value: unknown, at: Place): unknown => {
    const key = at.findLast((each) => typeof each === 'string') ?? ''
    if (words.has(key) || value === '') return value
    if (typeof value === 'string') return changeText(value, key)
    if (typeof value !== 'number' || sums.has(key) || places.has(key)) return value
    const mark = markNumber((next += 1))
    marks.push(mark)
    return mark
  }
  const changeText = (value: string, key: string | number): string => {
    if (key === 'arguments') return changeJson(value)
    const [data] = /^data:[^,]*,/.exec(value) ?? []
    if (data !== undefined) return `${data}${fresh('data')}`
    if (!links.has(key))
      return value.startsWith('https://') ? `https://example.org/${fresh('u')}` : fresh('s')
    const linked =
      known.get(value) ?? (value.startsWith('https://') ? `https://example.org/${fresh('u')}` : fresh('i'))
    known.set(value, linked)
    return linked
  }
  const changeJson = (text: string): string => {
    try {
      return JSON.stringify(walk(JSON.parse(text), ['argument']))
    } catch {
      return text === '' ? text : `{"${fresh('s')}": `
    }
  }
  const walk = (value: unknown, at: Place): unknown => {
    if (typeof value !== 'object' || value === null) return change(value, at)
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...at, index]))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, [...at, key])]))
  }
  return { body: balanced(walk(body, []) as JsonObject), marks }
}

/** Sets the total to the sum of its parts, which is no mark. */
function balanced(body: JsonObject): JsonObject {
  const usage = body['usage'] as { readonly [key: string]: number } | undefined | null
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {}
  if (input === undefined || output === undefined) return body
  const asked = Math.max(11, Math.floor(input))
  return { ...body, usage: { ...usage, prompt_tokens: asked, total_tokens: asked + output } }
}
