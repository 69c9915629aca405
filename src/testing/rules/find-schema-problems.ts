import { readFileSync } from 'node:fs'
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { getPackageFile } from '../../node/get-package-file.ts'
import { parsePointerFragment } from '../../wire/json-pointer.ts'
import type { RequestProblem, WireObject } from './request-rule.ts'

/** The published schemas of request bodies, in the folder `wire-schemas` of the package. */
export type RequestSchemaName =
  | 'anthropic-request'
  | 'anthropic-request-2023-06-01'
  | 'anthropic-beta-request'
  | 'anthropic-beta-request-2023-06-01'
  | 'gemini-request'
  | 'ollama-request'
  | 'openai-chat-request'
  | 'openai-responses-request'
  | 'mistral-request'
  | 'gemini-interactions-request'
  | 'bedrock-request'
  | 'cohere-request'

/** A deviation from a schema: a missing or unknown field, or a wrong type or value. */
interface SchemaFault {
  readonly kind: 'missing' | 'unknown' | 'type' | 'value'
  /** The keys of the field. */
  readonly keys: readonly string[]
  /** The expected types or values, if the schema lists them. */
  readonly expected: readonly string[]
  /** The type that was found. */
  readonly found: string
}

/** Keywords that only repeat that a keyword below them failed. */
const OUTER_KEYWORDS: ReadonlySet<string> = new Set([
  '$ref',
  'properties',
  'additionalProperties',
  'items',
  'if',
])

const validators = new Map<RequestSchemaName, Validator>()

function getValidator(name: RequestSchemaName): Validator {
  const known = validators.get(name)
  if (known !== undefined) return known
  const text = readFileSync(getPackageFile(`wire-schemas/${name}.json`), 'utf8')
  const created = new Validator(JSON.parse(text) as object, '7', false)
  validators.set(name, created)
  return created
}

/** Returns the problems of a body in server form by a published schema, in the words of the dialect's provider. */
export function findSchemaProblems(
  name: RequestSchemaName,
  dialect: DialectName,
  body: WireObject,
): readonly RequestProblem[] {
  return getValidator(name)
    .validate(body)
    .errors.filter(({ keyword }) => !OUTER_KEYWORDS.has(keyword))
    .map(toFault)
    .filter((fault) => !isAccepted(dialect, fault))
    .map((fault) => ({
      rule: 'schema',
      path: fault.keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      ...wordings[dialect](fault),
    }))
}

/** Deviations from the published schemas that servers accept. Recorded requests show each. */
const ACCEPTED_FAULTS: {
  readonly [dialect in DialectName]?: readonly (readonly [SchemaFault['kind'], RegExp])[]
} = {
  gemini: [['unknown', /^model$/]],
  ollama: [['unknown', /./]],
  'openai-chat': [
    ['unknown', /^messages\[\d+\]\.(?:annotations|name)$/],
    ['type', /^messages\[\d+\]\.content\[\d+\]\.image_url$/],
  ],
  // Codex sends both to OpenAI; the second is documented for image search.
  'openai-responses': [
    ['unknown', /^client_metadata$/],
    ['unknown', /^tools\[\d+\]\.search_content_types$/],
  ],
}

/** Returns true if the server accepts a deviation. Every server reads `null` like an absent field. */
function isAccepted(dialect: DialectName, { kind, keys, found }: SchemaFault): boolean {
  const rows = ACCEPTED_FAULTS[dialect] ?? []
  const isListed = rows.some(([each, path]) => each === kind && path.test(formatBracketPath(keys)))
  return isListed || (kind === 'type' && found === 'null')
}

function toFault({ instanceLocation, keyword, error }: OutputUnit): SchemaFault {
  const keys = parsePointerFragment(instanceLocation) ?? []
  const quoted = Array.from(error.matchAll(/"([^"]*)"/g), ([, text = '']) => text)
  const [first = '', ...rest] = quoted
  switch (keyword) {
    case 'required':
      return { kind: 'missing', keys: [...keys, first], expected: [], found: '' }
    case 'false':
      return { kind: 'unknown', keys, expected: [], found: '' }
    case 'type':
      return { kind: 'type', keys, expected: rest.filter((type) => type !== 'null'), found: first }
    default:
      return { kind: 'value', keys, expected: quoted, found: '' }
  }
}

type Wording = (fault: SchemaFault) => Pick<RequestProblem, 'message' | 'code'>

