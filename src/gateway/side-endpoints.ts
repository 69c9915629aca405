import type { Dialect, DialectName } from '../dialects/engine/dialect.ts'
import type { Route } from '../dialects/server/routes.ts'
import {
  readEmbeddingDimensions,
  readEmbeddingTexts,
  writeEmbeddings,
  writeModel,
  writeTokenCount,
} from '../dialects/server/side-endpoint-bodies.ts'
import { isObject, itemsOf } from '../wire/json.ts'
import { type ConnectedClient, toUsedAmounts } from './client-registry.ts'
import type { GatewayConfig } from './config.ts'
import {
  createInvalidRequestError,
  decodeClientRequest,
  readRequestBody,
  type RequestBody,
} from './read-request.ts'
import type { RequestRecord } from './request-record.ts'
import type { ConnectionMemory } from './responses/connection-memory.ts'
import type { Router } from './router.ts'

/** A request whose endpoint and client are known. */
export interface GatewayCall {
  readonly request: Request
  readonly url: URL
  readonly route: Route
  readonly dialect: Dialect
  readonly client: ConnectedClient
  readonly record: RequestRecord
  readonly connection: ConnectionMemory | undefined
}

/** What the endpoints beside the chat need. */
interface SideContext extends Required<Pick<GatewayConfig, 'maxBodyBytes' | 'sanitize'>> {
  readonly router: Router
}

/** Counts the tokens of a request. */
export async function answerCount(
  { request, url, route, dialect, client, record }: GatewayCall,
  { router, maxBodyBytes, sanitize }: SideContext,
): Promise<Response> {
  const body = unwrapCountBody(route.dialect, await readRequestBody(request, maxBodyBytes))
  const received = decodeClientRequest(dialect, route, body, { path: url.pathname, sanitize })
  record.add({ model: received.model })
  const { model } = router.resolve({ name: received.model, key: client.key })
  const { model: _model, stream: _stream, ...input } = received.request
  // A provider without a count gets an estimate: clients only compare it with the size of the context.
  const tokens =
    (await model.countTokens?.(input, { signal: request.signal })) ??
    Math.ceil(JSON.stringify(body).length / 4)
  return Response.json(writeTokenCount(route.dialect, tokens))
}

/** Returns the vectors of texts. */
export async function answerEmbedding(
  { request, route, client, record }: GatewayCall,
  { router, maxBodyBytes }: SideContext,
): Promise<Response> {
  const body = await readRequestBody(request, maxBodyBytes)
  const name = route.model ?? readModelName(body)
  record.add({ model: name })
  const { embedding, routed } = router.resolveEmbedding(name, client.key)
  record.add({ servedBy: routed.targets[0] ?? '', route: routed.route.model })
  const texts = readTexts(body)
  const dimensions = readEmbeddingDimensions(body)
  const { signal } = request
  const { vectors, usage, cost } = await embedding.embed(texts, {
    signal,
    ...(dimensions !== undefined && { dimensions }),
  })
  record.addUsage(usage, cost)
  client.end(toUsedAmounts(usage, cost))
  const tokens = usage?.inputTokens ?? 0
  return Response.json(writeEmbeddings(route.dialect, { model: name, vectors, tokens }, body))
}

/** Reads the texts of a request for vectors. Numbers of tokens are refused: only the provider of a model knows its tokens. */
function readTexts(body: RequestBody): readonly string[] {
  const texts = readEmbeddingTexts(body)
  const field = body['texts'] === undefined ? 'input' : 'texts'
  if (itemsOf(body[field]).some((each) => typeof each !== 'string'))
    throw createInvalidRequestError(
      `\`${field}\` must be a text or a list of texts; tokens are not supported.`,
      field,
    )
  if (texts.length === 0) throw createInvalidRequestError('The request has no texts.', field)
  return texts
}

/** Describes a model. */
export async function answerModel(
  { request, route, client }: GatewayCall,
  { router, maxBodyBytes }: SideContext,
): Promise<Response> {
  const name = route.model ?? readModelName(await readRequestBody(request, maxBodyBytes))
  router.resolve({ name, key: client.key })
  return Response.json(writeModel(route.dialect, name))
}

/** Returns the model name of a body; Ollama has two names for the field. */
function readModelName({ model, name }: RequestBody): string {
  if (typeof model === 'string') return model
  return typeof name === 'string' ? name : ''
}

/** The body of a count for Gemini or Bedrock may contain the whole request. */
function unwrapCountBody(dialect: DialectName, body: RequestBody): RequestBody {
  const { input, generateContentRequest } = body
  const converse = isObject(input) ? input['converse'] : undefined
  const inner = dialect === 'gemini' ? generateContentRequest : dialect === 'bedrock' ? converse : undefined
  return isObject(inner) ? inner : body
}
