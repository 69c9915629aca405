/** The name of the format: Cline, and Roo Code, which stores its tasks in the same files. */
export const NAME = 'cline'

/**
 * The files of a task folder, by the last part of their paths. Source: `GlobalFileNames` in github.com/cline/cline
 * (src/core/storage/disk.ts) and github.com/RooCodeInc/Roo-Code (src/shared/globalFileNames.ts).
 */
export const TASK_FILES = {
  messages: 'api_conversation_history.json',
  view: 'ui_messages.json',
  oldView: 'claude_messages.json',
  metadata: 'task_metadata.json',
  history: 'history_item.json',
} as const

/**
 * The fields of a stored message that are no fields of Anthropic's messages. Sources: `ClineStorageMessage` in Cline
 * (src/shared/messages/content.ts), and `ApiMessage` in Roo Code (src/core/task-persistence/apiMessages.ts).
 */
export const NOTE_FIELDS = [
  'id',
  'messageId',
  'ts',
  'modelInfo',
  'metrics',
  'isSummary',
  'condenseId',
  'condenseParent',
  'truncationId',
  'truncationParent',
  'isTruncationMarker',
  'reasoning_details',
  'reasoning_content',
  'provider_metadata',
] as const

/** The fields of a block that Anthropic does not accept (`cleanContentBlock` in Cline). */
export const BLOCK_NOTE_FIELDS = ['reasoning_details', 'call_id', 'summary'] as const
