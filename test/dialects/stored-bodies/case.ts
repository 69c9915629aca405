import type { ChatRequest, DecodeOptions, Json, JsonObject } from 'interlingua'

/** A small body of a wire format whose stored form is pinned by the golden file. */
export interface GoldenCase {
  readonly name: string
  readonly kind: 'request' | 'response' | 'stream'
  /** A body, or the payloads of a stream. */
  readonly wire: Json
  /** Whether the events are those of a client's reply: without the residue of frames, with that of parts. */
  readonly isReply?: true
  /** The flavor of the host, for reading and writing. */
  readonly flavor?: NonNullable<DecodeOptions['flavor']>
  /** The request that a response answers. */
  readonly request?: ChatRequest
}

export function request(
  name: string,
  wire: JsonObject,
  options: Pick<GoldenCase, 'flavor'> = {},
): GoldenCase {
  return { name, kind: 'request', wire, ...options }
}

export function response(
  name: string,
  wire: JsonObject,
  options: Pick<GoldenCase, 'flavor' | 'request'> = {},
): GoldenCase {
  return { name, kind: 'response', wire, ...options }
}

export function stream(
  name: string,
  wire: readonly Json[],
  options: Pick<GoldenCase, 'isReply'> = {},
): GoldenCase {
  return { name, kind: 'stream', wire, ...options }
}

/** A tool whose name no provider accepts, so that it is sent under another name. */
export const misnamed: ChatRequest = {
  messages: [],
  tools: [{ type: 'function', name: 'get weather', input: { type: 'object' } }],
}

/** A tool with a property key that Anthropic does not accept, so that it is sent as another key. */
export const miskeyed: ChatRequest = {
  messages: [],
  tools: [
    { type: 'function', name: 'list', input: { type: 'object', properties: { $top: { type: 'integer' } } } },
  ],
}

/** A request for an answer in a strict schema, in which an absent property is null. */
export const strict: ChatRequest = {
  messages: [],
  output: {
    type: 'json',
    name: 'city',
    strict: true,
    schema: {
      type: 'object',
      properties: { name: { type: 'string' }, zip: { type: 'string' } },
      required: ['name'],
    },
  },
}

/** A schema that no provider accepts as it is. */
export const unusual: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string', pattern: '(?<=a)b' } },
}
