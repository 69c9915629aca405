import type { EngineHint, IdHint, NameHint, SchemaHint } from '../engine/hints.ts'

/** Hints that only this dialect writes, with what each records. They are stored in users' databases. */
export const hintMeanings = {
  wireType: 'The type of the block that the part came in, where the part alone does not determine it.',
  emptyText: 'The text was empty or only white space.',
  citedOutsideAnswer: 'The text had citations although it is not part of an answer.',
  missingMaxTokens: 'The request had no `max_tokens`.',
  acceptedBudgetTokens: 'The thinking budget, which is out of range.',
  acceptedSampling: 'The request had sampling settings, which the current API version refuses.',
  cacheMarkerCount: 'The number of cache markers, where it exceeds the limit.',
  hasCitedFileId: 'The citation contained the id of a file outside of a response.',
  webSearchCitation: 'The citation is of a web search result.',
  textBlockLengths: "The lengths of the text blocks of a document, or 'string' if it was a string.",
  missingDefaults: 'The block lacked fields that a response must have.',
  emptyErrorResult: 'The result is an error without content.',
  contentForm: "The form of the content: 'string', or 'empty-list'.",
  startsWireMessage: 'A wire message starts with this message although the one before has the same role.',
  systemInMessages: 'The system text was one of the messages, not the `system` field.',
  assistantFirst: 'The conversation started with this assistant message.',
  trailingWhitespace: 'The last assistant message ended with white space.',
  missingSignature: 'The thinking had no signature.',
  signatureFollows: 'The signature of the thinking is part of a later event.',
} as const

/** The names of all hints in the slots of this dialect. */
export type AnthropicHint = EngineHint | IdHint | NameHint | SchemaHint | keyof typeof hintMeanings
