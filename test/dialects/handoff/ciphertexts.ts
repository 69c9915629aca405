import type { DialectName, JsonObject } from 'interlingua'

/**
 * Creates a token that only one vendor can read, with a form that is found in any body: the dialect, the
 * vendor and a number.
 */
export const cipher = (from: DialectName, vendor: string, number: number): string =>
  `sealed=${from}=${vendor}=${number}=`

/** The vendor that can read the ciphertext of each dialect. */
export const readers: { readonly [name in DialectName]: string } = {
  anthropic: 'anthropic',
  'openai-chat': 'no vendor',
  'openai-responses': 'openai',
  gemini: 'google',
  ollama: 'no vendor',
  mistral: 'mistral',
  'gemini-interactions': 'google_interactions',
  bedrock: 'anthropic',
  cohere: 'no vendor',
}

/** Lists all ciphertext in a value. */
export const ciphersIn = (value: unknown): readonly string[] =>
  [...new Set(JSON.stringify(value).match(/sealed=[\w-]+=\w+=\d+=/g))].toSorted()

/** Returns true for ciphertext that a dialect can send: its own, and that of the vendor that it shares with another dialect. */
export function isReadableBy(to: DialectName, ciphertext: string): boolean {
  const [, from, vendor] = ciphertext.split('=')
  return from === to || vendor === readers[to]
}

/** Lists the ciphertext in a body that its target cannot read. */
export const leaked = (to: DialectName, body: JsonObject): readonly string[] =>
  ciphersIn(body).filter((each) => !isReadableBy(to, each))

/** The first bytes of a PNG, and of a PDF. */
export const dot = 'iVBORw0KGgoAAAANSUhEUg=='
export const pdf = 'JVBERi0='

/** A cache marker of Anthropic. */
export const ephemeral: JsonObject = { cache_control: { type: 'ephemeral' } }

/** The input schema of a tool. */
export const city: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}
