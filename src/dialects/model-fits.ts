import type { Message } from '../canonical/model/message.ts'
import { type ChatRequest, type Effort, EFFORTS } from '../canonical/model/request.ts'
import type { ToolChoice } from '../canonical/model/tool.ts'
import { signatureHolds } from '../canonical/read/digest.ts'
import { sealOwn } from '../wire/frozen.ts'
import { below } from '../wire/pointer.ts'
import type { Encoding } from './encoding.ts'
import { isBlank, isUnfinished, loopOf } from './last-turn.ts'
import type { Capabilities, Setting } from './models.ts'
import { isSet } from './setting-defaults.ts'

/** What the user says to a model that does not go on by itself. */
const CONTINUE = 'Continue.'

/** What is known of a model, and the format in which it is asked. */
export interface Facts extends Capabilities {
  readonly dialect: string
}

/** One fact, whether a request goes against it, and the request that does not. */
interface Fit {
  readonly fact: 'settings' | 'forcedTools' | 'thinking' | 'effort' | 'prefill'
  readonly breaks: (request: ChatRequest, facts: Facts) => boolean
  readonly mend: (request: ChatRequest, facts: Capabilities, encoding: Encoding) => ChatRequest
}

/** What a request may go against, in the order in which it is mended: whether it thinks decides on the rest. */
export const fits: readonly Fit[] = [
  {
    fact: 'thinking',
    breaks(request, facts) {
      const way = wayOf(request)
      const known = way === undefined || (facts.thinking ?? [way]).includes(way)
      if (!known || way !== 'budget') return !known
      const bounded = facts.leastBudget !== undefined
      return isLoopOfOthers(request, facts) || (bounded && budgetFor(request, facts) !== budgetOf(request))
    },
    mend(request, facts, encoding) {
      encoding.lose('model-thinking', below(undefined, 'reasoning'))
      const { budgetTokens: _budget, enabled: _enabled, ...rest } = request.reasoning ?? {}
      const { thinking = ['budget'] } = facts
      const bounded = thinking.includes('budget') && !isLoopOfOthers(request, facts)
      const budgetTokens = bounded ? budgetFor(request, facts) : undefined
      const way =
        wayOf(request) === 'off'
          ? {}
          : { enabled: budgetTokens !== undefined || thinking.includes('adaptive') }
      return {
        ...request,
        reasoning: {
          ...rest,
          ...way,
          ...(way.enabled === true && budgetTokens !== undefined && { budgetTokens }),
        },
      }
    },
  },
  {
    fact: 'effort',
    breaks(request, { efforts }) {
      const effort = effortOf(request)
      return effort !== undefined && efforts?.includes(effort) === false
    },
    mend(request, { efforts = EFFORTS }, encoding) {
      encoding.lose('model-effort', below(below(undefined, 'reasoning'), 'effort'))
      const { enabled: _enabled, ...rest } = request.reasoning ?? {}
      return { ...request, reasoning: { ...rest, effort: nearest(effortOf(request) ?? 'none', efforts) } }
    },
  },
  {
    fact: 'settings',
    breaks: (request, facts) => refused(request, facts).length > 0,
    mend(request, facts, encoding) {
      const gone: readonly (keyof ChatRequest)[] = refused(request, facts)
      for (const key of gone) if (isSet(request, key)) encoding.lose('model-setting', below(undefined, key))
      const kept = Object.entries(request).filter(([key]) => !gone.some((each) => each === key))
      return Object.fromEntries(kept) as unknown as ChatRequest
    },
  },
  {
    fact: 'forcedTools',
    breaks: (request, { forcedTools = true }) =>
      (forcedTools === 'without-budget' ? wayOf(request) === 'budget' : !forcedTools) &&
      isForced(request.toolChoice),
    mend(request, _facts, encoding) {
      encoding.lose('model-tool-choice', below(undefined, 'toolChoice'))
      const { toolChoice } = request
      const allowed =
        typeof toolChoice !== 'object'
          ? undefined
          : 'name' in toolChoice
            ? [toolChoice.name]
            : toolChoice.allowed
      return { ...request, toolChoice: allowed === undefined ? 'auto' : { allowed, mode: 'auto' } }
    },
  },
  {
    fact: 'prefill',
    breaks(request, facts) {
      const goesOn = facts.prefill === 'without-thinking' ? !isThinking(request, facts) : facts.prefill
      return goesOn === false && isUnfinished(request.messages, facts.dialect)
    },
    mend(request, _facts, encoding) {
      const messages = [...request.messages]
      encoding.lose('model-prefill', below(below(undefined, 'messages'), messages.length - 1))
      return { ...request, messages: [...messages, GO_ON] }
    },
  },
]

