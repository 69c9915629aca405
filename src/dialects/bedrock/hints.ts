import type { Hints } from '../../wire/residue.ts'
import type {
  CallIdHint,
  EngineHint,
  PropertyKeyHint,
  SchemaHint,
  ToolNameHint,
} from '../engine/residue-hints.ts'

/** Hints that only this dialect writes, with the meaning of each. They are stored in users' databases. */
export const hintMeanings = {
  wireType:
    'The key of the block that the part was decoded from, or the type of its call or result, where the part alone does not determine it.',
  guardContent: 'Guardrails examine the text: its block was `guardContent`, which no other format has.',
  emptyText: 'The text was empty or contained only whitespace.',
  textBlockLengths: 'The lengths of the text blocks of a document, a search result or a cited text.',
  acceptedDocumentName: 'The name of the document breaks the naming rule, or repeats another name.',
  documentWithoutText: 'The message had a document but no text.',
  mediaInAnswer: 'The media was part of an answer, which may contain only new images.',
  emptyErrorResult: 'The tool result is an error without content.',
  receivedStatus: 'The result had the status of an error; models of some vendors accept no status.',
  contentForm: "The form of the content: 'empty-list'.",
  startsWireMessage:
    'A wire message starts with this message although the previous message has the same role.',
  systemInMessages: 'The system text was one of the messages, not the `system` field.',
  assistantFirst: 'The conversation started with this assistant message.',
  trailingWhitespace: 'The last assistant message ended with whitespace.',
  missingSignature: 'The reasoning had no signature.',
  signatureFollows: 'The signature of the reasoning is part of a later event.',
  hostSignature: 'The signature was made by a model of another vendor than Anthropic, for this host.',
  cachePointCount: 'The number of cache points, if it exceeds the limit.',
  missingToolConfig: 'The request had tool calls or results, but no tools.',
  acceptedTemperature: 'The temperature of the request, if it is out of range.',
  vendorForm:
    'The vendor whose fields `additionalModelRequestFields` contained, if no model identifies the vendor.',
  modelInBody: 'The body contained the model, as the input of the official client does.',
} as const

/** The names of all hints in the slots of this dialect. */
export type BedrockHint =
  | EngineHint
  | CallIdHint
  | PropertyKeyHint
  | ToolNameHint
  | SchemaHint
  | keyof typeof hintMeanings

export type BedrockHints = Hints<BedrockHint>
