import type { OptionNames } from '../../wire/check-options.ts'

/** The action for content that the target cannot express: a text that describes it, nothing, reasoning, or an error. */
export type UnsupportedAction = 'text' | 'drop' | 'reasoning' | 'reject'

/** The action for reasoning that the target cannot verify: its own form for reasoning, a text, nothing, or an error. */
export type ForeignReasoningAction = 'native' | 'text' | 'drop' | 'reject'

/**
 * What happens to each kind of content that the target cannot express. Requests describe it by default, since the model needs
 * the facts; answers omit it, since their readers expect only what the model wrote.
 *
 * @example
 * dialects.anthropic.encodeRequest(request, { unsupported: { media: 'reject', hostedTools: 'drop' } })
 */
export interface UnsupportedPolicy {
  /**
   * Calls and results of tools that another provider ran, if the target has no counterpart. `reasoning`: they are described in
   * the reasoning of the message. Default: `text` in requests, `drop` in answers.
   */
  readonly hostedTools?: UnsupportedAction
  /**
   * Images, audio, video and files. `reasoning` applies to media of the model; media of the user become text instead. Default:
   * `text` in requests, `drop` in answers. Audio with a transcript becomes its transcript in answers.
   */
  readonly media?: UnsupportedAction
  /** System messages that follow other messages, if the target has them only at the start. Default: `text`, as marked user text. */
  readonly systemText?: Exclude<UnsupportedAction, 'reasoning'>
}

/** The policy of one encoding: every kind has an action. */
export interface ResolvedPolicy extends Required<UnsupportedPolicy> {
  readonly foreignReasoning: ForeignReasoningAction
  /** True if media with a transcript becomes the transcript: its words are part of the answer. */
  readonly showsTranscripts: boolean
}

/** The body that is encoded: a request to a model, or an answer to a client. */
export type BodyKind = 'request' | 'response'

const defaultPolicies: { readonly [direction in BodyKind]: ResolvedPolicy } = {
  request: {
    foreignReasoning: 'drop',
    hostedTools: 'text',
    media: 'text',
    systemText: 'text',
    showsTranscripts: false,
  },
  response: {
    foreignReasoning: 'native',
    hostedTools: 'drop',
    media: 'drop',
    systemText: 'text',
    showsTranscripts: true,
  },
}

/** The policy of requests without options. */
export const defaultRequestPolicy: ResolvedPolicy = defaultPolicies.request

const UNSUPPORTED_ACTIONS = ['text', 'drop', 'reasoning', 'reject'] as const

/** The kinds of content that a policy names, and the actions for each. */
export const POLICY_NAMES: OptionNames<UnsupportedPolicy> = {
  hostedTools: UNSUPPORTED_ACTIONS,
  media: UNSUPPORTED_ACTIONS,
  systemText: ['text', 'drop', 'reject'],
}

/** The actions for reasoning that the target cannot verify. */
export const FOREIGN_REASONING_ACTIONS: readonly ForeignReasoningAction[] = [
  'native',
  'text',
  'drop',
  'reject',
]

/** The options of an encoding that determine its policy. */
export interface PolicyOptions {
  readonly foreignReasoning?: ForeignReasoningAction
  readonly unsupported?: UnsupportedPolicy
}

/** Returns the policy of an encoding, whose options have been checked. */
export function resolvePolicy(
  { foreignReasoning, unsupported }: PolicyOptions,
  direction: BodyKind,
): ResolvedPolicy {
  const defaults = defaultPolicies[direction]
  if (foreignReasoning === undefined && unsupported === undefined) return defaults
  const { hostedTools, media, systemText } = unsupported ?? {}
  return {
    foreignReasoning: foreignReasoning ?? defaults.foreignReasoning,
    hostedTools: hostedTools ?? defaults.hostedTools,
    media: media ?? defaults.media,
    systemText: systemText ?? defaults.systemText,
    showsTranscripts: media === undefined && defaults.showsTranscripts,
  }
}
