/** The name of the format. */
export const NAME = 'opencode'

/**
 * The fields of a part that a part of the AI SDK has fields for, by the type of the part. Parts of other types are notes. opencode
 * converts its parts in the same way: `toModelMessages` in github.com/anomalyco/opencode (packages/opencode/src/session/message-v2.ts).
 */
export const PART_FIELDS: { readonly [type: string]: readonly string[] } = {
  text: ['text'],
  reasoning: ['text'],
  file: ['mime', 'filename', 'url'],
  tool: ['tool', 'callID'],
  'step-start': [],
}

/** The fields of the state of a call that a call and its result have fields for, by its status; other calls have no result. */
export const STATE_FIELDS: { readonly [status: string]: readonly string[] } = {
  completed: ['input', 'output', 'attachments'],
  error: ['input', 'error'],
}

/** The media types of files whose content opencode adds as a text part of its own. */
export const TEXT_FILE_TYPES: ReadonlySet<unknown> = new Set(['text/plain', 'application/x-directory'])

/** The fields of a message that a canonical message has fields for. */
export const MESSAGE_FIELDS = ['id', 'role', 'sessionID', 'modelID', 'providerID', 'tokens'] as const

/** The error of an answer that the user stopped; its content is part of the conversation. */
export const ABORTED_ERROR = 'MessageAbortedError'

/** The prompt for the summary that replaces a conversation. */
export const COMPACTION_PROMPT = 'Summarize the conversation so far.'