/** Joins keys as `messages[0].content`. */
function formatBracketPath(keys: readonly string[]): string {
  return keys.reduce(
    (path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
    '',
  )
}

const formatList = (values: readonly string[], quote = "'"): string =>
  values.map((value) => `${quote}${value}${quote}`).join(', ')

const wordOpenAIFault: Wording = ({ kind, keys, expected, found }) => {
  const place = formatBracketPath(keys)
  const texts = {
    missing: [`Missing required parameter: '${place}'.`, 'missing_required_parameter'],
    unknown: [`Unknown parameter: '${place}'.`, 'unknown_parameter'],
    type: [
      `Invalid type for '${place}': expected ${expected.join(' or ')}, but got ${found} instead.`,
      'invalid_type',
    ],
    value: [`Invalid value for '${place}'. Supported values are: ${formatList(expected)}.`, 'invalid_value'],
  } as const
  const [message, code] = texts[kind]
  return { message, code }
}

/** The texts of Pydantic, which the servers of Anthropic and Mistral send. */
function wordPydanticFault({ kind, expected }: SchemaFault): string {
  const texts = {
    missing: 'Field required',
    unknown: 'Extra inputs are not permitted',
    type: `Input should be a valid ${expected.join(' or ')}`,
    value: `Input should be ${formatList(expected)}`,
  }
  return texts[kind]
}

/** The texts of schema errors, by dialect. */
const wordings: { readonly [dialect in DialectName]: Wording } = {
  anthropic: (fault) => ({ message: `${fault.keys.join('.')}: ${wordPydanticFault(fault)}` }),
  gemini: ({ kind, keys, expected }) => {
    const place = formatBracketPath(keys.slice(0, -1))
    const texts = {
      missing: `* GenerateContentRequest.${formatBracketPath(keys)}: ${keys.at(-1)} is not specified\n`,
      unknown: `Invalid JSON payload received. Unknown name "${keys.at(-1)}"${place && ` at '${place}'`}: Cannot find field.`,
      type: `Invalid value at '${formatBracketPath(keys)}' (${expected.join(' or ')})`,
      value: `Invalid value at '${formatBracketPath(keys)}' (${formatList(expected, '"')})`,
    }
    return { message: texts[kind] }
  },
  ollama: ({ kind, keys, expected, found }) => ({
    message:
      kind === 'missing'
        ? `${keys.at(-1)} is required`
        : `json: cannot unmarshal ${found} into Go struct field ChatRequest.${keys.filter((key) => !/^\d+$/.test(key)).join('.')} of type ${expected.join(' or ')}`,
  }),
  'openai-chat': wordOpenAIFault,
  'openai-responses': wordOpenAIFault,
  mistral: (fault) => ({ message: `${['body', ...fault.keys].join('.')}: ${wordPydanticFault(fault)}` }),
  bedrock: ({ kind, keys, expected, found }) => {
    const place = keys.map((key) => (/^\d+$/.test(key) ? `${Number(key) + 1}.member` : key)).join('.')
    const failed = `1 validation error detected: Value at '${place}' failed to satisfy constraint: Member must`
    const texts = {
      missing: `${failed} not be null`,
      unknown: `The model returned the following errors: ${place}: Extra inputs are not permitted`,
      type: `${found.toUpperCase()}_VALUE cannot be converted to ${expected.join(' or ')}`,
      value: `${failed} satisfy enum value set: [${expected.join(', ')}]`,
    }
    return { message: texts[kind] }
  },
  cohere: ({ kind, keys, expected, found }) => {
    const place = formatBracketPath(keys)
    const texts = {
      missing: `invalid request: ${place} is required.`,
      unknown: `unknown field: parameter '${place}' is not a valid field`,
      type: `invalid type: parameter '${place}' is of type ${found} but should be of type ${expected.join(' or ')}.`,
      value: `invalid request: '${place}' must be one of: ${formatList(expected)}.`,
    }
    return { message: texts[kind] }
  },
  // The error reference lists the codes; the texts are those of the messages that clients report.
  'gemini-interactions': ({ kind, keys, expected }) => {
    const place = formatBracketPath(keys)
    const texts = {
      missing: [`Missing required parameter: '${place}'.`, 'invalid_request'],
      unknown: [`Unknown parameter '${place}'.`, 'parameter_unknown'],
      type: [`Invalid value for '${place}': expected ${expected.join(' or ')}.`, 'invalid_request'],
      value: [
        `Invalid value for '${place}'. Supported values are: ${formatList(expected)}.`,
        'invalid_request',
      ],
    } as const
    const [message, code] = texts[kind]
    return { message, code }
  },
}
