import type { Hints } from '../../wire/residue.ts'
import type { EngineHint, ReasoningItemHint, SchemaHint, ToolNameHint } from '../engine/residue-hints.ts'

/** Hints that only this dialect writes, with the meaning of each. They are stored in users' databases. */
export const hintMeanings = {
  inputForm: "The form of the input: 'string', 'content' or 'contents'.",
  assistantFirst: 'The conversation started with this assistant message.',
  emptyContent: 'The user step had no content.',
  emptyText: 'The text was empty.',
  isContent: 'The unknown value was content of a step, not a step.',
  missingThought: 'No thought preceded the first call of its turn.',
  placeholderThought: 'The turn of the call started with the thought for calls that no model of Google made.',
  missingName: 'The tool result had no name.',
  contentForm: "The form of the result: 'list' of content, or 'data' that is neither text nor an object.",
  outputForm: "The output format was the only entry of a list: 'list'.",
  wireType: 'The type of the step of a hosted tool, or of the annotation.',
  toolUseTokens: 'The number of input tokens of tool use.',
} as const

/** The names of all hints in the slots of this dialect. */
export type GeminiInteractionsHint =
  | EngineHint
  | ToolNameHint
  | SchemaHint
  | ReasoningItemHint
  | keyof typeof hintMeanings

/** Hints of this dialect. */
export type GeminiInteractionsHints = Hints<GeminiInteractionsHint>
