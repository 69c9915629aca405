/** The name of the format. */
export const NAME = 'claude-code'

/**
 * The fields of a record that describe the session, with the same value in most records; a record that differs keeps its own.
 * Claude Code documents none of its records. The facts in this folder were checked against the schemas of the viewer
 * github.com/d-kimuson/claude-code-viewer (src/lib/conversation-schema).
 */
export const SESSION_FIELDS = [
  'cwd',
  'gitBranch',
  'sessionId',
  'userType',
  'version',
  'entrypoint',
  'slug',
] as const

/** The fields of a record that a canonical message has fields for. */
export const MESSAGE_FIELDS = ['message', 'parentUuid', 'timestamp', 'type', 'uuid'] as const

/** The same for a record that is joined to the one before it: the message has the id and the time of the first record. */
export const JOINED_FIELDS = ['message', 'type'] as const

/** The records that contain a title, and its field; a title of a later row is preferred. */
export const TITLE_FIELDS: readonly (readonly [type: string, field: string])[] = [
  ['summary', 'summary'],
  ['ai-title', 'aiTitle'],
  ['custom-title', 'customTitle'],
]

/** The model of answers that Claude Code writes itself, such as API errors; they are never sent to a model. */
export const SYNTHETIC_MODEL = '<synthetic>'
