import { type ErrorCode, InterlinguaError } from '../errors.ts'

/** The status of the errors that a client can correct. All others are 500, without details. */
const STATUS_BY_CODE: { readonly [code in ErrorCode]?: number } = {
  'invalid-type': 400,
  'invalid-value': 400,
  'missing-field': 400,
  'unexpected-field': 400,
  'unknown-part-type': 400,
  'unknown-role': 400,
  'unknown-message-format': 400,
  'part-not-allowed': 400,
  'not-json': 400,
  'too-deep': 400,
  'too-many-elements': 400,
  'wrong-kind': 400,
  'invalid-schema': 400,
  'schema-too-complex': 400,
  'duplicate-tool': 400,
  'unknown-media-type': 400,
  unsupported: 400,
  'unknown-id': 404,
  'unknown-session': 404,
  conflict: 409,
  aborted: 499,
}

/** A refused request: its status is part of the error. */
export class HttpError extends InterlinguaError {
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly headers: { readonly [name: string]: string }

  constructor(status: number, error: InterlinguaError, headers: { readonly [name: string]: string } = {}) {
    const { path, found, expected, hint } = error
    super(error.code, error.message, {
      ...(path !== undefined && { path }),
      ...(found !== undefined && { found }),
      ...(expected !== undefined && { expected }),
      ...(hint !== undefined && { hint }),
    })
    this.status = status
    this.headers = headers
  }
}

/**
 * Returns the response for an error: `{ error: { code, message, … } }`. Errors that are not the client's are reported
 * with their code alone, because their text may contain paths, addresses and keys.
 */
export function toErrorResponse(error: unknown, onError: (error: unknown) => void): Response {
  const code = error instanceof InterlinguaError ? error.code : 'internal'
  if (error instanceof HttpError) return toJsonResponse(error.status, error.toJSON(), error.headers)
  const status = STATUS_BY_CODE[code]
  if (error instanceof InterlinguaError && status !== undefined) return toJsonResponse(status, error.toJSON())
  return toFailureResponse(error, onError)
}

/** Returns the response for an error that no client can correct. */
export function toFailureResponse(error: unknown, onError: (error: unknown) => void): Response {
  const code = error instanceof InterlinguaError ? error.code : 'internal'
  onError(error)
  const isUnavailable = code === 'storage-unavailable'
  const message = 'The request could not be completed.'
  return toJsonResponse(isUnavailable ? 503 : 500, { code, message, retryable: isUnavailable })
}

function toJsonResponse(
  status: number,
  error: object,
  headers: { readonly [name: string]: string } = {},
): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
