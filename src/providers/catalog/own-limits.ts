/** The context window, the maximum number of output tokens, and of input tokens if it is less than the window. */
type TokenLimits = readonly [contextTokens: number, maxOutputTokens: number, maxInputTokens?: number]

type ModelLimits = { readonly [model: string]: TokenLimits }

/** Returns a row for each name. */
function createRows(names: string, limits: TokenLimits): ModelLimits {
  return Object.fromEntries(names.split(' ').map((name) => [name, limits]))
}

/** Models that are newer than the rows of models.dev. These limits have precedence over those rows. */
export const ownLimits: { readonly [provider: string]: ModelLimits } = {
  /** https://platform.claude.com/docs/en/about-claude/models/overview (2026-11) */
  anthropic: {
    ...createRows(
      'claude-fable-5-2 claude-mythos-5-2 claude-fable-5-1 claude-mythos-5-1 claude-mythos-5 claude-opus-5-5 ' +
        'claude-opus-5 claude-sonnet-5-5 claude-haiku-5-5 claude-opus-4-6 claude-sonnet-4-6',
      [1_000_000, 128_000],
    ),
  },
  /** The input limit is less than the window: https://github.com/BerriAI/litellm/issues/39607 (2026-11) */
  openai: createRows(
    'gpt-6.1-sol gpt-6.1-terra gpt-6-astra gpt-6-sol gpt-6-luna gpt-5.6 gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna',
    [1_050_000, 128_000, 922_000],
  ),
  /** https://ai.google.dev/gemini-api/docs/models (2026-11) */
  gemini: createRows(
    'gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash-lite',
    [1_048_576, 65_536],
  ),
  vertex: createRows(
    'gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash-lite',
    [1_048_576, 65_536],
  ),
}
