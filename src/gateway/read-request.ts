import type { ChatRequest } from '../canonical/model/request.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import type { Route } from '../dialects/server/routes.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { isObject, type Json, tryParseJson } from '../wire/json.ts'
import { readBodyText } from '../wire/read-body-text.ts'
import { forgetAcceptedIds } from './state/accepted-ids.ts'

/** The body of a request, parsed. */
export interface RequestBody {
  readonly [key: string]: Json
}

/** Reads the JSON body of a request; throws as a provider does if it is too large or no JSON object. */
export async function readBody(request: Request, maxBytes: number): Promise<RequestBody> {
  const text = await readBodyText(request, maxBytes)
  if (text === undefined) throw createTooLargeError(maxBytes)
  const body = tryParseJson(text)
  if (isObject(body)) return body
  throw createRefusal('The request body is not a JSON object.')
}

/** A request to a model, and whether its answer is to be streamed. */
export interface ReceivedRequest {
  readonly request: ChatRequest
  /** The model name as the client wrote it. */
  readonly model: string
  readonly isStreamed: boolean
}

/** Decodes the request of a client; throws as a provider does if it is invalid. */
export function decodeClientRequest(
  dialect: Dialect,
  { model: pathModel }: Pick<Route, 'model'>,
  body: RequestBody,
  path: string,
): ReceivedRequest {
  const model = pathModel ?? body['model']
  if (typeof model !== 'string' || model === '') throw createRefusal('The request names no model.', 'model')
  try {
    const { value } = dialect.decodeRequest(body, { path })
    const request = forgetAcceptedIds(value, dialect.name)
    return { request: { ...request, model }, model, isStreamed: readStreamFlag(dialect.name, body, path) }
  } catch (error) {
    if (error instanceof ProviderError || !(error instanceof InterlinguaError)) throw error
    throw createRefusal(error.message, error.path)
  }
}

/** Gemini has the flag in the path, and Ollama streams unless the body says otherwise. */
function readStreamFlag(dialect: string, body: RequestBody, path: string): boolean {
  if (dialect === 'gemini') return path.endsWith(':streamGenerateContent')
  return body['stream'] === true || (dialect === 'ollama' && body['stream'] !== false)
}

function createRefusal(message: string, param?: string): ProviderError {
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
