import type { Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ToolChoice } from '../canonical/model/tool.ts'
import { sealedCopy } from '../wire/frozen.ts'
import { below } from '../wire/pointer.ts'
import type { Encoding } from './encoding.ts'
import type { Capabilities, Setting } from './models.ts'

/** What the user says to a model that does not go on by itself. */
const CONTINUE = 'Continue.'

/** One fact, whether a request goes against it, and the request that does not. */
interface Fit {
  readonly fact: 'settings' | 'forcedTools' | 'thinking' | 'prefill'
  readonly breaks: (request: ChatRequest, facts: Capabilities) => boolean
  readonly mend: (request: ChatRequest, facts: Capabilities, encoding: Encoding) => ChatRequest
}

/** What a request may go against, in the order in which it is mended. */
export const fits: readonly Fit[] = [
  {
    fact: 'settings',
    breaks: (request, facts) => refused(request, facts).length > 0,
    mend(request, facts, encoding) {
      const gone: readonly string[] = refused(request, facts)
      for (const key of gone) encoding.lose('model-setting', below(undefined, key))
      const kept = Object.entries(request).filter(([key]) => !gone.includes(key))
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
    fact: 'thinking',
    breaks(request, facts) {
      const way = wayOf(request)
      const known = way === undefined || (facts.thinking ?? [way]).includes(way)
      const bounded = facts.leastBudget !== undefined && way === 'budget'
      return !known || (bounded && budgetFor(request, facts) !== request.reasoning?.budgetTokens)
    },
    mend(request, facts, encoding) {
      encoding.lose('model-thinking', below(undefined, 'reasoning'))
      const { budgetTokens: _budget, enabled: _enabled, ...rest } = request.reasoning ?? {}
      const { thinking = ['budget'] } = facts
      const budgetTokens = thinking.includes('budget') ? budgetFor(request, facts) : undefined
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
    fact: 'prefill',
    breaks: ({ messages }, { prefill }) => prefill === false && isPrefill(messages.at(-1)),
    mend(request, _facts, encoding) {
      const messages = [...request.messages]
      encoding.lose('model-prefill', below(below(undefined, 'messages'), messages.length - 1))
      return { ...request, messages: [...messages, GO_ON] }
    },
  },
]

const GO_ON = sealedCopy<Message>({
  id: 'msg_continue',
  role: 'user',
  content: [{ type: 'text', text: CONTINUE }],
})

function refused(request: ChatRequest, { refuses = [], refusesThinking = [] }: Capabilities): Setting[] {
  const all = request.reasoning?.effort === 'none' ? refuses : [...refuses, ...refusesThinking]
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

/** A budget that the model takes: as it was asked for, else half of what may be said; undefined where there is no room. */
function budgetFor(
  { reasoning, maxOutputTokens = Infinity }: ChatRequest,
  { leastBudget = 1 }: Capabilities,
): number | undefined {
  if (maxOutputTokens <= leastBudget) return undefined
  const half = Number.isFinite(maxOutputTokens) ? Math.floor(maxOutputTokens / 2) : leastBudget
  return Math.min(Math.max(reasoning?.budgetTokens ?? half, leastBudget), maxOutputTokens - 1)
}

/** An answer that the model is to go on with: one that neither waits for a result nor was paused by its provider. */
function isPrefill(last: Message | undefined): boolean {
  if (last?.role !== 'assistant' || last.finish?.reason === 'pause') return false
  const end = last.content.at(-1)
  return end !== undefined && end.type !== 'tool-call' && end.type !== 'tool-result'
}
