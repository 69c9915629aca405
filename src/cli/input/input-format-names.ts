import type { Detection } from '../../dialects/engine/detect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects as builtInDialects } from '../../dialects/dialects.ts'
import { knownDialects } from '../registry.ts'
import {
  conversationCodecList,
  type ConversationFormatName,
  findConversationCodec,
} from '../../formats/conversation-formats.ts'
import { messageFormatCodecs, type WritableFormatName } from '../../formats/message-formats.ts'
import { type TranscriptFormatName, transcriptReaders } from '../../formats/transcript-formats.ts'

/** Name of the stored format, as `detect` returns it. */
export const STORED_FORMAT = 'interlingua'

/** A format of messages of another library that can be written. */
export type WritableLibraryFormatName = Exclude<WritableFormatName, DialectName>

/** A format of messages of another library, or of files of conversations. */
export type LibraryFormatName = WritableLibraryFormatName | ConversationFormatName

/** A format of bodies: a wire format, or the stored form. */
export type BodyFormatName = DialectName | typeof STORED_FORMAT

export type FormatName = BodyFormatName | LibraryFormatName

/** A format that input can have: transcripts are only read. */
export type InputFormatName = FormatName | TranscriptFormatName

export const BODY_FORMAT_NAMES: readonly BodyFormatName[] = [
  ...(Object.keys(builtInDialects) as DialectName[]),
  STORED_FORMAT,
]

/** The formats that can be written. */
export const WRITABLE_FORMAT_NAMES: readonly FormatName[] = [
  ...BODY_FORMAT_NAMES,
  ...(Object.keys(messageFormatCodecs) as WritableFormatName[]).filter(isLibraryFormat).toSorted(),
]

/** The formats that can be read: those that can be written, and exports of chat services. */
export const FORMAT_NAMES: readonly FormatName[] = [
  ...WRITABLE_FORMAT_NAMES,
  ...conversationCodecList
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(messageFormatCodecs, name)),
]

export const INPUT_FORMAT_NAMES: readonly InputFormatName[] = [
  ...FORMAT_NAMES,
  ...(Object.keys(transcriptReaders) as TranscriptFormatName[]).filter(isTranscriptFormat).toSorted(),
]

/** Tests for a transcript of an agent program. Those of pi are read as messages of a library unless branches are needed. */
export function isTranscriptFormat(name: string): name is Exclude<TranscriptFormatName, LibraryFormatName> {
  return Object.hasOwn(transcriptReaders, name) && !isLibraryFormat(name)
}

export function isLibraryFormat(name: string): name is LibraryFormatName {
  return findConversationCodec(name) !== undefined || isWritableLibraryFormat(name)
}

/** Returns true for a format of messages of another library that can be written. */
export function isWritableLibraryFormat(name: string): name is WritableLibraryFormatName {
  return Object.hasOwn(messageFormatCodecs, name) && !isDialectName(name)
}

/** Returns true for the name of a dialect: a built-in one, or one of `--registry`. */
export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(knownDialects, name)
}

/** The `--from` and `--kind` options; an omitted one is detected. */
export interface InputFormatOptions {
  readonly from?: InputFormatName
  readonly kind?: Detection['kind']
}

/** Evidence of a format that `--from` sets and detection did not confirm. */
export const FROM_OPTION_EVIDENCE = 'given by option'
