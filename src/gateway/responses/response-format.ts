import { ProviderError } from '../../errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  completeInteraction,
  completeResponse,
  failInteraction,
  failResponse,
  type ResponseFacts,
  type ResponseFailure,
} from './response-bodies.ts'

/** The dialects whose clients continue stored responses by their ids. */
export type StatefulDialect = 'openai-responses' | 'gemini-interactions'

/** How the API of a dialect stores and continues responses. */
export interface ResponseFormat {
  readonly dialect: StatefulDialect
  /** The word for a response in errors. */
  readonly noun: string
  /** The start of the ids that the gateway creates. */
  readonly idPrefix: string
  /** The field with the id of the response to continue. */
  readonly previousField: string
  /** The field with the instructions, which are not part of the stored conversation. */
  readonly instructionsField: string
  /** Matches the type of an input item that answers a call of an earlier response. */
  readonly resultType: RegExp
  /** True if a response that is not stored has an id, too. */
  readonly hasIdWithoutStore: boolean
  /** The field of the body with the items of the answer. */
  readonly outputField: string
  /** The field of a stream event with the number after which a client continues, and the query parameter that repeats it. */
  readonly eventNumber: { readonly field: string; readonly parameter: string; readonly isAdded: boolean }
  /** The field of a stream event with the body, and the events that have it. */
  readonly bodyEvents: { readonly field: string; readonly type: string; readonly pattern: RegExp }
  /** Matches the names of the events after which only the end mark follows. */
  readonly terminalEvents: RegExp
  /** The name of the event that ends a failed stream; absent if the error is the end. */
  readonly failedEvent?: string
  /** The text after the last event, unless the dialect writes one itself. */
  readonly endMark?: string
  /** The statuses of a response that is not finished. */
  readonly unfinishedStatuses: ReadonlySet<unknown>
  /** Adds to a body what the client may rely on, and the facts of the gateway. */
  readonly complete: (body: JsonObject, facts: ResponseFacts) => JsonObject
  /** Returns the body of a response that failed. */
  readonly fail: (body: JsonObject, failure: ResponseFailure) => JsonObject
  readonly createMissingError: (id: string) => ProviderError
}

/**
 * The APIs with stored responses.
 * @see https://www.openresponses.org/specification
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export const RESPONSE_FORMATS: { readonly [dialect in StatefulDialect]: ResponseFormat } = {
  'openai-responses': {
    dialect: 'openai-responses',
    noun: 'response',
    idPrefix: 'resp',
    previousField: 'previous_response_id',
    instructionsField: 'instructions',
    resultType: /_output$/,
    hasIdWithoutStore: true,
    outputField: 'output',
    eventNumber: { field: 'sequence_number', parameter: 'starting_after', isAdded: false },
    bodyEvents: {
      field: 'response',
      type: 'type',
      pattern: /^response\.(?:created|queued|in_progress|completed|incomplete|failed|cancelled)$/,
    },
    terminalEvents: /^response\.(?:completed|incomplete|failed|cancelled)$/,
    failedEvent: 'response.failed',
    endMark: 'data: [DONE]\n\n',
    unfinishedStatuses: new Set(['queued', 'in_progress']),
    complete: completeResponse,
    fail: failResponse,
    createMissingError: (id) =>
      new ProviderError(`Previous response with id '${id.slice(0, 200)}' not found.`, {
        kind: 'invalid-request',
        status: 400,
        dialect: 'openai-responses',
        type: 'invalid_request_error',
        providerCode: 'previous_response_not_found',
        param: 'previous_response_id',
      }),
  },
  'gemini-interactions': {
    dialect: 'gemini-interactions',
    noun: 'interaction',
    idPrefix: 'v1',
    previousField: 'previous_interaction_id',
    instructionsField: 'system_instruction',
    resultType: /^function_result$/,
    hasIdWithoutStore: false,
    outputField: 'steps',
    eventNumber: { field: 'event_id', parameter: 'last_event_id', isAdded: true },
    bodyEvents: {
      field: 'interaction',
      type: 'event_type',
      pattern: /^interaction\.(?:created|in_progress|requires_action|completed)$/,
    },
    terminalEvents: /^interaction\.completed$/,
    unfinishedStatuses: new Set(['queued', 'in_progress']),
    complete: completeInteraction,
    fail: failInteraction,
    createMissingError: (id) =>
      new ProviderError(`The interaction '${id.slice(0, 200)}' was not found.`, {
        kind: 'not-found',
        status: 404,
        param: 'previous_interaction_id',
      }),
  },
}

/** Returns the format of a dialect with stored responses; undefined for the others. */
export function findResponseFormat(dialect: string): ResponseFormat | undefined {
  return Object.hasOwn(RESPONSE_FORMATS, dialect) ? RESPONSE_FORMATS[dialect as StatefulDialect] : undefined
}

/** Creates the error for a response that the client does not have, at the endpoints of one response. */
export function createUnknownResponseError({ noun }: ResponseFormat, id: string): ProviderError {
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  return new ProviderError(`${name} with id '${id.slice(0, 200)}' not found.`, {
    kind: 'not-found',
    status: 404,
  })
}
