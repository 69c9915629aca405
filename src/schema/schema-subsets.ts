/** The types of JSON values, in the order in which alternatives are written. */
export const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const

export type JsonTypeName = (typeof JSON_TYPES)[number]
export type JsonTypeSet = ReadonlySet<JsonTypeName>

/** A target for tool schemas that are not strict: it accepts most of JSON Schema, but not in every place. */
export type ToolSchemaTarget = 'openai-tools' | 'anthropic-tools' | 'moonshot-tools'

/** A target whose subset of JSON Schema is known. */
export type SchemaTarget =
  | ToolSchemaTarget
  | 'openai-strict'
  | 'anthropic-strict'
  | 'gemini-openapi'
  | 'gemini-json-schema'
  | 'ollama'
  | 'ollama-tools'
  | 'cohere'
  | 'plain'

/** The size limits of a strict schema. */
export interface SchemaLimits {
  /** Nesting of objects and arrays. */
  readonly maxDepth: number
  readonly maxProperties: number
  readonly maxEnumValues: number
  /** Characters of all property names, definition names and enum values. */
  readonly maxTotalChars: number
  /** Characters of one enum with more than {@link longEnumMinValues} values. */
  readonly maxLongEnumChars: number
  readonly longEnumMinValues: number
}

/** One provider's subset of JSON Schema. */
export interface SchemaSubset {
  /** Keywords that are supported unchanged: bounds, patterns, annotations. */
  readonly supportedKeywords: ReadonlySet<string>
  /** The supported values of `format`. Default: all. */
  readonly supportedFormats?: ReadonlySet<string>
  /** Requires closed objects and a type for each value; a schema that cannot be written so is not strict. */
  readonly isStrict?: true
  /** Requires `type` next to keywords of that type. */
  readonly requiresTypes?: true
  /** Requires every property; optional ones are nullable. */
  readonly requiresAllProperties?: true
  /** Has `nullable: true` instead of the type `null`. */
  readonly hasNullableFlag?: true
  /** Supports lists of scalar types. */
  readonly supportsTypeLists?: true
  /** Has null as an alternative of `anyOf`: it supports no list of types, not even with null. */
  readonly hasNullAlternative?: true
  readonly hasUpperCaseTypes?: true
  /** The supported references; others are expanded. `optional-cycles`: cycles only below optional properties. */
  readonly supportedRefs: 'all' | 'acyclic' | 'optional-cycles' | 'cycles' | 'none'
  /** The types whose values an enum may list; numbers may have to be text. */
  readonly enumTypes: JsonTypeSet
  readonly hasTextNumberEnums?: true
  /** Supports `const`; otherwise it is written as an `enum` with one value. */
  readonly supportsConst?: true
  readonly supportsAdditionalProperties?: true
  readonly supportsPrefixItems?: true
  /** Requires `items` in each array. */
  readonly requiresItems?: true
  /** Allows only declared properties in `required`. */
  readonly requiresDeclaredRequired?: true
  /** The largest supported `minItems`. */
  readonly maxMinItems?: number
  /** Supports bounds of integers only. */
  readonly supportsOnlyIntegerBounds?: true
  /** Requires patterns that match the complete text. */
  readonly requiresAnchoredPatterns?: true
  /** Applies patterns to the complete text, and supports neither anchors nor lookarounds. */
  readonly hasBarePatterns?: true
  readonly rootType?: 'object'
  readonly sizeLimits?: SchemaLimits
}

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

function selectTypes(text: string): JsonTypeSet {
  return new Set(JSON_TYPES.filter((type) => splitWords(text).has(type)))
}

const ANY_TYPE = selectTypes(JSON_TYPES.join(' '))
const SCALAR_TYPES = selectTypes('string number integer boolean')

/** The subsets by target. `plain` has none: its schemas are sent unchanged. */
export const SCHEMA_SUBSETS: {
  readonly [target in Exclude<SchemaTarget, ToolSchemaTarget | 'plain'>]: SchemaSubset
} = {
  'openai-strict': {
    supportedKeywords: splitWords(
      'title description pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems',
    ),
    supportedFormats: splitWords('date-time time date duration email hostname ipv4 ipv6 uuid'),
    isStrict: true,
    requiresTypes: true,
    requiresAllProperties: true,
    supportsTypeLists: true,
    supportedRefs: 'all',
    enumTypes: SCALAR_TYPES,
    supportsConst: true,
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
    supportsTypeLists: true,
    supportedRefs: 'acyclic',
    enumTypes: SCALAR_TYPES,
    supportsConst: true,
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
    hasNullableFlag: true,
    hasUpperCaseTypes: true,
    supportedRefs: 'none',
    enumTypes: selectTypes('string number integer'),
    hasTextNumberEnums: true,
    requiresItems: true,
    requiresDeclaredRequired: true,
  },
  'gemini-json-schema': {
    supportedKeywords: splitWords(
      'title description format propertyOrdering minimum maximum minItems maxItems',
    ),
    supportedRefs: 'optional-cycles',
    enumTypes: selectTypes('string number integer'),
    supportsAdditionalProperties: true,
    supportsPrefixItems: true,
  },
  // The server turns these keywords into a grammar and silently ignores others.
  ollama: {
    supportedKeywords: splitWords(
      'title description default examples pattern format minLength maxLength minItems maxItems minimum maximum ' +
        'exclusiveMinimum exclusiveMaximum',
    ),
    supportedFormats: splitWords('date time date-time uuid'),
    supportsTypeLists: true,
    supportedRefs: 'cycles',
    enumTypes: ANY_TYPE,
    supportsConst: true,
    supportsAdditionalProperties: true,
    supportsOnlyIntegerBounds: true,
    requiresAnchoredPatterns: true,
  },
  // The server passes these keywords to the model and silently ignores others.
  'ollama-tools': {
    supportedKeywords: splitWords('description'),
    supportedFormats: new Set(),
    supportsTypeLists: true,
    supportedRefs: 'none',
    enumTypes: ANY_TYPE,
  },
  // Keywords: https://docs.cohere.com/docs/structured-outputs (supported and unsupported schema features). The pattern of its
  // example, `[A-Z]{3}[0-9]{7}`, has no anchors and describes the complete text (docs/parameter-types-in-json). Types and
  // `required`: the messages "property … must have a type" and "required field name not found in properties" (reference/errors).
  cohere: {
    supportedKeywords: splitWords('title description default examples pattern format'),
    supportedFormats: splitWords('date-time uuid date time'),
    requiresTypes: true,
    hasNullAlternative: true,
    supportedRefs: 'all',
    enumTypes: SCALAR_TYPES,
    supportsConst: true,
    supportsAdditionalProperties: true,
    requiresDeclaredRequired: true,
    hasBarePatterns: true,
  },
}
