import type { EngineHint, NameHint, SchemaHint } from '../engine/hints.ts'

/** Hints that only this dialect writes, with what each records. They are stored in users' databases. */
export const hintMeanings = {
  chunkCount: 'The number of grounding chunks.',
  supportCount: 'The number of grounding supports.',
  chunkIndex: 'The position of the chunk that the citation came from.',
  supportIndex: 'The position of the support that the citation came from.',
  contentDigest: 'A digest of the content that the grounding refers to.',
  hasThinkingLevel: 'The request had a thinking level.',
  hasLevelAndBudget: 'The request had a thinking level and a thinking budget.',
  schemaTypeStyle: "The style of types in a schema in the provider's own form: 'upper', 'number' or 'lower'.",
  modelInBody: "The form of the model in the body: 'resource' or 'name'.",
  contentForm: "The form of the parts: 'string', 'object' or 'empty-list'.",
  hasDisplayName: 'The media had a display name.',
  toolGroupSizes: 'The number of tools in each object of the list of tools.',
  nonObjectOptions: 'The options of the provider tool were not an object; they are stored as `value`.',
  wireType: 'The key of the part of a call or result that the provider executed.',
  assistantFirst: 'The conversation started with this assistant message.',
  continuesWireMessage: 'The message came in the same wire content as the message before it.',
  startsWireMessage: 'A wire content starts with this message although the one before has the same role.',
  contentRole: 'The role of the further wire content that this result came in, or an empty string.',
  emptyText: 'The text part was empty.',
  placeholderSignature: 'The call had the placeholder in place of a signature.',
  missingSignature: 'The reasoning or the first call had no signature.',
  missingName: 'The result had no name.',
  responseWrapper:
    "The key around the data of the result; '' for an object itself, 'bare' for other data itself.",
  hasMediaParts: 'The result contained media.',
  hasReferences: 'The data of the result contained references (`$ref`).',
  hasDerivedId: 'The result had the id that is derived for its call, which had none.',
  toolPromptTokens: 'The number of prompt tokens that came from tool use.',
  promptBlocked: 'The prompt was blocked, so that the response had no candidate.',
} as const

/** The names of all hints in the slots of this dialect. */
export type GeminiHint = EngineHint | NameHint | SchemaHint | keyof typeof hintMeanings
