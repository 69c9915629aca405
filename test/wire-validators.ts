import { readFileSync } from 'node:fs'
import { Validator, type OutputUnit } from '@cfworker/json-schema'
import { memoizeValidator } from './memoize-validator.ts'
import { relaxSchema } from './relax-schemas.ts'

/**
 * The wire formats that `tools/wire-schemas` reads from the types of the official SDKs. `openai-*` are those of
 * its version 7; Anthropic requests come as API version 2026-10-21 takes them and as 2023-06-01 did.
 */
export const WIRE_SCHEMAS = [
  'openai-chat-request',
  'openai-chat-response',
  'openai-chat-chunk',
  'openai-6-chat-request',
  'openai-6-chat-response',
  'openai-6-chat-chunk',
  'openai-responses-request',
  'openai-responses-response',
  'openai-responses-stream-event',
  'openai-6-responses-request',
  'openai-6-responses-response',
  'anthropic-request',
  'anthropic-request-2023-06-01',
  'anthropic-response',
  'anthropic-stream-event',
  'anthropic-beta-request',
  'anthropic-beta-request-2023-06-01',
  'anthropic-beta-response',
  'anthropic-beta-stream-event',
  'gemini-request',
  'gemini-response',
  'ollama-request',
  'ollama-response',
  'ollama-chunk',
  'mistral-request',
  'mistral-response',
  'mistral-chunk',
  'gemini-interactions-request',
  'gemini-interactions-response',
  'gemini-interactions-stream-event',
  'bedrock-request',
  'bedrock-response',
  'bedrock-stream-event',
  'cohere-request',
  'cohere-response',
  'cohere-stream-event',
] as const

export type WireSchemaName = (typeof WIRE_SCHEMAS)[number]

/** Says what is wrong and where, one string each; nothing when the value is valid. */
export type WireValidator = (value: unknown) => readonly string[]

/** Keywords that only repeat that something below them failed. */
const PASSING_ON = new Set(['$ref', 'properties', 'additionalProperties', 'items', 'if'])

const compiled = new Map<WireSchemaName, WireValidator>()

/** The validator of one wire format, made when it is first asked for. */
export function validator(name: WireSchemaName): WireValidator {
  const known = compiled.get(name)
  if (known) return known
  const made = compile(name)
  compiled.set(name, made)
  return made
}

function compile(name: WireSchemaName): WireValidator {
  const url = new URL(`../wire-schemas/${name}.json`, import.meta.url)
  // Every complaint rather than the first one: the unions are decided before they are tried, so all of them count.
  const json = JSON.parse(readFileSync(url, 'utf8')) as { readonly [key: string]: unknown }
  const relaxed = relaxSchema(json)
  const schema = new Validator(relaxed, '7', false)
  return memoizeValidator(relaxed, (value) => {
    try {
      const { errors } = schema.validate(value)
      return errors.filter(({ keyword }) => !PASSING_ON.has(keyword)).map(describe)
    } catch (error) {
      // It throws at what JSON does not have, such as undefined, and does not say where.
      if (!String(error).endsWith('type are not supported.')) throw error
      return [`#: ${String(error)}`]
    }
  })
}

function describe({ instanceLocation, keyword, error }: OutputUnit): string {
  return `${instanceLocation}: ${keyword === 'false' ? 'the key is unknown' : error}`
}
