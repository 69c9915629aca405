import type { Hints } from '../../wire/residue.ts'
import type { EngineHint, SchemaHint } from '../engine/residue-hints.ts'
import type { Slot } from '../engine/residue-slots.ts'

/** Hints that only this dialect writes, with the meaning of each. They are stored in users' databases. */
export const hintMeanings = {
  hasIndex: 'The tool call contained its index.',
  argumentsAsTextIn: 'The slot (request or response) in which the arguments were a string.',
  hasOptions: 'The request had `options`.',
  invalidStream: 'The `stream` field of the request was not a boolean.',
  imageAsDataUrl: 'The image was a data URL.',
  textCompletion: 'The response was a text completion (`response` instead of `message`).',
  emptyContent: 'The message had no content.',
  missingDurations: 'The usage lacked durations that a response must have.',
  missingUsage: 'The response had no usage.',
  missingCreatedAt: 'The response had no creation time.',
  missingFinishReason: 'The response had no finish reason.',
  thinkingField: 'The reasoning was the `thinking` field.',
} as const

/** The names of all hints in the slots of this dialect. */
export type OllamaHint = EngineHint | SchemaHint | keyof typeof hintMeanings

export type OllamaHints = Hints<OllamaHint>
export type OllamaSlot = Slot<OllamaHint>
