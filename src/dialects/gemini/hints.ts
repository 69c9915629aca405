import type { Hints } from '../../wire/residue.ts'
import type { EngineHint, ToolNameHint, SchemaHint } from '../engine/residue-hints.ts'

/** Hints that only this dialect writes, with the meaning of each. They are stored in users' databases. */
export const hintMeanings = {
  acceptedByHost:
    'The flavor of the host that sent or accepted the id of a call or result, or a file without a type, against its row.',
  chunkCount: 'The number of grounding chunks.',
  supportCount: 'The number of grounding supports.',
  chunkIndex: 'The index of the chunk that the citation was decoded from.',
  supportIndex: 'The index of the support that the citation was decoded from.',
  contentDigest: 'A digest of the content that the grounding refers to.',
  schemaTypeStyle: "The style of types in a schema in the provider's own form: 'upper', 'number' or 'lower'.",
  modelInBody: "The form of the model in the body: 'resource' or 'name'.",
  contentForm: "The form of the parts: 'string', 'object' or 'empty-list'.",
  hasDisplayName: 'The media had a display name.',
  toolGroupSizes: 'The number of tools in each object of the list of tools.',
  nonObjectOptions: 'The options of the provider tool were not an object; they are stored as `value`.',
  wireType: 'The data key of the wire part of a call or result that the provider executed.',
  assistantFirst: 'The conversation started with this assistant message.',
  continuesWireMessage: 'The message was part of the same wire content as the previous message.',
  startsWireMessage:
    'A wire content starts with this message although the previous message has the same role.',
  contentRole: 'The role of the further wire content that contained this result, or an empty string.',
  emptyText: 'The text part was empty.',
  placeholderSignature: 'The call had the placeholder signature.',
  missingSignature: 'The reasoning or the first call had no signature.',
  missingName: 'The tool result had no name.',
  responseWrapper:
    "The key that wraps the data of the result; '' for an object without a wrapper, 'bare' for other data without one.",
  hasMediaParts: 'The tool result contained media.',
  hasReferences: 'The data of the tool result contained references (`$ref`).',
  hasDerivedId:
    'The tool result had the id that is derived for its call, which had none, or an invalid one in its place.',
  toolPromptTokens: 'The number of prompt tokens of tool use.',
  promptBlocked: 'The prompt was blocked, so the response had no candidate.',
} as const

/** The names of all hints in the slots of this dialect. */
export type GeminiHint = EngineHint | ToolNameHint | SchemaHint | keyof typeof hintMeanings

/** Hints of this dialect. */
export type GeminiHints = Hints<GeminiHint>
