/** The name of the format. */
export const NAME = 'codex'

/**
 * The types of the lines of a rollout file: `{ timestamp, type, payload }`. Source: `RolloutItemWire` in
 * github.com/openai/codex (codex-rs/history/src/rollout_payload.rs).
 */
export const LINE_TYPES = [
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
] as const

/** The items that only Codex understands: they are no input of the Responses API (codex-rs/protocol/src/models.rs). */
export const PRIVATE_ITEMS: ReadonlySet<unknown> = new Set(['ghost_snapshot', 'other', 'compaction_trigger'])

/** The fields of items that the Responses API has only in its answers, by the type of the item. */
export const ANSWER_ONLY_FIELDS: { readonly [type: string]: readonly string[] } = {
  custom_tool_call: ['status'],
}

/** The sides of a conversation that consecutive items are joined by; an item of any other type is part of an answer. */
export const ITEM_SIDES: ReadonlyMap<unknown, 'results'> = new Map([
  ['function_call_output', 'results'],
  ['custom_tool_call_output', 'results'],
  ['local_shell_call_output', 'results'],
  ['tool_search_output', 'results'],
])

/**
 * The beginnings of user messages that Codex adds itself; they are no turns of the user when turns are rolled back. Source:
 * codex-rs/core/src/context_manager/history.rs and codex-rs/protocol/src/protocol.rs.
 */
export const CONTEXT_PREFIXES = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<turn_aborted>',
  '<skill>',
  '<user_shell_command>',
  '<subagent_notification>',
] as const

/** The fields of `token_count` (`TokenUsage` in protocol.rs), by the names that the Responses API has for them. */
export const USAGE_FIELDS = {
  input: 'input_tokens',
  cachedInput: 'cached_input_tokens',
  output: 'output_tokens',
  reasoning: 'reasoning_output_tokens',
  total: 'total_tokens',
} as const
