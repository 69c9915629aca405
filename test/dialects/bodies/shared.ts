import type { JsonObject } from 'interlingua'

/** A text as both formats have it. */
export const text = (words: string): JsonObject => ({ type: 'text', text: words })

/** The arguments of a tool. */
export const schema: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Name of a city' } },
}

/** A request to Anthropic. */
export const claude = (fields: JsonObject): JsonObject => ({
  model: 'claude-of-tomorrow',
  max_tokens: 2048,
  messages: [{ role: 'user', content: 'Hello there' }],
  ...fields,
})

/** What Anthropic's citations of documents have in common. */
export const pages: JsonObject = { cited_text: 'Snow falls', document_index: 2, document_title: 'Almanac' }

/** A page that Anthropic's search found, and a citation of it. */
export const found: JsonObject = {
  type: 'web_search_result',
  url: 'https://example.org/snow',
  title: 'Snow in Oslo',
  encrypted_content: 'ZW5jcnlwdGVk',
}
export const cited: JsonObject = {
  type: 'web_search_result_location',
  url: 'https://example.org/snow',
  title: 'Snow in Oslo',
  cited_text: 'Much snow',
  encrypted_index: 'aW5kZXg=',
}

/** A thought as OpenRouter gives it. */
export const thought: JsonObject = {
  type: 'reasoning.text',
  text: 'Step by step',
  signature: 'c2lnbmVk',
  format: 'anthropic-claude-v1',
  index: 0,
}
