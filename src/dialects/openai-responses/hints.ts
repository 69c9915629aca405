import type { Hints } from '../../wire/residue.ts'
import type {
  EngineHint,
  CallIdHint,
  MediaHint,
  ReasoningItemHint,
  ToolNameHint,
  SchemaHint,
  StrictNullHint,
} from '../engine/residue-hints.ts'

/** Hints that only this dialect writes, with what each records. They are stored in users' databases. */
export const hintMeanings = {
  acceptedByHost:
    'The flavor of the host that accepted the request against its known rules, and a digest of the settings.',
  wireType:
    'The type of the item, annotation, content part or tool, where the unit alone does not determine it.',
  emptyText: 'The text was empty.',
  emptyLogprobs: 'The text had an empty list of log probabilities.',
  missingLogprobs: 'The text had no log probabilities.',
  toolNamespace: 'The namespace of the called tool, and the name for which it is valid.',
  startsNamespace: 'The tool was the first of its namespace entry.',
  additionalTools:
    'The number of the `additional_tools` item that the message stands for or that declared the tool.',
  acceptedOutputLimit: 'The output limit is below the documented minimum.',
  inputAsString: 'The input was a string.',
  contentForm: "The form of the content: 'string' of a message, 'parts' of a result.",
  emptyContent: 'The message had no content.',
  resultInCallItem: 'The result was part of the item of its call.',
  missingDefaults: 'The item lacked fields that a response must have.',
  audioInput: 'The audio was an `input_audio` part.',
  hasCacheLifetime: 'The cache marker had a lifetime.',
  lastItem: 'The reasoning item was the last of its turn.',
  nextItemId: 'The id of the item after the reasoning item; empty if it was not known yet, as in a stream.',
  previousReasoningId: 'The id of the reasoning item before this item.',
  instructionsField: 'The system text was the `instructions` field.',
  hasNameAndArguments: 'The call of a provider tool had a name, and arguments as text.',
  idField: 'The field that contained the id of the call.',
  incompleteStatus: "Whether the status of the response was 'incomplete', for an unknown finish reason.",
  missingFinishReason: 'The response had no finish reason.',
  missingCreatedAt: 'The response had no date.',
} as const

/** The names of all hints in the slots of this dialect. */
export type OpenAIResponsesHint =
  | EngineHint
  | CallIdHint
  | MediaHint
  | ToolNameHint
  | SchemaHint
  | StrictNullHint
  | ReasoningItemHint
  | keyof typeof hintMeanings

/** The hints of a unit in a slot of this dialect. */
export type OpenAIResponsesHints = Hints<OpenAIResponsesHint>