const GO_ON = sealOwn<Message>({
  id: 'msg_continue',
  role: 'user',
  content: [{ type: 'text', text: CONTINUE }],
})

function refused(request: ChatRequest, facts: Capabilities): Setting[] {
  const { refuses = [], refusesThinking = [] } = facts
  const all = isThinking(request, facts) ? [...refuses, ...refusesThinking] : refuses
  return all.filter((key) => request[key] !== undefined && request[key] !== usual[key])
}

/** What a setting says where it asks for nothing: nobody refuses that. */
const usual: { readonly [key in Setting]?: unknown } = { candidateCount: 1 }

function isForced(choice: ToolChoice | undefined): boolean {
  if (typeof choice !== 'object') return choice === 'required'
  return 'name' in choice || choice.mode === 'required'
}

/** How the model is asked to think, if it is. */
function wayOf({ reasoning = {} }: ChatRequest): 'adaptive' | 'budget' | 'off' | undefined {
  if (reasoning.enabled === false) return 'off'
  if (reasoning.budgetTokens !== undefined) return 'budget'
  return reasoning.enabled === true ? 'adaptive' : undefined
}

/** Whether the model thinks about this: who asks to see thoughts, or sees to it that there are some, means so. */
function isThinking(request: ChatRequest, { thinks = 'unless-off' }: Capabilities): boolean {
  const { enabled, effort, include } = request.reasoning ?? {}
  const way = wayOf(request)
  const spared = effort === 'none' && (enabled === undefined || thinks === 'by-effort')
  if (way === 'off' || spared) return false
  if (way !== undefined || thinks === 'unless-off') return true
  return (thinks === 'by-effort' ? effort : include) !== undefined
}

function budgetOf({ reasoning }: ChatRequest): number | undefined {
  return reasoning?.budgetTokens
}

/** The effort that is asked for: not to think is none at all. */
function effortOf({ reasoning }: ChatRequest): Effort | undefined {
  return reasoning?.effort ?? (reasoning?.enabled === false ? 'none' : undefined)
}

function nearest(effort: Effort, efforts: readonly Effort[]): Effort {
  const distance = (each: Effort): number => Math.abs(EFFORTS.indexOf(each) - EFFORTS.indexOf(effort))
  return efforts.reduce((best, each) => (distance(each) < distance(best) ? each : best))
}

/** A budget that the model takes: as it was asked for, else half of what may be said; undefined where there is no room. */
function budgetFor(
  { reasoning, maxOutputTokens = Infinity }: ChatRequest,
  { leastBudget = 1 }: Capabilities,
): number | undefined {
  if (maxOutputTokens <= leastBudget) return undefined
  const half = Number.isFinite(maxOutputTokens) ? Math.floor(maxOutputTokens / 2) : leastBudget
  return Math.min(Math.max(reasoning?.budgetTokens ?? half, leastBudget), maxOutputTokens - 1)
}

/** Whether an answer waits for results that did not begin with thoughts of the model's own maker. */
function isLoopOfOthers({ messages }: ChatRequest, { thoughtsOf }: Capabilities): boolean {
  const first = thoughtsOf === undefined ? undefined : loopOf(messages)
  const head = first?.content.find((part) => !isBlank(part))
  if (first === undefined) return false
  return !(head?.type === 'reasoning' && head.signature?.vendor === thoughtsOf && signatureHolds(head))
}
