/** The types of JSON values, in the order in which alternatives are written. */
export const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const

export type JsonTypeName = (typeof JSON_TYPES)[number]

/** Where a schema may go. */
export type SchemaTarget =
  | 'openai-strict'
  | 'anthropic-strict'
  | 'gemini-openapi'
  | 'gemini-json-schema'
  | 'ollama'
  | 'ollama-tools'
  | 'plain'

/** What a strict schema may measure. */
export interface SchemaLimits {
  /** Objects and lists inside each other. */
  readonly maxDepth: number
  readonly maxProperties: number
  readonly maxEnumValues: number
  /** Characters of all names of properties and definitions, and of all listed values. */
  readonly maxTotalChars: number
  /** Characters of the text in one list of more than {@link longEnumMinValues} values. */
  readonly maxLongEnumChars: number
  readonly longEnumMinValues: number
}

/** One provider's subset of JSON Schema. */
export interface SchemaSubset {
  /** Keywords that are taken as they are: bounds, patterns, annotations. */
  readonly supportedKeywords: ReadonlySet<string>
  /** The formats that are taken; all of them where this is not said. */
  readonly supportedFormats?: ReadonlySet<string>
  /** Objects are closed, every value has a type, and what cannot be said so is not strict. */
  readonly isStrict?: true
  /** Keywords need the type that they belong to. */
  readonly requiresTypes?: true
  /** How a property that may be absent is said: it is not required, or it may be null. */
  readonly optionalAs: 'absent' | 'null'
  /** Whether a null is a type, or a flag beside one. */
  readonly nullAs: 'type' | 'flag'
  /** Which lists of types are taken: those of plain values, only one and null, or none. */
  readonly typeLists: 'plain' | 'nullable' | 'none'
  readonly hasUpperCaseTypes?: true
  /**
   * References: all of them; all but those that lead to themselves; where they lead to themselves, only below optional
   * properties; only those that lead to themselves (others are written out); none.
   */
  readonly supportedRefs: 'all' | 'acyclic' | 'optional-cycles' | 'cycles' | 'none'
  /** The types whose values may be listed; numbers may have to be text. */
  readonly enumTypes: ReadonlySet<JsonTypeName>
  readonly hasTextNumberEnums?: true
  /** Whether `const` is known; if not, it is an `enum` of one. */
  readonly supportsConst: boolean
  /** Whether undeclared properties can be spoken of. */
  readonly supportsAdditionalProperties: boolean
  /** Whether the places of a list can be told apart. */
  readonly supportsPrefixItems: boolean
  /** A list must say what is in it. */
  readonly requiresItems?: true
  /** Only declared properties may be required. */
  readonly requiresDeclaredRequired?: true
  /** The largest `minItems`. */
  readonly maxMinItems?: number
  /** Bounds are for whole numbers only. */
  readonly supportsOnlyIntegerBounds?: true
  /** A pattern must span the whole text. */
  readonly requiresAnchoredPatterns?: true
  readonly rootType?: 'object'
  readonly sizeLimits?: SchemaLimits
}

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

function selectTypes(text: string): ReadonlySet<JsonTypeName> {
  return new Set(JSON_TYPES.filter((type) => splitWords(text).has(type)))
}

const ANY_TYPE = selectTypes(JSON_TYPES.join(' '))
const SCALAR_TYPES = selectTypes('string number integer boolean')

/** The subsets, one row each. `plain` has none: what is not strict goes out as it is. */
export const SCHEMA_SUBSETS: { readonly [target in Exclude<SchemaTarget, 'plain'>]: SchemaSubset } = {
  'openai-strict': {
    supportedKeywords: splitWords(
      'title description pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems',
    ),
    supportedFormats: splitWords('date-time time date duration email hostname ipv4 ipv6 uuid'),
    isStrict: true,
    requiresTypes: true,
    optionalAs: 'null',
    nullAs: 'type',
    typeLists: 'plain',
    supportedRefs: 'all',
    enumTypes: SCALAR_TYPES,
    supportsConst: true,
    supportsAdditionalProperties: false,
    supportsPrefixItems: false,
    requiresItems: true,
    requiresDeclaredRequired: true,
    rootType: 'object',
    sizeLimits: {
      maxDepth: 10,
      maxProperties: 5000,
      maxEnumValues: 1000,
      maxTotalChars: 120_000,
      maxLongEnumChars: 15_000,
      longEnumMinValues: 250,
    },
  },
  'anthropic-strict': {
    supportedKeywords: splitWords('title description format minItems'),
    supportedFormats: splitWords('date-time time date duration email hostname uri ipv4 ipv6 uuid'),
    isStrict: true,
    requiresTypes: true,
    optionalAs: 'absent',
    nullAs: 'type',
    typeLists: 'plain',
    supportedRefs: 'acyclic',
    enumTypes: SCALAR_TYPES,
    supportsConst: true,
    supportsAdditionalProperties: false,
    supportsPrefixItems: false,
    requiresItems: true,
    requiresDeclaredRequired: true,
    maxMinItems: 1,
  },
  'gemini-openapi': {
    supportedKeywords: splitWords(
      'title description default example nullable format pattern propertyOrdering minimum maximum minLength maxLength ' +
        'minItems maxItems minProperties maxProperties',
    ),
    supportedFormats: splitWords('date-time enum int32 int64 float double'),
    requiresTypes: true,
    optionalAs: 'absent',
    nullAs: 'flag',
    typeLists: 'none',
    hasUpperCaseTypes: true,
    supportedRefs: 'none',
    enumTypes: selectTypes('string number integer'),
    hasTextNumberEnums: true,
    supportsConst: false,
    supportsAdditionalProperties: false,
    supportsPrefixItems: false,
    requiresItems: true,
    requiresDeclaredRequired: true,
  },
  'gemini-json-schema': {
    supportedKeywords: splitWords(
      'title description format propertyOrdering minimum maximum minItems maxItems',
    ),
    optionalAs: 'absent',
    nullAs: 'type',
    typeLists: 'nullable',
    supportedRefs: 'optional-cycles',
    enumTypes: selectTypes('string number integer'),
    supportsConst: false,
    supportsAdditionalProperties: true,
    supportsPrefixItems: true,
  },
  // What the server turns into a grammar; the rest it would skip in silence.
  ollama: {
    supportedKeywords: splitWords(
      'title description default examples pattern format minLength maxLength minItems maxItems minimum maximum ' +
        'exclusiveMinimum exclusiveMaximum',
    ),
    supportedFormats: splitWords('date time date-time uuid'),
    optionalAs: 'absent',
    nullAs: 'type',
    typeLists: 'plain',
    supportedRefs: 'cycles',
    enumTypes: ANY_TYPE,
    supportsConst: true,
    supportsAdditionalProperties: true,
    supportsPrefixItems: false,
    supportsOnlyIntegerBounds: true,
    requiresAnchoredPatterns: true,
  },
  // What the server hands on to the model; the rest it would skip in silence.
  'ollama-tools': {
    supportedKeywords: splitWords('description'),
    supportedFormats: new Set(),
    optionalAs: 'absent',
    nullAs: 'type',
    typeLists: 'plain',
    supportedRefs: 'none',
    enumTypes: ANY_TYPE,
    supportsConst: false,
    supportsAdditionalProperties: false,
    supportsPrefixItems: false,
  },
}
