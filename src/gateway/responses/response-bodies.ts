import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'

/** Facts about a response that only the gateway knows. */
export interface ResponseFacts {
  /** The id of a response whose answer has not started; absent if the body has one. */
  readonly id?: string
  readonly previousId?: string
  readonly isStored: boolean
  readonly isBackground: boolean
}

/** An error of a response in the form of its body. */
export interface ResponseFailure {
  readonly code: string
  readonly message: string
}

/**
 * The fields that every response contains, with the values that apply if neither the request nor the provider states another.
 * @see https://www.openresponses.org/specification
 */
const NULLABLE_DEFAULTS: JsonObject = {
  completed_at: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: null,
  safety_identifier: null,
  usage: null,
}

/** The fields that are never null. */
const DEFAULTS: JsonObject = {
  background: false,
  frequency_penalty: 0,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
}

/** Adds the fields that a response must contain, and the facts that only the gateway knows. */
export function completeResponse(body: JsonObject, facts: ResponseFacts): JsonObject {
  const { id, previousId, isStored, isBackground } = facts
  const known = Object.fromEntries(
    Object.entries(body).filter(([key, value]) => value !== null || !Object.hasOwn(DEFAULTS, key)),
  )
  const made = { ...NULLABLE_DEFAULTS, ...DEFAULTS, ...known }
  const isCompleted = made['status'] === 'completed'
  return {
    ...made,
    ...(id !== undefined && { id }),
    tools: isList(made['tools']) ? made['tools'].map(completeTool) : [],
    tool_choice: completeToolChoice(made['tool_choice']),
    reasoning: completeReasoning(made['reasoning']),
    text: completeText(made['text']),
    ...(isCompleted && { completed_at: made['completed_at'] ?? Math.floor(Date.now() / 1000) }),
    previous_response_id: previousId ?? null,
    store: isStored,
    background: isBackground,
  }
}

function completeTool(tool: Json): Json {
  if (!isObject(tool) || tool['type'] !== 'function') return tool
  return { description: null, parameters: null, strict: null, ...tool }
}

function completeToolChoice(choice: Json | undefined): Json {
  if (!isObject(choice) || choice['type'] !== 'allowed_tools') return choice ?? 'auto'
  return { mode: 'auto', ...choice }
}

function completeReasoning(reasoning: Json | undefined): Json {
  return isObject(reasoning) ? { effort: null, summary: null, ...reasoning } : null
}

function completeText(text: Json | undefined): Json {
  return { format: { type: 'text' }, ...(isObject(text) && text) }
}

/** Returns the body of a response that failed, with the items that were finished before. */
export function failResponse(body: JsonObject, { code, message }: ResponseFailure): JsonObject {
  return {
    ...body,
    status: 'failed',
    error: { code, message },
    completed_at: null,
    usage: body['usage'] ?? null,
  }
}

/** Adds the times of an interaction, and the facts that only the gateway knows. One that is not stored has no id. */
export function completeInteraction(body: JsonObject, facts: ResponseFacts): JsonObject {
  const { previousId, isStored } = facts
  const { id: bodyId, ...rest } = body
  const id = facts.id ?? bodyId
  const now = new Date().toISOString()
  return {
    ...(isStored && id !== undefined && { id }),
    ...rest,
    created: rest['created'] ?? now,
    updated: now,
    ...(previousId !== undefined && { previous_interaction_id: previousId }),
  }
}

/** Returns the body of an interaction that failed. */
export function failInteraction(body: JsonObject, { code, message }: ResponseFailure): JsonObject {
  return { ...body, status: 'failed', errors: [{ code, message }] }
}
