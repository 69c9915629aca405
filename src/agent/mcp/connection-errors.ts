import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'
import { errorMessageOf } from '../error-message.ts'

/**
 * Codes of errors after which the server has not processed the request: the session is unknown (HTTP 404, and
 * 400 of servers that do not follow the specification), or no connection was opened.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
const UNPROCESSED_CODES: ReadonlySet<unknown> = new Set([
  404,
  400,
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Codes of errors after which the request may have been processed: the connection ended before the response. */
const INTERRUPTED_CODES: ReadonlySet<unknown> = new Set([
  -32_000, // the SDK's `ConnectionClosed`
  502,
  503,
  504,
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
])

/**
 * Returns the state of a request that failed because the connection was lost; undefined for other errors.
 * `unprocessed` requests may be sent again; `interrupted` ones may have had their effect.
 */
export function classifyConnectionError(error: unknown): 'unprocessed' | 'interrupted' | undefined {
  const codes = codesOf(error)
  if (codes.some((code) => UNPROCESSED_CODES.has(code))) return 'unprocessed'
  return codes.some((code) => INTERRUPTED_CODES.has(code)) ? 'interrupted' : undefined
}

/** Returns the codes of an error and of its causes: `fetch` wraps the error of the socket. */
function codesOf(error: unknown): readonly unknown[] {
  const codes: unknown[] = []
  const seen = new Set<unknown>()
  for (let each = error; isObject(each) && !seen.has(each); each = each['cause']) {
    seen.add(each)
    codes.push(each['code'])
  }
  return codes
}

/** Creates the error of a request after `close()`. */
export function createConnectionClosedError(): InterlinguaError {
  return new InterlinguaError('server-unreachable', 'The connection to the MCP server was closed', {
    found: 'a request after `close()`',
    expected: 'an open connection',
    hint: 'Call `connectMcp` again, and use the tools of the new connection.',
  })
}

/** Creates the error of a connection that could not be opened. */
export function createUnreachableError(cause: unknown): InterlinguaError {
  const code = codesOf(cause).find((each) => typeof each === 'string')
  const suffix = typeof code === 'string' ? ` (${code})` : ''
  return new InterlinguaError('server-unreachable', `The MCP server could not be reached${suffix}`, {
    found: errorMessageOf(cause),
    expected: 'a server that starts with its command or responds at its URL',
    hint: 'Check the command or the URL, and start the server by hand to see its error.',
    cause,
  })
}
