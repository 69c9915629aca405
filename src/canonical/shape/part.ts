import { child, type Path } from '../../wire/json-pointer.ts'
import type { CitedRange, Citation, OpaqueCitation, SourceCitation } from '../model/citation.ts'
import type { Role } from '../model/message.ts'
import type {
  AssistantPart,
  Base64Source,
  CacheHint,
  IdSource,
  MediaPart,
  MediaSource,
  Part,
  PartBase,
  PartType,
  SystemPart,
  TextSource,
  ToolCallPart,
  ToolPart,
  ToolResultContent,
  UrlSource,
  UserPart,
  Signature,
} from '../model/part.ts'
import {
  adaptableShape,
  discriminator,
  extraField,
  type ObjectFields,
  objectShape,
  optional,
  required,
  unionShape,
} from './object.ts'
import {
  throwInvalid,
  throwMissing,
  isCanonicalValue,
  readCanonicalValue,
  identifierShape,
  integerShape,
  jsonShape,
  jsonObjectShape,
  listShape,
  trueShape,
  refinedShape,
  type Shape,
  stringShape,
  enumShape,
} from './shape.ts'

export const cacheShape: Shape<CacheHint> = objectShape<CacheHint>('CacheHint', {
  ttl: optional(enumShape('short', 'long')),
})

const signatureFields: ObjectFields<Omit<Signature, 'contentDigest'>> = {
  vendor: required(stringShape),
  value: required(stringShape),
}

/** A signature that arrives before the content that it is bound to is complete. */
export const arrivingSignatureShape: Shape<Omit<Signature, 'contentDigest'>> = objectShape(
  'ArrivingSignature',
  signatureFields,
)

const signatureShape = objectShape<Signature>('Signature', {
  ...signatureFields,
  contentDigest: required(stringShape),
})

const citedRangeShape = objectShape<CitedRange>('CitedRange', {
  unit: required(enumShape('character', 'page', 'block')),
  start: required(integerShape),
  end: required(integerShape),
})

export const citationShape: Shape<Citation> = unionShape<Citation>('type', 'invalid-value', {
  source: objectShape<SourceCitation>('SourceCitation', {
    type: discriminator('source'),
    url: optional(stringShape),
    title: optional(stringShape),
    quote: optional(stringShape),
    fileId: optional(stringShape),
    document: optional(integerShape),
    location: optional(citedRangeShape),
    start: optional(integerShape),
    end: optional(integerShape),
    extra: extraField,
  }),
  opaque: objectShape<OpaqueCitation>('OpaqueCitation', {
    type: discriminator('opaque'),
    dialect: required(identifierShape),
    value: required(jsonShape),
  }),
})

const partBaseFields: ObjectFields<PartBase> = {
  cache: optional(cacheShape),
  signature: optional(signatureShape),
  metadata: optional(jsonObjectShape, '_metadata'),
  extra: extraField,
}

const MEDIA_TYPE_ALIASES = ['media_type', 'mimeType', 'mime_type'] as const

const sourceShape = unionShape<MediaSource>('kind', 'invalid-value', {
  url: objectShape<UrlSource>('UrlSource', {
    kind: discriminator('url'),
    url: required(stringShape),
  }),
  base64: objectShape<Base64Source>('Base64Source', {
    kind: discriminator('base64'),
    data: required(stringShape),
    mediaType: required(stringShape, ...MEDIA_TYPE_ALIASES),
  }),
  id: objectShape<IdSource>('IdSource', {
    kind: discriminator('id'),
    id: required(identifierShape),
    provider: required(stringShape),
  }),
  text: objectShape<TextSource>('TextSource', {
    kind: discriminator('text'),
    text: required(stringShape),
  }),
})

type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>

/** The fields of a part type, without those that every part has. */
type OwnFields<P extends Part> = ObjectFields<Omit<P, 'type' | keyof PartBase>>

function createPartShape<T extends PartType>(
  name: string,
  type: T,
  fields: NoInfer<OwnFields<PartOf<T>>>,
): Shape<PartOf<T>> {
  const all = { ...partBaseFields, type: discriminator(type), ...fields }
  return objectShape(name, all as unknown as ObjectFields<PartOf<T>>)
}

const mediaFields: OwnFields<MediaPart> = {
  source: required(sourceShape),
  mediaType: optional(stringShape, ...MEDIA_TYPE_ALIASES),
  name: optional(stringShape, 'filename', 'file_name'),
  detail: optional(stringShape),
  transcript: optional(stringShape),
}

/** Returns the types of `P`, which must be the keys of `types`, no more and no less. */
function typesOf<P extends Part>(types: { readonly [type in P['type']]: true }): readonly PartType[] {
  return Object.keys(types) as P['type'][]
}

