/** What a body is: the direction selects the hook that a failure names. */
export type CheckedBodyKind = 'request' | 'response' | 'stream'

interface Law {
  /** The rule that every dialect follows. */
  readonly statement: string
  /** The hooks of the codec that most often break the law, by what was translated. */
  readonly hooks: { readonly [kind in CheckedBodyKind]?: string }
  /** What to change. */
  readonly advice: string
}

/** The name of a law. */
export type LawName =
  | 'interface'
  | 'samples'
  | 'exact'
  | 'pure'
  | 'edit-safe'
  | 'no-silent-loss'
  | 'application-data'
  | 'valid'
  | 'stream-equals-response'
  | 'any-chunking'
  | 'stream-end'
  | 'hostile-input'
  | 'errors'
  | 'linear-work'

/** The laws of dialects, in the order in which they are worth fixing. */
export const LAWS: { readonly [name in LawName]: Law } = {
  interface: {
    statement: 'The dialect has every member of the `Dialect` interface.',
    hooks: { request: 'defineDialect', response: 'defineDialect', stream: 'defineDialect' },
    advice:
      'Build the dialect with `defineDialect(codec)`, which adds the members. The model of a request is `context.options.model ?? request.model`.',
  },
  samples: {
    statement: 'There are sample requests and sample responses.',
    hooks: { request: 'samples.requests', response: 'samples.responses' },
    advice: 'Add bodies from the documentation of the provider, or from recorded traffic.',
  },
  exact: {
    statement:
      'A body is encoded exactly as it was received, without losses, also after it was stored as JSON.',
    hooks: {
      request: 'decodeRequest and requestWriter (block format: request, message, blocks, tool)',
      response: 'decodeResponse and encodeResponse (block format: response, finishReasons, usage)',
      stream: 'stream.createReader and createWriter (block format: stream.read and stream.write…)',
    },
    advice:
      'Keep the difference between what the encoder writes and what was received: `withResidue` in the decoder, `applyResidue` in the encoder. In a block format, return undefined from `decode` for a block that `encode` cannot write.',
  },
  pure: {
    statement: 'The same input gives the same output, and no input is changed.',
    hooks: {
      request: 'decodeRequest or requestWriter (block format: a `decode` or `encode`)',
      response: 'decodeResponse or encodeResponse (block format: a `decode` or `encode`)',
      stream: 'stream.createReader or createWriter (block format: stream.read or stream.write…)',
    },
    advice:
      'Copy before you change, keep no state outside of a call, and take ids and times from the options (`newId`, `now`).',
  },
  'edit-safe': {
    statement: 'An edited value is sent as edited, and its old value is not sent.',
    hooks: {
      request:
        'requestWriter: writeFields, createConversationWriter (block format: the `encode` of blocks, encodeSettings)',
      response: 'encodeResponse',
      stream: 'stream.createWriter: encodeFrame (block format: stream.write…)',
    },
    advice:
      'Encode from the canonical fields, and let residue fill in only what they do not contain. Never send a stored copy of the body.',
  },
  'no-silent-loss': {
    statement: 'Content and settings are sent, or a loss names the path of what is not sent.',
    hooks: {
      request:
        'requestWriter: createConversationWriter, writeFields, settingsFor (block format: blocks, request.settings)',
      response: 'encodeResponse',
      stream: 'stream.createWriter: plan (block format: stream.write…)',
    },
    advice: 'Write the value, or call `context.report(rule, path)` where the encoder omits it.',
  },
  'application-data': {
    statement:
      'Ids, times, metadata and usage of the application, and residue of other dialects, are never sent.',
    hooks: {
      request: 'requestWriter: createConversationWriter (block format: the `encode` of blocks)',
      response: 'encodeResponse',
    },
    advice: 'Write the fields that the format has, one by one; never copy a whole canonical object.',
  },
  valid: {
    statement: 'Every body that the dialect writes is valid for its provider.',
    hooks: {
      request: 'requestWriter (block format: the `encode` of blocks, tool, request)',
      response: 'encodeResponse (block format: the `encode` of blocks, response)',
      stream: 'stream.createWriter: encodeFrame, end (block format: stream.write…)',
    },
    advice: 'Write every required field from the canonical fields alone, without residue.',
  },
  'stream-equals-response': {
    statement: 'A response has the same content whether it is streamed or complete.',
    hooks: {
      stream:
        'stream.createReader, or stream.createWriter: plan (block format: stream.read or stream.write…)',
    },
    advice:
      'Compare the plan of the stream with `encodeResponse`: both write the same parts, finish and usage.',
  },
  'any-chunking': {
    statement: 'A stream has the same events however its bytes are split into chunks.',
    hooks: { stream: 'stream.framing' },
    advice:
      'Use a framing of the kit: payloads are complete before they are read, and characters are not cut.',
  },
  'stream-end': {
    statement:
      'A stream that is cut off, left or aborted ends with a typed error or not at all, and closes its source.',
    hooks: { stream: 'stream.framing, or stream.createReader: end (block format: stream.read)' },
    advice: 'Report a missing end as an `error` event, never throw, and forward `return` to the source.',
  },
  'hostile-input': {
    statement: 'Input of any shape is decoded, or rejected with a typed error that has a code and a path.',
    hooks: {
      request: 'decodeRequest or requestWriter (block format: a `decode` or `encode`)',
      response: 'decodeResponse or encodeResponse (block format: a `decode` or `encode`)',
      stream: 'stream.createReader (block format: stream.read)',
    },
    advice: 'Check the type of a wire value before you use it; leave what has another type to the residue.',
  },
  errors: {
    statement: 'Errors of the provider are decoded as typed errors, and encoded with the same kind.',
    hooks: { request: 'errors', response: 'errors', stream: 'errors' },
    advice: 'Map each status and type of the provider to a kind in the error table.',
  },
  'linear-work': {
    statement: 'The work grows in proportion to the input.',
    hooks: {
      request: 'decodeRequest or requestWriter (block format: a `decode` or `encode`)',
      response: 'decodeResponse or encodeResponse (block format: a `decode` or `encode`)',
      stream: 'stream.createReader or createWriter (block format: stream.read or stream.write…)',
    },
    advice:
      'Avoid searching or copying a list for each of its items; collect what you look up in a map first.',
  },
}

/** Returns the hooks of the codec that most often break a law. */
export function getLikelyHook(law: LawName, kind: CheckedBodyKind): string {
  const { hooks } = LAWS[law]
  return hooks[kind] ?? Object.values(hooks)[0] ?? 'the codec'
}
