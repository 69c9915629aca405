import { below, type Path } from '../../wire/pointer.ts'
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
} from '../model/part.ts'
import type { Signature } from '../model/signature.ts'
import { extraShape, type Fields, objectShape, optional, required, tagged } from './object.ts'
import {
  fail,
  identifier,
  integer,
  json,
  jsonObject,
  list,
  mark,
  refined,
  type Shape,
  string,
  word,
} from './shape.ts'

export const cacheShape: Shape<CacheHint> = objectShape<CacheHint>('CacheHint', {
  ttl: optional(word('short', 'long'), 'How long to keep the cached prefix.'),
})

const signatureShape: Shape<Signature> = objectShape<Signature>('Signature', {
  vendor: required(string, 'Who made the token and can verify it.'),
  value: required(string, 'The token.'),
  contentDigest: required(string, 'Digest of the content that the token vouches for.'),
})

const rangeShape: Shape<CitedRange> = objectShape<CitedRange>('CitedRange', {
  unit: required(word('character', 'page', 'block'), 'What start and end count.'),
  start: required(integer, 'First, counted from 0.'),
  end: required(integer, 'The one after the last.'),
})

const citationShape: Shape<Citation> = tagged<Citation>(
  'type',
  {
    source: objectShape<SourceCitation>('SourceCitation', {
      type: required(word('source'), 'Discriminator.'),
      url: optional(string, 'Address of the source.'),
      title: optional(string, 'Title of the source.'),
      quote: optional(string, 'The cited words of the source.'),
      fileId: optional(string, 'Id of the cited file at its provider.'),
      document: optional(integer, 'Which document of the request is cited, from 0.'),
      location: optional(rangeShape, 'Where in the source.'),
      start: optional(integer, 'Start of the supported stretch of text, in UTF-16 units.'),
      end: optional(integer, 'End of the supported stretch of text, excluded.'),
      extra: optional(extraShape, 'What one wire format adds, by slot.'),
    }),
    opaque: objectShape<OpaqueCitation>('OpaqueCitation', {
      type: required(word('opaque'), 'Discriminator.'),
      dialect: required(identifier, 'The wire format that it belongs to.'),
      value: required(json, 'The citation as that format writes it.'),
    }),
  },
  'invalid-value',
)

const base: Fields<PartBase> = {
  cache: optional(cacheShape, 'Asks the provider to cache everything up to here.'),
  signature: optional(signatureShape, 'The token by which its maker recognises the part.'),
  metadata: optional(jsonObject, "The application's own; never sent.", '_metadata'),
  extra: optional(extraShape, 'What one wire format adds, by slot.'),
}

const sourceShape: Shape<MediaSource> = tagged<MediaSource>(
  'kind',
  {
    url: objectShape<UrlSource>('UrlSource', {
      kind: required(word('url'), 'Discriminator.'),
      url: required(string, 'Address of the bytes.'),
    }),
    base64: objectShape<Base64Source>('Base64Source', {
      kind: required(word('base64'), 'Discriminator.'),
      data: required(string, 'The bytes in base64.'),
      mediaType: required(string, 'Such as image/png.', 'media_type', 'mimeType', 'mime_type'),
    }),
    id: objectShape<IdSource>('IdSource', {
      kind: required(word('id'), 'Discriminator.'),
      id: required(identifier, "The provider's id for the file."),
      provider: required(string, 'Where the file lies.'),
    }),
    text: objectShape<TextSource>('TextSource', {
      kind: required(word('text'), 'Discriminator.'),
      text: required(string, 'The text itself.'),
    }),
  },
  'invalid-value',
)

function mediaShape<T extends MediaPart>(name: string, type: T['type']): Shape<T> {
  const fields: Fields<ImagePart> = {
    ...base,
    type: required(word(type) as Shape<'image'>, 'Discriminator.'),
    source: required(sourceShape, 'Where the bytes are.'),
    mediaType: optional(
      string,
      'Such as image/png, only where the source does not say it.',
      'media_type',
      'mimeType',
      'mime_type',
    ),
    name: optional(string, 'File name or title.', 'filename', 'file_name'),
    detail: optional(string, 'How closely to look: auto, low, high.'),
    transcript: optional(string, 'The words spoken.'),
  }
  return objectShape<ImagePart>(name, fields) as Shape<MediaPart> as Shape<T>
}

const textFields: Fields<TextPart> = {
  ...base,
  type: required(word('text'), 'Discriminator.'),
  text: required(string, 'The text.'),
  citations: optional(list(citationShape), 'Where its statements come from.'),
}

