import type { Translated } from '../canonical/model/loss.ts'
import type { JsonObject } from '../wire/json.ts'
import { anthropic } from './anthropic/index.ts'
import type { DecodeOptions, Dialect, DialectName, EncodeOptions } from './dialect.ts'
import { openaiChat } from './openai-chat/index.ts'

/**
 * The wire formats, by name.
 *
 * @example
 * const request = dialects['openai-chat'].decodeRequest(body).value
 * dialects.anthropic.encodeRequest(request).value
 */
export const dialects: { readonly [name in DialectName]: Dialect<JsonObject, JsonObject> } = {
  'openai-chat': openaiChat,
  anthropic,
}

/** From where to where, and how. */
export interface TranslateOptions extends DecodeOptions, EncodeOptions {
  readonly from: DialectName
  readonly to: DialectName
}

/**
 * A request body of one wire format as one of another, with everything that did not come through unchanged.
 *
 * @example
 * const { value, losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
 */
export function translateRequest(
  body: unknown,
  { from, to, ...options }: TranslateOptions,
): Translated<JsonObject> {
  return dialects[to].encodeRequest(dialects[from].decodeRequest(body, options).value, options)
}

/**
 * A response body of one wire format as one of another.
 *
 * @example
 * translateResponse(answer, { from: 'anthropic', to: 'openai-chat' }).value
 */
export function translateResponse(
  body: unknown,
  { from, to, ...options }: TranslateOptions,
): Translated<JsonObject> {
  return dialects[to].encodeResponse(dialects[from].decodeResponse(body, options).value, options)
}
