import type { DialectName, JsonObject } from 'interlingua'

/** What only one maker can read, named so that it can be found in any body: who gave it, and who made it. */
export const cipher = (from: DialectName, maker: string, number: number): string =>
  `sealed=${from}=${maker}=${number}=`

/** Who can read what a format's server sealed. */
export const readers: { readonly [name in DialectName]: string } = {
  anthropic: 'anthropic',
  'openai-chat': 'nobody else',
  'openai-responses': 'openai',
  gemini: 'google',
  ollama: 'nobody',
}

/** Everything sealed in a value. */
export const ciphersIn = (value: unknown): readonly string[] =>
  [...new Set(JSON.stringify(value).match(/sealed=[\w-]+=\w+=\d+=/g))].toSorted()

/** What is sealed for others than the server that a body goes to. */
export const leaked = (to: DialectName, body: JsonObject): readonly string[] =>
  ciphersIn(body).filter((each) => {
    const [, from, maker] = each.split('=')
    return from !== to && maker !== readers[to]
  })

/** The beginning of a PNG, and of a PDF. */
export const dot = 'iVBORw0KGgoAAAANSUhEUg=='
export const pdf = 'JVBERi0='

/** The arguments of a tool. */
export const city: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}
