import { InterlinguaError } from '../../errors.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { quoteOrDescribe } from '../../canonical/shape/shape.ts'

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

/** The kinds of content that a policy names. */
export const POLICY_NAMES: OptionNames<UnsupportedPolicy> = {
  hostedTools: true,
  media: true,
  systemText: true,
}

const actions: { readonly [name in keyof UnsupportedPolicy | 'foreignReasoning']-?: readonly string[] } = {
  hostedTools: ['text', 'drop', 'reasoning', 'reject'],
  media: ['text', 'drop', 'reasoning', 'reject'],
  systemText: ['text', 'drop', 'reject'],
  foreignReasoning: ['native', 'text', 'drop', 'reject'],
}

/** The options of an encoding that determine its policy. */
export interface PolicyOptions {
  readonly foreignReasoning?: ForeignReasoningAction
  readonly unsupported?: UnsupportedPolicy
}

/** Returns the policy of an encoding; throws for an unknown kind or action. */
export function resolvePolicy(
  { foreignReasoning, unsupported }: PolicyOptions,
  direction: BodyKind,
): ResolvedPolicy {
  const defaults = defaultPolicies[direction]
  if (foreignReasoning === undefined && unsupported === undefined) return defaults
  if (foreignReasoning !== undefined) checkAction('foreignReasoning', foreignReasoning, '')
  if (unsupported !== undefined) checkOptions('`unsupported`', unsupported, POLICY_NAMES)
  const { hostedTools, media, systemText } = unsupported ?? {}
  for (const [name, action] of Object.entries({ hostedTools, media, systemText }))
    if (action !== undefined) checkAction(name as keyof UnsupportedPolicy, action, '/unsupported')
  return {
    foreignReasoning: foreignReasoning ?? defaults.foreignReasoning,
    hostedTools: hostedTools ?? defaults.hostedTools,
    media: media ?? defaults.media,
    systemText: systemText ?? defaults.systemText,
    showsTranscripts: media === undefined && defaults.showsTranscripts,
  }
}

function checkAction(name: keyof typeof actions, action: string, path: string): void {
  const known = actions[name]
  if (known.includes(action)) return
  throw new InterlinguaError('invalid-value', `The option \`${name}\` has an unknown action`, {
    path: `${path}/${name}`,
    found: quoteOrDescribe(action),
    expected: `one of ${known.join(', ')}`,
    hint: `Use \`${name}: '${known[0]}'\`, or omit the option for the default.`,
  })
}
