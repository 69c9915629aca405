import type { Hints } from '../../wire/residue.ts'
import type { EngineHint, SchemaHint, ToolNameHint } from '../engine/residue-hints.ts'
import type { Slot } from '../engine/residue-slots.ts'

/** Hints that only this dialect writes, with what each records. They are stored in users' databases. */
export const hintMeanings = {
  acceptedArguments: 'The arguments of the received call were no object; they are sent as received.',
  acceptedStrictTools:
    'The received request had strict tools whose schemas the API is not documented to enforce; `strict_tools` is sent as received.',
  acceptedValues: 'The received settings that exceed the range of the API; they are sent as received.',
  billedUnits: 'The usage had only billed units.',
  choiceWithoutTools: 'The request required a tool call, but had no tools.',
  citationOrder:
    'The positions at which the citations were received, if those of the content were not before those of the tool plan.',
  contentAsList: 'The content of the message was a list of blocks instead of a string.',
  contentAsString: 'The content of a response was a string instead of a list of blocks.',
  dataAsText: 'The data of the document in a tool result was JSON text instead of an object.',
  documentText:
    'The key of the text in the data of a document; `string` if it was only a text, `json` if its data had no text.',
  emptyContent: 'The message had no content.',
  emptyText: 'The text block was empty.',
  missingFinishReason: 'The response had no finish reason.',
  outputBesideDocuments: 'The received request had an output format and documents; it is sent as received.',
  outputSchemaKey: 'The key of the output schema, if it was `schema` instead of `json_schema`.',
  sources: 'The sources of the citation: `absent` or `empty`.',
  startsCitation: 'The citation was separate from the one before it, which has the same range.',
  textBesideCalls: 'The received message had text beside its calls; it is sent as received.',
  thinkingBlock: 'The reasoning was a thinking block.',
  toolPlan: 'The reasoning was the tool plan.',
  toolSource: 'The source of the citation was a tool result.',
  wasDocument: 'The file or the JSON was a document.',
} as const

/** The names of all hints in the slots of this dialect. */
export type CohereHint = EngineHint | SchemaHint | ToolNameHint | keyof typeof hintMeanings

export type CohereHints = Hints<CohereHint>

export type CohereSlot = Slot<CohereHint>
