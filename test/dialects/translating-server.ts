import { dialects, toEvents, translateResponse, translateStream, type JsonObject } from 'interlingua'
import { startFake } from '../providers/fakes/server.ts'
import { names, sources } from './bodies/tool-call-responses.ts'

/** The dialect of a request, by its path. */
const paths = {
  mistral: '/mistral-api/v1/chat/completions',
  anthropic: '/messages',
  'openai-chat': '/chat/completions',
  gemini: 'enerateContent',
  'openai-responses': '/v1/responses',
  ollama: '/api/chat',
  'gemini-interactions': '/v1beta/interactions',
  bedrock: '/converse',
  cohere: '/v2/chat',
} as const

/** Encodes a response as a stream of a dialect. */
async function* streamed(from: (typeof names)[number]): AsyncGenerator<Uint8Array> {
  yield* dialects[from].encodeStream(toEvents(dialects[from].decodeResponse(sources[from]).value))
}

/** A server that answers with one response, translated. */
export interface TranslatingServer {
  readonly baseURL: string
  close(): Promise<void>
}

/** Starts a server for `/<from>/…`: a response of one dialect in the dialect of the path, streamed on request. */
export async function startTranslatingServer(): Promise<TranslatingServer> {
  const server = await startFake(async (response, { path, body }) => {
    const from = names.find((name) => path.startsWith(`/${name}/`)) ?? 'anthropic'
    // Mistral's path ends like that of OpenAI.
    const isMistral = path.includes(paths.mistral)
    const to = isMistral ? 'mistral' : (names.find((name) => path.includes(paths[name])) ?? 'anthropic')
    if ((body as JsonObject)['stream'] !== true && !path.includes(':stream')) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(translateResponse(sources[from], { from, to }).value))
      return
    }
    response.setHeader('content-type', to === 'ollama' ? 'application/x-ndjson' : 'text/event-stream')
    for await (const bytes of translateStream(streamed(from), { from, to }).body) response.write(bytes)
    response.end()
  })
  return { baseURL: server.url, close: () => server.close() }
}
