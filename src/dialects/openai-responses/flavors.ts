import { EFFORTS, type Effort } from '../../canonical/model/request.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { FlavorNamesByDialect } from '../engine/flavor-names.ts'
import { findFlavor, type RegisteredFlavor, registerFlavor } from '../engine/flavor-registry.ts'

/** The deviations of a host from OpenAI's own API. A missing field means no known deviation. */
export interface OpenAIResponsesFlavor {
  /** The host has the penalties. */
  readonly supportsPenalties?: boolean
  /** `false` if requests have no `user` field. */
  readonly supportsUser?: boolean
  /** The efforts that the host has; default: all. */
  readonly efforts?: readonly Effort[]
  /** `false` if the host has functions only; other tools are not sent. */
  readonly supportsProviderTools?: boolean
  /** `false` if JSON output requires a schema. */
  readonly supportsJsonWithoutSchema?: boolean
  /** The fields that every response object must contain, with their values if nothing else is known. */
  readonly responseFields?: JsonObject
  /** True if reasoning is streamed as `response.reasoning.*`, errors are nested, and `[DONE]` ends a stream. */
  readonly hasOpenEvents?: boolean
}

/** The deviations of each host. */
export const flavors: { readonly [name in FlavorNamesByDialect['openai-responses']]: OpenAIResponsesFlavor } =
  {
    // https://www.openresponses.org/specification, release 2026-04-24: `ResponseResource`, `CreateResponseBody`
    'open-responses': {
      supportsPenalties: true,
      supportsUser: false,
      efforts: EFFORTS.filter((effort) => effort !== 'minimal' && effort !== 'max'),
      supportsProviderTools: false,
      supportsJsonWithoutSchema: false,
      responseFields: {
        background: false,
        completed_at: null,
        frequency_penalty: 0,
        instructions: null,
        max_output_tokens: null,
        max_tool_calls: null,
        metadata: {},
        parallel_tool_calls: true,
        presence_penalty: 0,
        previous_response_id: null,
        prompt_cache_key: null,
        reasoning: null,
        safety_identifier: null,
        service_tier: 'default',
        store: false,
        temperature: 1,
        text: { format: { type: 'text' } },
        tool_choice: 'auto',
        tools: [],
        top_logprobs: 0,
        top_p: 1,
        truncation: 'disabled',
        usage: null,
      },
      hasOpenEvents: true,
    },
  }

/** OpenAI itself. */
const NO_FLAVOR: OpenAIResponsesFlavor = Object.freeze({})

/** Returns the deviations of the host that a flavor names; none for the flavor of another dialect. */
export function getFlavor({ flavor }: { readonly flavor?: string }): OpenAIResponsesFlavor {
  return findFlavor<OpenAIResponsesFlavor>({ dialect: 'openai-responses', flavors }, flavor) ?? NO_FLAVOR
}

/** The facts about a host of the Responses API, and the flavor that it resembles. */
export interface FlavorDefinition extends OpenAIResponsesFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: OpenAI's own API. */
  readonly base?: FlavorNamesByDialect['openai-responses']
}

/**
 * Defines a flavor of `openai-responses`: a host with deviations of its own. The name is stored with messages, so it must not
 * change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { base: 'open-responses', supportsJsonWithoutSchema: true })
 * defineProvider({ name: 'my-host', dialect: openaiResponsesDialect, baseUrl: 'https://my-host.example/v1', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<OpenAIResponsesFlavor>(
    { dialect: 'openai-responses', flavors, defaults: {} },
    name,
    definition,
  )
}
