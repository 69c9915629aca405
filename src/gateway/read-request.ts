import { sanitizeRequest } from '../canonical/check/sanitize-request.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import { isStreamedRequest, type Route } from '../dialects/server/routes.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { isObject, type Json, tryParseJson } from '../wire/json.ts'
import { readRequestText } from '../wire/read-request-text.ts'
import type { GatewayConfig } from './config.ts'
import type { Message } from '../canonical/model/message.ts'
import type { Part } from '../canonical/model/part.ts'
import type { CallIdHint, EngineHint } from '../dialects/engine/residue-hints.ts'
import { addHints, getHints, type Slot, defineSlot } from '../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/** The body of a request, parsed. */
export interface RequestBody {
  readonly [key: string]: Json
}

/** Reads the JSON body of a request; throws as a provider does if it is too large or no JSON object. */
export async function readRequestBody(request: Request, maxBytes: number): Promise<RequestBody> {
  const text = await readRequestText(decompressBody(request), maxBytes).catch(() => '')
  if (text === undefined) throw createTooLargeError(maxBytes)
  const body = tryParseJson(text)
  if (isObject(body)) return body
  throw createInvalidRequestError('The request body is not a JSON object.')
}

/** The content encodings of requests that every runtime can read. */
const DECOMPRESSIONS: ReadonlyMap<string, 'gzip' | 'deflate'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/** Returns the request with a decompressed body, whose limit counts decompressed bytes. */
function decompressBody(request: Request): Request {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || request.body === null) return request
  const format = DECOMPRESSIONS.get(encoding)
  if (format === undefined)
    throw new ProviderError(
      'The encoding of the request body is not supported: send it as gzip or as it is.',
      {
        kind: 'invalid-request',
        status: 400,
      },
    )
  const body = request.body.pipeThrough(new DecompressionStream(format))
  return new Request(request.url, { method: request.method, body, duplex: 'half' } as RequestInit)
}

/** A request to a model, and whether its answer is to be streamed. */
export interface ReceivedRequest {
  readonly request: ChatRequest
  /** The model name as the client wrote it. */
  readonly model: string
  readonly isStreamed: boolean
  /** What was removed from the request because a client could have forged it. */
  readonly losses: readonly Loss[]
}

/** The path of a request, and how it is sanitized. */
interface DecodeContext extends Pick<GatewayConfig, 'sanitize'> {
  readonly path: string
}

/** Decodes the request of a client; throws as a provider does if it is invalid. */
export function decodeClientRequest(
  dialect: Dialect,
  { model: pathModel }: Pick<Route, 'model'>,
  body: RequestBody,
  { path, sanitize = false }: DecodeContext,
): ReceivedRequest {
  const model = pathModel ?? body['model']
  if (typeof model !== 'string' || model === '')
    throw createInvalidRequestError('The request names no model.', 'model')
  try {
    const { value } = dialect.decodeRequest(body, { path })
    const request = removeClientClaims(value, dialect.name)
    const isStreamed = isStreamedRequest(dialect.name, body, path)
    if (sanitize === false) return { request: { ...request, model }, model, isStreamed, losses: [] }
    const clean = sanitizeRequest(request, sanitize === true ? { settings: () => true } : sanitize)
    return { request: { ...clean.value, model }, model, isStreamed, losses: clean.losses }
  } catch (error) {
    if (error instanceof ProviderError || !(error instanceof InterlinguaError)) throw error
    throw createInvalidRequestError(error.message, error.path)
  }
}

/** Creates the error for a request that the gateway refuses as a provider does. */
export function createInvalidRequestError(message: string, param?: string): ProviderError {
  return new ProviderError(message, {
    kind: 'invalid-request',
    status: 400,
    ...(param !== undefined && { param }),
  })
}

function createTooLargeError(maxBytes: number): ProviderError {
  return new ProviderError(`The request body is larger than ${maxBytes} bytes.`, {
    kind: 'too-large',
    status: 413,
  })
}

type ClaimSlot = Slot<CallIdHint | EngineHint>

/**
 * Removes the marks that a decoder makes because the client's format and model name say who produced its history. Behind a gateway
 * another provider may have: its reasoning is not foreign to it because the client calls it by the name of another model, and its
 * call ids may break the rule of the next provider, so that the encoder must be free to change them.
 */
function removeClientClaims(request: ChatRequest, dialect: string): ChatRequest {
  const slot: ClaimSlot = defineSlot(dialect)
  const messages = [...request.messages]
  const changed = messages.map((message) => forgetInMessage(message, slot))
  return changed.every((message, index) => message === messages[index])
    ? request
    : { ...request, messages: changed }
}

function forgetInMessage(message: Message, slot: ClaimSlot): Message {
  // Most messages have no marks at all.
  if (message.extra === undefined && message.content.every(({ extra }) => extra === undefined)) return message
  const isMarked = (part: Part): boolean => getHints(part, slot)['acceptedId'] === true
  const hasModel = getHints(message, slot)['requestModel'] !== undefined
  const hasMarked = message.content.some(isMarked)
  if (!hasModel && !hasMarked) return message
  const unnamed = hasModel ? addHints(message, slot, { requestModel: null }) : message
  if (!hasMarked) return freezeOwned(unnamed)
  const content = message.content.map((part) =>
    isMarked(part) ? freezeOwned(addHints(part, slot, { acceptedId: false })) : part,
  )
  return freezeOwned({ ...unnamed, content } as Message)
}
