import type { Hints } from '../../wire/residue.ts'
import type {
  EngineHint,
  CallIdHint,
  MediaHint,
  ToolNameHint,
  SchemaHint,
  StrictNullHint,
} from '../engine/residue-hints.ts'
import type { Slot } from '../engine/residue-slots.ts'

/** Hints that only this dialect writes, with what each records. They are stored in users' databases. */
export const hintMeanings = {
  wireType: "The kind of call, result or tool: 'custom', 'function_call' or 'function'.",
  hasName: 'The tool message contained the name of its tool.',
  hasIndex: 'The call contained its position as `index`.',
  acceptedByHost:
    'The flavor of the host that accepted the unit against its known rules, and a digest of the unit.',
  stopAsString: 'The stop sequence was a string.',
  contentForm: "The form of the content: 'parts'.",
  acceptedInResult: 'The media was part of a tool result, which OpenAI does not document.',
  inImagesField: 'The image was in the field `images` of an assistant message.',
  imageUrlAsString: 'The URL of the image was the value of `image_url` itself.',
  acceptedVideo:
    "The video was a part of the message, which OpenAI does not document: true, or 'string' for a bare URL.",
  messageCacheStyle: "The style of the cache marker on the message itself: 'breakpoint' or 'control'.",
  emptyContent: 'The message had no content.',
  emptyText: 'The text part was empty.',
  repeatedInFields: 'The fields that repeated the reasoning.',
  refusalInContent: 'The refusal was a part of the content, not the `refusal` field.',
  webSearchField: 'The field that made the host search the web: `web_search_options` or `plugins`.',
  legacyFunctions: 'The tools were in the `functions` field.',
  usageField: 'The field that contained the usage, where it is not `usage`.',
  cacheMarkerStyle: "The style of the cache marker: 'breakpoint' or 'control'.",
  emptyReasoningField: 'The field for reasoning was an empty string.',
  reasoningField: 'The field that contained the reasoning.',
  outputExcludesReasoning: '`completion_tokens` did not include the reasoning tokens.',
  missingCachedTokens: 'The details of the usage did not contain the cached tokens.',
  hasCacheHitTokens: 'The usage contained `prompt_cache_hit_tokens`.',
  hasCacheMissTokens: 'The usage contained `prompt_cache_miss_tokens`.',
  missingCreatedAt: 'The response had no date.',
  missingFinishReason: 'The choice had no finish reason.',
} as const

/** The names of all hints in the slots of this dialect. */
export type OpenAIChatHint =
  | EngineHint
  | CallIdHint
  | MediaHint
  | ToolNameHint
  | SchemaHint
  | StrictNullHint
  | keyof typeof hintMeanings

export type OpenAIChatHints = Hints<OpenAIChatHint>
export type OpenAIChatSlot = Slot<OpenAIChatHint>
