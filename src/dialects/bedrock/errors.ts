import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { createErrorCodec, type ErrorCodec } from '../engine/error-codec.ts'
import { toSafeText } from '../engine/safe-text.ts'

/** The ending of the key of an event that is an exception. */
const EXCEPTION_ENDING = 'Exception'

/** The exception that contains the status of any failure of a model. */
const MODEL_STREAM_ERROR = 'modelStreamErrorException'

/** The longest message of an exception that an error contains. */
const MAX_MESSAGE_CHARS = 2_000

/** The status of a failure of the model itself. */
const MODEL_ERROR_STATUS = 424

/** The exceptions that a stream of the Converse API may contain. */
const streamExceptions: ReadonlySet<string> = new Set([
  'internalServerException',
  'validationException',
  'throttlingException',
  'serviceUnavailableException',
])

/** Returns the name of an error without its namespace and address: `prefix#ThrottlingException:http://…`. */
function readErrorName(name: string): string {
  return name.replace(/^.*#/, '').replace(/:.*$/, '')
}

/** Reads an exception of a stream. The documentation of a failed model asks for a retry. */
function readException(
  key: string,
  { message, originalStatusCode }: JsonObject,
): {
  type: string
  message?: string
  status?: number
  shouldRetry?: true
} {
  const isModelError = key === MODEL_STREAM_ERROR
  const status = originalStatusCode ?? (isModelError ? MODEL_ERROR_STATUS : undefined)
  return {
    type: `${key.charAt(0).toUpperCase()}${key.slice(1)}`,
    ...(typeof message === 'string' && { message: toSafeText(message, MAX_MESSAGE_CHARS) }),
    ...(typeof status === 'number' && { status }),
    ...(isModelError &&
      (typeof originalStatusCode !== 'number' || originalStatusCode >= 500) && { shouldRetry: true }),
  }
}

/** Sources: the exceptions of @aws-sdk/client-bedrock-runtime 3.1162, and their statuses in its documentation. */
export const errorCodec: ErrorCodec = createErrorCodec({
  dialect: 'bedrock',
  idHeader: 'x-amzn-requestid',
  typeHeader: 'x-amzn-errortype',
  kindRows: {
    authentication: [[401], 'UnrecognizedClientException'],
    permission: [[403], 'AccessDeniedException'],
    'not-found': [[404], 'ResourceNotFoundException'],
    'invalid-request': [[400, 409, 422], 'ValidationException'],
    'context-overflow': [[400], 'ValidationException', 'context_length_exceeded'],
    'too-large': [[413], 'ValidationException', 'request_too_large'],
    'rate-limit': [[429], 'ThrottlingException'],
    quota: [[400], 'ServiceQuotaExceededException'],
    overloaded: [[503, 529], 'ServiceUnavailableException'],
    server: [[500, 501, 502, 424], 'InternalServerException'],
    timeout: [[408, 504], 'ModelTimeoutException'],
    network: [[502], 'InternalServerException', 'network_error'],
    'content-filter': [[400], 'ValidationException', 'content_filter'],
    aborted: [[499], 'InternalServerException', 'request_aborted'],
    unknown: [[500], 'InternalServerException', 'unknown_error'],
  },
  codeKinds: [
    ['ModelNotReadyException', 'overloaded'],
    ['ModelErrorException', 'server'],
    ['ConflictException', 'invalid-request'],
    ['ExpiredTokenException', 'authentication'],
    ['InvalidSignatureException', 'authentication'],
    ['MissingAuthenticationTokenException', 'authentication'],
    ['TooManyRequestsException', 'rate-limit'],
  ],
  phraseKinds: [
    ['input is too long for requested model', 'context-overflow'],
    ['prompt is too long', 'context-overflow'],
    ['input length and `max_tokens` exceed context limit', 'context-overflow'],
    ['blocked by our content filters', 'content-filter'],
  ],
  isBody: ({ __type: type, output }) => typeof type === 'string' && output === undefined,
  isEvent: (value) => {
    const [key = ''] = Object.keys(value)
    return key === 'error' || (key.endsWith(EXCEPTION_ENDING) && isObject(value[key]))
  },
  readOwnFields(body: Json) {
    if (!isObject(body)) return {}
    const [key = ''] = Object.keys(body)
    const inner = body[key]
    if (key.endsWith(EXCEPTION_ENDING) && isObject(inner)) return readException(key, inner)
    const { __type: type, code, reason } = body
    const name = type ?? code
    return {
      ...(typeof name === 'string' && { type: readErrorName(name) }),
      ...(typeof reason === 'string' && { providerCode: reason }),
    }
  },
  // A `code` would replace the type in official clients, which ignore a `reason`.
  writeBody: ({ message, type, code }) => ({
    __type: type,
    message,
    ...(code !== undefined && { reason: code }),
  }),
  writeEvent({ message, type, status }) {
    const key = `${type.charAt(0).toLowerCase()}${type.slice(1)}`
    if (streamExceptions.has(key)) return { [key]: { message } }
    return { [MODEL_STREAM_ERROR]: { message, originalStatusCode: status, originalMessage: message } }
  },
})
