import type { Dialect, DialectName } from '../dialects/engine/dialect.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import type { RequestRecord } from './request-record.ts'
import { createResponseHeaders } from './response-headers.ts'

/** Returns an error in the form of the client's format, with its status. Details of other errors stay in the log. */
export function toErrorResponse(
  name: DialectName,
  dialect: Dialect,
  thrown: unknown,
  record: RequestRecord,
): Response {
  const error = toTypedError(thrown)
  const { status, headers, body } = dialect.encodeError(toClientError(error))
  record.write(status, [], error)
  const ownHeaders = createResponseHeaders({ dialect: name, requestId: record.requestId })
  return Response.json(body, { status, headers: { ...headers, ...ownHeaders } })
}

/** Returns true for an error of which a client sees only the code. */
export function isHiddenFromClient(error: unknown): boolean {
  return !(error instanceof ProviderError)
}

/** Returns the error that a client may see: that of a provider, or one without details. */
export function toClientError(error: InterlinguaError): ProviderError {
  if (error instanceof ProviderError) return error
  return new ProviderError(`The gateway could not complete the request (${error.code}).`, {
    kind: 'server',
    status: 500,
  })
}
