/** The name of the format. */
export const NAME = 'continue'

/**
 * The fields of an item of the history that a canonical message has fields for. Source: `Session`, `ChatHistoryItem` and
 * `ToolCallState` in github.com/continuedev/continue (core/index.d.ts).
 */
export const ITEM_FIELDS = [
  'message',
  'contextItems',
  'toolCallStates',
  'toolCallState',
  'reasoning',
] as const

/** The fields of the state of a call that a canonical call and its result have fields for. */
export const STATE_FIELDS = ['toolCallId', 'output'] as const

/** The statuses of calls that failed, with the result if the state has none. */
export const FAILED_STATUSES: { readonly [status: string]: string } = {
  canceled: 'The user canceled this tool call.',
  errored: 'The tool call failed.',
}
