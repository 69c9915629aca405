import { SETTING_NAMES } from '../../client/check-call-input.ts'
import { TRANSPORT_OPTION_NAMES } from '../../client/transport/settings.ts'
import { PERIOD_MS } from '../../gateway/usage-limits.ts'
import type { JsonObject, JsonSchema } from '../../wire/json.ts'

const text = (description: string): JsonObject => ({ type: 'string', minLength: 1, description })
const amount = (description: string): JsonObject => ({ type: 'number', minimum: 0, description })
const flag = (description: string): JsonObject => ({ type: 'boolean', description })
const list = (items: JsonObject, description: string): JsonObject => ({ type: 'array', items, description })

function object(properties: JsonObject, required: readonly string[] = [], description = ''): JsonObject {
  return {
    type: 'object',
    ...(description !== '' && { description }),
    properties,
    required: [...required],
    additionalProperties: false,
  }
}

/** Numbers by name, such as timeouts. */
function numbers(names: object, description: string): JsonObject {
  const properties = Object.keys(names).map((name) => [name, { type: 'number', minimum: 0 }])
  return object(Object.fromEntries(properties) as JsonObject, [], description)
}

const { timeouts, retry, limits } = TRANSPORT_OPTION_NAMES
const TIMEOUTS = numbers(timeouts as object, 'Timeouts of calls in milliseconds.')
const RETRY = numbers(retry as object, 'Retries of a call to one target.')

/** A model name with at most one `*`. */
const PATTERN: JsonObject = { type: 'string', pattern: '^[^*]*\\*?[^*]*$', minLength: 1 }

const SETTINGS: JsonObject = {
  type: 'object',
  propertyNames: { enum: Object.keys(SETTING_NAMES) },
}

const TARGET: JsonObject = { type: 'string', pattern: '^([^:]+:.|demo$)' }

const ROUTE = object(
  {
    model: { ...PATTERN, description: 'The model name in a request. One `*` stands for any text.' },
    to: {
      description:
        'The targets as `provider:model`, or `demo` for the offline demo model, in the order in which they are tried.',
      anyOf: [
        TARGET,
        {
          type: 'array',
          minItems: 1,
          items: {
            anyOf: [
              TARGET,
              object({ to: TARGET, weight: { type: 'number', exclusiveMinimum: 0 } }, ['to', 'weight']),
            ],
          },
        },
      ],
    },
    defaults: { ...SETTINGS, description: 'Settings for requests that do not set them.' },
    forced: { ...SETTINGS, description: 'Settings that replace those of requests.' },
    promptCaching: flag("Mark prompts for the provider's cache if the client did not."),
    timeouts: TIMEOUTS,
    retry: RETRY,
  },
  ['model', 'to'],
)

const LIMIT = object(
  {
    per: { enum: Object.keys(PERIOD_MS) },
    requests: amount('The number of requests.'),
    tokens: amount('The number of tokens of requests and answers.'),
    cost: amount('The cost in the currency of the price table.'),
  },
  ['per'],
)

const KEY = object(
  {
    name: text('The name of the client in logs.'),
    digest: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description: 'The digest that `interlingua keys` prints.',
    },
    models: list(PATTERN, 'The model names that the client may use.'),
    maxConcurrent: amount('The highest number of requests at the same time.'),
    limits: list(LIMIT, 'What the client may use in a period.'),
    maxOutputTokens: amount('The highest number of tokens of one answer.'),
    metrics: flag('The key may read /metrics.'),
  },
  ['name', 'digest'],
)

/** Where a secret is read from. A configuration file contains none itself. */
const SECRET: JsonObject = {
  description:
    'An environment variable, a file that only its owner can read, or a command that prints the secret.',
  anyOf: [
    object({ env: text('The name of an environment variable.') }, ['env']),
    object({ file: text('The path of a file, relative to the configuration.') }, ['file']),
    object({ command: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } } }, ['command']),
  ],
}

const PROVIDER = object({
  apiKey: SECRET,
  baseUrl: text('The URL before the paths of the dialect.'),
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  timeouts: TIMEOUTS,
  retry: RETRY,
  limits: numbers(limits as object, 'Limits of the size of an answer.'),
  apiVersion: text('The version of the API.'),
  foreignReasoning: { type: 'string' },
  unsupported: { type: 'object' },
  promptCaching: flag('Mark prompts for the cache of the provider.'),
  prices: { type: 'object', description: 'Your own prices: currency, and prices by provider and model.' },
  state: { type: 'string', enum: ['stored', 'encrypted'] },
})

const STORE: JsonSchema = {
  description: 'The file of a store, or a secret with the URL of a server.',
  anyOf: [{ type: 'string', minLength: 1 }, SECRET],
}

/** The JSON Schema of the configuration file of a gateway. Editors show it; `interlingua serve` checks files with it. */
export const CONFIG_FILE_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'The configuration of an interlingua gateway',
  ...object(
    {
      $schema: { type: 'string' },
      routes: list(ROUTE, 'The routes; the first whose pattern fits is used.'),
      providers: {
        type: 'object',
        additionalProperties: PROVIDER,
        description: 'Options of providers by name.',
      },
      keys: list(KEY, 'The clients. Without them, the gateway serves this machine only.'),
      aliases: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
      circuit: object({
        failures: amount('Failures in a row after which a target is left out.'),
        pauseMs: amount('The time without requests to it.'),
      }),
      retryBudget: object({
        ratio: amount('Retries for each request to a target.'),
        burst: amount('Retries that are allowed in a row.'),
      }),
      sealKeys: list(SECRET, 'Secrets of 32 random bytes in base64. The first one seals, all of them open.'),
      maxBodyBytes: amount('The largest request body.'),
      sanitize: flag('Remove from requests what a client could have forged.'),
      state: object(
        { postgres: SECRET },
        ['postgres'],
        'State that several instances share; needs `sealKeys`.',
      ),
      storage: STORE,
      responseRetentionMs: amount('The time until a stored response is deleted.'),
      recording: object(
        {
          store: STORE,
          sampleRate: { type: 'number', minimum: 0, maximum: 1 },
          retentionMs: amount('The time until a conversation is deleted.'),
        },
        ['store'],
        'Store the conversations of clients.',
      ),
      tracing: flag('Create OpenTelemetry spans; the program needs an SDK, loaded with --import.'),
    },
    ['routes'],
  ),
}
