import type { Hints } from '../../wire/residue.ts'
import type {
  EngineHint,
  CallIdHint,
  PropertyKeyHint,
  ToolNameHint,
  SchemaHint,
} from '../engine/residue-hints.ts'

/** Hints that only this dialect writes, with the meaning of each. They are stored in users' databases. */
export const hintMeanings = {
  wireType:
    'The type of the block that the part was decoded from, where the part alone does not determine it.',
  emptyText: 'The text was empty or contained only whitespace.',
  citationsOutsideAnswer: 'The text had citations although it is not in an assistant message.',
  missingMaxTokens: 'The request had no `max_tokens`.',
  acceptedBudgetTokens: 'The thinking budget of the request, if it is out of range.',
  acceptedSampling: 'The request had sampling settings, which the current API version refuses.',
  cacheMarkerCount: 'The number of cache markers, if it exceeds the limit.',
  hasCitedFileId: 'The citation contained a file id although it was not in a response.',
  webSearchCitation: 'The citation refers to a web search result.',
  textBlockLengths: "The lengths of the text blocks of a document, or 'string' if it was a string.",
  missingDefaults: 'The block lacked fields that a response must have.',
  emptyErrorResult: 'The tool result is an error without content.',
  contentForm: "The form of the content: 'string' or 'empty-list'.",
  startsWireMessage:
    'A wire message starts with this message although the previous message has the same role.',
  systemInMessages: 'The system text was one of the messages, not the `system` field.',
  assistantFirst: 'The conversation started with this assistant message.',
  trailingWhitespace: 'The last assistant message ended with whitespace.',
  missingSignature: 'The thinking had no signature.',
  acceptedByHost:
    'The flavor of the host that accepted the unit against its known rules, and a digest of the settings.',
  signatureFollows: 'The signature of the thinking is part of a later event.',
} as const

/** The names of all hints in the slots of this dialect. */
export type AnthropicHint =
  | EngineHint
  | CallIdHint
  | PropertyKeyHint
  | ToolNameHint
  | SchemaHint
  | keyof typeof hintMeanings

export type AnthropicHints = Hints<AnthropicHint>
