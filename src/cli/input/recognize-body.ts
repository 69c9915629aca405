import type { Detection } from '../../dialects/engine/detect.ts'
import { detectInput, isOwnBody, listOwnDialectNames } from '../registry.ts'
import { InterlinguaError } from '../../errors.ts'
import { describeType, isObject } from '../../wire/json.ts'
import { BODY_FIELDS, isBody } from './body-shapes.ts'
import {
  INPUT_FORMAT_NAMES,
  type InputFormatName,
  FROM_OPTION_EVIDENCE,
  type InputFormatOptions,
  isDialectName,
  isLibraryFormat,
  isTranscriptFormat,
  STORED_FORMAT,
} from './input-format-names.ts'
import { type RecognizedBody, wrapMessageList } from './wrap-message-list.ts'

/** The kinds of input, as text. */
export const KNOWN_INPUT = 'request, response, stream or stored conversation'

/**
 * Returns a body and its most likely format among those that the options allow. A plain list of messages is
 * wrapped in a body. Throws for everything else, even if `--from` is set: decoders preserve what they do not
 * understand, so any JSON object would become an empty conversation.
 */
export function recognizeBody(value: unknown, options: InputFormatOptions): RecognizedBody {
  const { from } = options
  const kind = from === STORED_FORMAT ? 'stored' : options.kind
  const list = wrapMessageList(value, from)
  if (list !== undefined && (kind === undefined || list.detected.kind === kind)) return list
  const detected = [...detectInput(value), ...listGivenFormats(from)].find(
    (each) =>
      (from === undefined || each.name === from) &&
      (kind === undefined || each.kind === kind) &&
      isBodyOf(value, each),
  )
  if (detected === undefined) throw unknownInputError(value, options)
  return { body: value, detected }
}

/** Tests whether a value contains a conversation in the form of a format; what is stored is checked when it is read. */
function isBodyOf(value: unknown, { name, kind }: Detection): boolean {
  if (listOwnDialectNames().includes(name)) return isOwnBody(name, kind, value)
  return isDialectName(name) ? isBody(value, name, kind) : true
}

function listGivenFormats(from: InputFormatName | undefined): readonly Detection[] {
  if (from === undefined || from === STORED_FORMAT || isLibraryFormat(from) || isTranscriptFormat(from))
    return []
  const kinds = ['request', 'response'] as const
  return kinds.map((kind) => ({ kind, name: from, certainty: 0, evidence: FROM_OPTION_EVIDENCE }))
}

function describeUnknown(value: unknown): string {
  if (isObject(value)) return 'an object without a conversation'
  if (!Array.isArray(value)) return describeType(value)
  return value.length === 0 ? 'an empty array' : 'an array that is not a list of messages'
}

function unknownInputError(value: unknown, { from, kind }: InputFormatOptions): InterlinguaError {
  const known = from === undefined ? `a known ${kind ?? KNOWN_INPUT}` : `a ${kind ?? KNOWN_INPUT} of ${from}`
  const found = describeUnknown(value)
  return new InterlinguaError('invalid-value', `The input is not ${known}: found ${found}`, {
    path: '',
    found,
    expected: `one of the formats ${INPUT_FORMAT_NAMES.join(', ')}`,
    hint: `Pass an object with ${BODY_FIELDS}, or a list of messages.`,
  })
}
