import { child, type Path } from '../../wire/json-pointer.ts'
import type { CitedRange, Citation, OpaqueCitation, SourceCitation } from '../model/citation.ts'
import type { Role } from '../model/message.ts'
import type {
  AssistantPart,
  AudioPart,
  Base64Source,
  CacheHint,
  FilePart,
  IdSource,
  ImagePart,
  JsonPart,
  MediaPart,
  MediaSource,
  OpaquePart,
  Part,
  PartBase,
  PartType,
  ReasoningPart,
  RefusalPart,
  SystemPart,
  TextPart,
  TextSource,
  ToolCallPart,
  ToolPart,
  ToolResultContent,
  ToolResultPart,
  UrlSource,
  UserPart,
  VideoPart,
  Signature,
} from '../model/part.ts'
import { extraShape, type Fields, objectShape, optionalField, requiredField, unionShape } from './object.ts'
import {
  throwInvalid,
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
  ttl: optionalField(enumShape('short', 'long'), 'How long the cached prefix is kept.'),
})

const signatureShape: Shape<Signature> = objectShape<Signature>('Signature', {
  vendor: requiredField(stringShape, 'The vendor that made the token and can verify it.'),
  value: requiredField(stringShape, 'The token.'),
  contentDigest: requiredField(stringShape, 'Digest of the content that the token authenticates.'),
})

const citedRangeShape: Shape<CitedRange> = objectShape<CitedRange>('CitedRange', {
  unit: requiredField(enumShape('character', 'page', 'block'), 'The unit of start and end.'),
  start: requiredField(integerShape, 'The start, counted from 0.'),
  end: requiredField(integerShape, 'The end, excluded.'),
})

const citationShape: Shape<Citation> = unionShape<Citation>(
  'type',
  {
    source: objectShape<SourceCitation>('SourceCitation', {
      type: requiredField(enumShape('source'), 'Discriminator.'),
      url: optionalField(stringShape, 'URL of the source.'),
      title: optionalField(stringShape, 'Title of the source.'),
      quote: optionalField(stringShape, 'The cited text of the source.'),
      fileId: optionalField(stringShape, 'Id of the cited file at its provider.'),
      document: optionalField(
        integerShape,
        'The index of the cited document in the request, counted from 0.',
      ),
      location: optionalField(citedRangeShape, 'The cited range of the source.'),
      start: optionalField(integerShape, 'Start of the supported range of text, in UTF-16 code units.'),
      end: optionalField(integerShape, 'End of the supported range of text, excluded.'),
      extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
    }),
    opaque: objectShape<OpaqueCitation>('OpaqueCitation', {
      type: requiredField(enumShape('opaque'), 'Discriminator.'),
      dialect: requiredField(identifierShape, 'The wire format of the citation.'),
      value: requiredField(jsonShape, 'The citation as that format writes it.'),
    }),
  },
  'invalid-value',
)

const partBaseFields: Fields<PartBase> = {
  cache: optionalField(
    cacheShape,
    'Requests that the provider cache everything up to and including this part.',
  ),
  signature: optionalField(signatureShape, 'The token by which a vendor recognizes the part.'),
  metadata: optionalField(jsonObjectShape, 'Data of the application; never sent.', '_metadata'),
  extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
}

const sourceShape: Shape<MediaSource> = unionShape<MediaSource>(
  'kind',
  {
    url: objectShape<UrlSource>('UrlSource', {
      kind: requiredField(enumShape('url'), 'Discriminator.'),
      url: requiredField(stringShape, 'URL of the bytes.'),
    }),
    base64: objectShape<Base64Source>('Base64Source', {
      kind: requiredField(enumShape('base64'), 'Discriminator.'),
      data: requiredField(stringShape, 'The bytes in base64.'),
      mediaType: requiredField(stringShape, 'Such as image/png.', 'media_type', 'mimeType', 'mime_type'),
    }),
    id: objectShape<IdSource>('IdSource', {
      kind: requiredField(enumShape('id'), 'Discriminator.'),
      id: requiredField(identifierShape, 'The id of the file at the provider.'),
      provider: requiredField(stringShape, 'The provider that stores the file.'),
    }),
    text: objectShape<TextSource>('TextSource', {
      kind: requiredField(enumShape('text'), 'Discriminator.'),
      text: requiredField(stringShape, 'The text itself.'),
    }),
  },
  'invalid-value',
)

function mediaShape<T extends MediaPart>(name: string, type: T['type']): Shape<T> {
  const fields: Fields<ImagePart> = {
    ...partBaseFields,
    type: requiredField(enumShape(type) as Shape<'image'>, 'Discriminator.'),
    source: requiredField(sourceShape, 'The source of the bytes.'),
    mediaType: optionalField(
      stringShape,
      'Such as image/png; present only if the source has no media type.',
      'media_type',
      'mimeType',
      'mime_type',
    ),
    name: optionalField(stringShape, 'File name or title.', 'filename', 'file_name'),
    detail: optionalField(stringShape, 'The level of detail: auto, low, high.'),
    transcript: optionalField(stringShape, 'The transcript of the audio.'),
  }
  return objectShape<ImagePart>(name, fields) as Shape<MediaPart> as Shape<T>
}