const MEDIA_TYPES = { image: true, audio: true, video: true, file: true } as const

/** A place of parts: a message of a role, or a tool result. */
type PartContainer = Role | 'tool result'

/** The part types that each place can contain. */
export const partTypesByContainer: { readonly [place in PartContainer]: readonly PartType[] } = {
  system: typesOf<SystemPart>({ text: true, opaque: true }),
  developer: typesOf<SystemPart>({ text: true, opaque: true }),
  user: typesOf<UserPart>({ text: true, ...MEDIA_TYPES, opaque: true }),
  assistant: typesOf<AssistantPart>({
    text: true,
    ...MEDIA_TYPES,
    reasoning: true,
    'tool-call': true,
    'tool-result': true,
    refusal: true,
    opaque: true,
  }),
  tool: typesOf<ToolPart>({ 'tool-result': true, opaque: true }),
  'tool result': typesOf<ToolResultContent>({ text: true, json: true, ...MEDIA_TYPES, opaque: true }),
}

/** Returns the shape of the parts that a place can contain. */
export function partShapeForContainer<T extends Part>(place: PartContainer): Shape<T> {
  return {
    expects: 'a part',
    read: (value, path, context) => {
      const part = partShape.read(value, path, context)
      assertPartAllowed(part, place, path)
      return part as T
    },
    accepts: (value) =>
      isCanonicalValue(partShape, value) && partTypesByContainer[place].includes((value as Part).type),
    schema: (define) => ({
      oneOf: partTypesByContainer[place].map((type) => partShapes[type].schema(define)),
    }),
  }
}

/** Throws if the place cannot contain the part. */
export function assertPartAllowed({ type }: Part, place: PartContainer, path: Path | undefined): void {
  const types = partTypesByContainer[place]
  if (types.includes(type)) return
  const where = place === 'tool result' ? 'a tool result' : `a message of role ${place}`
  const found = `a ${type} part in ${where}`
  throwInvalid('part-not-allowed', child(path, 'type'), found, `one of ${types.join(', ')}`)
}

/** A call has arguments or invalid arguments, not both. */
function assertArguments({ arguments: given, invalidArguments }: ToolCallPart, path: Path | undefined): void {
  if (given === undefined && invalidArguments === undefined)
    throwMissing(child(path, 'arguments'), 'an object, or invalidArguments with the text of the provider')
  if (given !== undefined && invalidArguments !== undefined) {
    const found = 'arguments and invalidArguments'
    throwInvalid('unexpected-field', child(path, 'invalidArguments'), found, 'one of the two')
  }
}

/** Each part type in canonical form. */
export const partShapes: { readonly [type in PartType]: Shape<PartOf<type>> } = {
  text: createPartShape('TextPart', 'text', {
    text: required(stringShape),
    citations: optional(listShape(citationShape)),
  }),
  image: createPartShape('ImagePart', 'image', mediaFields),
  audio: createPartShape('AudioPart', 'audio', mediaFields),
  video: createPartShape('VideoPart', 'video', mediaFields),
  file: createPartShape('FilePart', 'file', mediaFields),
  reasoning: createPartShape('ReasoningPart', 'reasoning', {
    text: required(stringShape),
    summary: optional(trueShape),
    redacted: optional(trueShape),
  }),
  'tool-call': refinedShape(
    createPartShape('ToolCallPart', 'tool-call', {
      id: required(identifierShape),
      name: required(identifierShape),
      arguments: optional(jsonObjectShape),
      rawArguments: optional(stringShape),
      invalidArguments: optional(stringShape),
      executedBy: optional(enumShape('provider')),
    }),
    assertArguments,
    { oneOf: [{ required: ['arguments'] }, { required: ['invalidArguments'] }] },
  ),
  'tool-result': createPartShape('ToolResultPart', 'tool-result', {
    callId: required(identifierShape),
    name: optional(stringShape, 'tool_name', 'toolName'),
    content: required(listShape(partShapeForContainer<ToolResultContent>('tool result'))),
    isError: optional(trueShape, 'is_error'),
  }),
  json: createPartShape('JsonPart', 'json', { value: required(jsonShape) }),
  refusal: createPartShape('RefusalPart', 'refusal', {
    text: required(stringShape, 'refusal'),
  }),
  opaque: createPartShape('OpaquePart', 'opaque', {
    dialect: required(identifierShape),
    value: required(jsonShape),
  }),
}

/** Any part. */
export const partShape: Shape<Part> = adaptableShape(
  'type',
  unionShape<Part>('type', 'unknown-part-type', partShapes),
  ({ part }) => part,
)

/** Returns a part in canonical form, checked and frozen; the same object if it already is. */
export function checkAndFreezePart<T extends Part>(part: T, path?: Path): T {
  return readCanonicalValue(partShape, part, path) as T
}
