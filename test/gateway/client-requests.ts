import { type ChatRequest, dialects, type DialectName } from 'interlingua'

/** A model of a provider of each dialect. */
export const TARGETS: { readonly [dialect in DialectName]: string } = {
  anthropic: 'anthropic:claude-sonnet-5',
  gemini: 'gemini:gemini-3.5-flash',
  ollama: 'ollama:llama3.2',
  'openai-chat': 'openai-chat:gpt-4.1',
  'openai-responses': 'openai-responses:gpt-5.5',
  mistral: 'mistral:mistral-medium-latest',
  'gemini-interactions': 'gemini-interactions:gemini-3.5-flash',
  bedrock: 'bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  cohere: 'cohere:command-a-plus-05-2026',
}

/** Returns the HTTP request that a client of a dialect sends. */
export function toHttpRequest(dialect: DialectName, request: ChatRequest): Request {
  const codec = dialects[dialect]
  const { path, query, headers } = codec.endpoint(request)
  const url = new URL(`http://gateway.example${dialect === 'mistral' ? '/mistral' : ''}${path}`)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: codec.encodeRequestText(request).value,
  })
}