const textFields: Fields<TextPart> = {
  ...partBaseFields,
  type: requiredField(enumShape('text'), 'Discriminator.'),
  text: requiredField(stringShape, 'The text.'),
  citations: optionalField(listShape(citationShape), 'The sources of its statements.'),
}

const toolCallFields: Fields<ToolCallPart> = {
  ...partBaseFields,
  type: requiredField(enumShape('tool-call'), 'Discriminator.'),
  id: requiredField(identifierShape, 'The id that the result refers to.'),
  name: requiredField(identifierShape, 'Name of the tool.'),
  arguments: optionalField(
    jsonObjectShape,
    'The parsed arguments; absent exactly if invalidArguments is present.',
  ),
  rawArguments: optionalField(
    stringShape,
    'The text that the provider sent, if encoding the arguments would change it.',
  ),
  invalidArguments: optionalField(
    stringShape,
    'The text that the provider sent, if it is not a JSON object.',
  ),
  executedBy: optionalField(enumShape('provider'), 'The provider executes the tool.'),
}

/** Returns the types of `P`, which must be the keys of `types`, no more and no less. */
function typesOf<P extends Part>(types: { readonly [type in P['type']]: true }): readonly PartType[] {
  return Object.keys(types) as P['type'][]
}

const MEDIA_TYPES = { image: true, audio: true, video: true, file: true } as const

/** The part types that messages of each role and tool results can contain. */
export const allowedParts: { readonly [place in Role | 'tool result']: readonly PartType[] } = {
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

/** Returns the shape of the parts that a message of a role, or a tool result, can contain. */
export function partShapeFor<T extends Part>(place: Role | 'tool result'): Shape<T> {
  const types = allowedParts[place]
  return {
    expects: 'a part',
    read: (value, path, context, unknownKeys) => {
      const part = context.part(value, path, context, unknownKeys)
      if (types.includes(part.type)) return part as T
      const where = place === 'tool result' ? 'a tool result' : `a message of role ${place}`
      return throwInvalid(
        'part-not-allowed',
        child(path, 'type'),
        `a ${part.type} part in ${where}`,
        `one of ${types.join(', ')}`,
      )
    },
    schema: (define) => ({ oneOf: types.map((type) => partShapes[type].schema(define)) }),
  }
}

/** A call has arguments or invalid arguments, not both. */
function assertArguments(call: ToolCallPart, path: Path | undefined): void {
  if (call.arguments === undefined && call.invalidArguments === undefined) {
    throwInvalid(
      'missing-field',
      child(path, 'arguments'),
      'nothing',
      'an object, or invalidArguments with the text of the provider',
    )
  }
  if (call.arguments !== undefined && call.invalidArguments !== undefined) {
    throwInvalid(
      'unexpected-field',
      child(path, 'invalidArguments'),
      'arguments and invalidArguments',
      'one of the two',
    )
  }
}

/** Each part type in canonical form. */
export const partShapes: { readonly [type in PartType]: Shape<Part> } = {
  text: objectShape<TextPart>('TextPart', textFields),
  image: mediaShape<ImagePart>('ImagePart', 'image'),
  audio: mediaShape<AudioPart>('AudioPart', 'audio'),
  video: mediaShape<VideoPart>('VideoPart', 'video'),
  file: mediaShape<FilePart>('FilePart', 'file'),
  reasoning: objectShape<ReasoningPart>('ReasoningPart', {
    ...partBaseFields,
    type: requiredField(enumShape('reasoning'), 'Discriminator.'),
    text: requiredField(stringShape, 'The readable text; empty if the provider shows none.'),
    summary: optionalField(trueShape, 'The text is a summary.'),
    redacted: optionalField(trueShape, 'The provider hid the reasoning.'),
  }),
  'tool-call': refinedShape(objectShape<ToolCallPart>('ToolCallPart', toolCallFields), assertArguments, {
    oneOf: [{ required: ['arguments'] }, { required: ['invalidArguments'] }],
  }),
  'tool-result': objectShape<ToolResultPart>('ToolResultPart', {
    ...partBaseFields,
    type: requiredField(enumShape('tool-result'), 'Discriminator.'),
    callId: requiredField(
      identifierShape,
      'The id of the tool call.',
      'call_id',
      'tool_call_id',
      'toolCallId',
    ),
    name: optionalField(stringShape, 'Name of the tool.', 'tool_name', 'toolName'),
    content: requiredField(
      listShape(partShapeFor<ToolResultContent>('tool result')),
      'The output of the tool.',
    ),
    isError: optionalField(trueShape, 'The tool failed.', 'is_error'),
  }),
  json: objectShape<JsonPart>('JsonPart', {
    ...partBaseFields,
    type: requiredField(enumShape('json'), 'Discriminator.'),
    value: requiredField(jsonShape, 'The data.'),
  }),
  refusal: objectShape<RefusalPart>('RefusalPart', {
    ...partBaseFields,
    type: requiredField(enumShape('refusal'), 'Discriminator.'),
    text: requiredField(stringShape, 'The text of the refusal.', 'refusal'),
  }),
  opaque: objectShape<OpaquePart>('OpaquePart', {
    ...partBaseFields,
    type: requiredField(enumShape('opaque'), 'Discriminator.'),
    dialect: requiredField(identifierShape, 'The wire format of the block.'),
    value: requiredField(jsonShape, 'The block as that format writes it.'),
  }),
}
