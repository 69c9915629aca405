import type { Hints } from '../../wire/residue.ts'
import type {
  CallIdHint,
  EngineHint,
  MediaHint,
  SchemaHint,
  StrictNullHint,
  ToolNameHint,
} from '../engine/residue-hints.ts'
import type { Slot } from '../engine/residue-slots.ts'

/** Hints that only this dialect writes, with what each records. They are stored in users' databases. */
export const hintMeanings = {
  acceptedTemperature: 'The received temperature, where it exceeds the maximum; it is sent as received.',
  acceptedTurn:
    'The position of the message breaks the order of turns that is known; it is sent as received.',
  acceptedInResult: 'The media was part of a tool result, which only newer models accept.',
  argumentsAsObject: 'The arguments of the call were an object instead of JSON text.',
  cachedTokenFields: 'The fields of the usage that contained the cached tokens.',
  chunkList: 'The text was the only chunk of a list, or a chunk of a streamed list, instead of a string.',
  dataUrl: 'The audio was a data URL instead of base64.',
  emptyContent: 'The message had no content.',
  emptyText: 'The text chunk was empty.',
  hasIndex: 'The call contained its position as `index`.',
  missingCreatedAt: 'The response had no date.',
  missingFinishReason: 'The choice had no finish reason.',
  stopAsString: 'The stop sequence was a string.',
  thinkingChunk: 'The reasoning was a thinking chunk.',
  thinkingLengths: 'The lengths of the texts of a thinking chunk that has not exactly one text.',
  urlAsString: 'The image was a URL instead of an object with the URL.',
} as const

/** The names of all hints in the slots of this dialect. */
export type MistralHint =
  | EngineHint
  | CallIdHint
  | MediaHint
  | ToolNameHint
  | SchemaHint
  | StrictNullHint
  | keyof typeof hintMeanings

export type MistralHints = Hints<MistralHint>
export type MistralSlot = Slot<MistralHint>