const toolCallFields: Fields<ToolCallPart> = {
  ...base,
  type: required(word('tool-call'), 'Discriminator.'),
  id: required(identifier, 'What the result refers to.'),
  name: required(identifier, 'Name of the tool.'),
  arguments: optional(jsonObject, 'The parsed arguments; absent exactly where invalidArguments is present.'),
  rawArguments: optional(string, 'The text that came, where encoding the arguments would give another.'),
  invalidArguments: optional(string, 'The text that came, where it was not a JSON object.'),
  executedBy: optional(word('provider'), 'The provider runs this tool itself.'),
}

/** Returns the types of `P`, which must be the keys of `types`, no more and no less. */
function typesOf<P extends Part>(types: { readonly [type in P['type']]: true }): readonly PartType[] {
  return Object.keys(types) as P['type'][]
}

const media = { image: true, audio: true, video: true, file: true } as const

/** Which parts may stand where: in the messages of each role, and in a tool result. */
export const allowedParts: { readonly [place in Role | 'tool result']: readonly PartType[] } = {
  system: typesOf<SystemPart>({ text: true, opaque: true }),
  developer: typesOf<SystemPart>({ text: true, opaque: true }),
  user: typesOf<UserPart>({ text: true, ...media, opaque: true }),
  assistant: typesOf<AssistantPart>({
    text: true,
    ...media,
    reasoning: true,
    'tool-call': true,
    'tool-result': true,
    refusal: true,
    opaque: true,
  }),
  tool: typesOf<ToolPart>({ 'tool-result': true, opaque: true }),
  'tool result': typesOf<ToolResultContent>({ text: true, json: true, ...media, opaque: true }),
}

/** A part that may stand in the given place. */
export function partIn<T extends Part>(place: Role | 'tool result'): Shape<T> {
  const types = allowedParts[place]
  return {
    expects: 'a part',
    read: (value, at, reading, spare) => {
      const part = reading.part(value, at, reading, spare)
      if (types.includes(part.type)) return part as T
      const where = place === 'tool result' ? 'a tool result' : `a message of role ${place}`
      return fail(
        'part-not-allowed',
        below(at, 'type'),
        `a ${part.type} part in ${where}`,
        `one of ${types.join(', ')}`,
      )
    },
    schema: (define) => ({ oneOf: types.map((type) => partShapes[type].schema(define)) }),
  }
}

/** A call states its arguments once: parsed, or as the text that could not be parsed. */
function checkArguments(call: ToolCallPart, at: Path | undefined): void {
  if (call.arguments === undefined && call.invalidArguments === undefined) {
    fail(
      'missing-field',
      below(at, 'arguments'),
      'nothing',
      'an object, or invalidArguments with the text that came',
    )
  }
  if (call.arguments !== undefined && call.invalidArguments !== undefined) {
    fail(
      'unexpected-field',
      below(at, 'invalidArguments'),
      'invalidArguments beside arguments',
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
    ...base,
    type: required(word('reasoning'), 'Discriminator.'),
    text: required(string, 'The readable text; empty where none is shown.'),
    summary: optional(mark, 'The text is a summary.'),
    redacted: optional(mark, 'The provider hid the thoughts.'),
  }),
  'tool-call': refined(objectShape<ToolCallPart>('ToolCallPart', toolCallFields), checkArguments, {
    oneOf: [{ required: ['arguments'] }, { required: ['invalidArguments'] }],
  }),
  'tool-result': objectShape<ToolResultPart>('ToolResultPart', {
    ...base,
    type: required(word('tool-result'), 'Discriminator.'),
    callId: required(
      identifier,
      'Id of the call that this answers.',
      'call_id',
      'tool_call_id',
      'toolCallId',
    ),
    name: optional(string, 'Name of the tool.', 'tool_name', 'toolName'),
    content: required(list(partIn<ToolResultContent>('tool result')), 'What the tool gave.'),
    isError: optional(mark, 'The tool failed.', 'is_error'),
  }),
  json: objectShape<JsonPart>('JsonPart', {
    ...base,
    type: required(word('json'), 'Discriminator.'),
    value: required(json, 'The data.'),
  }),
  refusal: objectShape<RefusalPart>('RefusalPart', {
    ...base,
    type: required(word('refusal'), 'Discriminator.'),
    text: required(string, 'What the model said instead.', 'refusal'),
  }),
  opaque: objectShape<OpaquePart>('OpaquePart', {
    ...base,
    type: required(word('opaque'), 'Discriminator.'),
    dialect: required(identifier, 'The wire format that it belongs to.'),
    value: required(json, 'The block as that format writes it.'),
  }),
}
