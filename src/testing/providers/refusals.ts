import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { parsePointer } from '../../wire/json-pointer.ts'
import type { RequestProblem } from '../rules/request-rule.ts'

/** The texts with which each provider refuses a request before it reads its content. */
const REFUSAL_TEXTS: {
  readonly [dialect in DialectName]: {
    readonly key: readonly [status: number, text: string, code?: string]
    readonly model: (name: string) => string
  }
} = {
  anthropic: {
    key: [401, 'x-api-key header is required'],
    model: (name) => `model: ${name}`,
  },
  gemini: {
    key: [
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    ],
    model: (name) =>
      `models/${name} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
  },
  ollama: { key: [401, 'unauthorized'], model: (name) => `model '${name}' not found` },
  'openai-chat': {
    key: [
      401,
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    ],
    model: (name) => `The model \`${name}\` does not exist or you do not have access to it.`,
  },
  'openai-responses': {
    key: [
      401,
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    ],
    model: (name) => `The requested model '${name}' does not exist.`,
  },
  mistral: { key: [401, 'Unauthorized'], model: (name) => `Invalid model: ${name}` },
  'gemini-interactions': {
    key: [
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    ],
    model: (name) => `Model not found: ${name}`,
  },
  bedrock: {
    key: [403, 'Authorization header is missing'],
    model: () => 'The provided model identifier is invalid.',
  },
  cohere: {
    key: [401, 'no api key supplied'],
    model: (name) =>
      `model '${name}' not found, make sure the correct model ID was used and that you have access to the model.`,
  },
}

/** Creates the error for a request without a key. */
export function createMissingKeyError(dialect: DialectName): ProviderError {
  const [status, message] = REFUSAL_TEXTS[dialect].key
  return new ProviderError(message, {
    kind: status === 401 ? 'authentication' : 'permission',
    status,
    dialect,
  })
}

/** Creates the error for a model that the provider does not have. */
export function createModelError(dialect: DialectName, model: string): ProviderError {
  return createMockRefusal(dialect, 'not-found', 404, REFUSAL_TEXTS[dialect].model(model))
}

/** Creates the error for the first problem of a request body. */
export function createProblemError(
  dialect: DialectName,
  { message, code, path }: RequestProblem,
): ProviderError {
  const param = parsePointer(path).reduce(
    (text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )
  return new ProviderError(message, {
    kind: 'invalid-request',
    status: 400,
    dialect,
    ...(code !== undefined && { providerCode: code }),
    ...(param !== '' && { param }),
  })
}

/** Creates an error with the status of a provider. */
export function createMockRefusal(
  dialect: DialectName,
  kind: ProviderErrorKind,
  status: number,
  message: string,
  retryAfterMs?: number,
): ProviderError {
  return new ProviderError(message, {
    kind,
    status,
    dialect,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Returns an error as the HTTP response of its provider. */
export function toErrorResponse(dialect: DialectName, error: ProviderError): Response {
  const { status, headers, body } = dialects[dialect].encodeError(error)
  return Response.json(body, { status, headers })
}
