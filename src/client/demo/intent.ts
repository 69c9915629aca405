import type { ChatRequest } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'

/** Words that say nothing of what is meant. */
const EMPTY: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be by call can could do does for from get give go has have how i if in into is it its ' +
    'like make me my new of on one or our please set should so some tell that the their them then there these they this to ' +
    'tool two use us want was we what when where which who why will with would you your'
  ).split(' '),
)

/** The telling words of a text, in their simplest form: `getWeather` and `Weathers?` both give `weather`. */
function tellingWords(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+/gu)
  return new Set(
    (words ?? []).filter((word) => !EMPTY.has(word)).map((word) => word.replace(/(?<=..)(s|ing|ed)$/, '')),
  )
}

/** How well a tool fits a prompt: a word of its name counts twice, one that only its description has once. */
function score({ name, description = '' }: FunctionTool, prompt: ReadonlySet<string>): number {
  const named = tellingWords(name)
  const described = [...tellingWords(description)].filter((word) => !named.has(word))
  const hits = (words: Iterable<string>): number => [...words].filter((word) => prompt.has(word)).length
  return 2 * hits(named) + hits(described)
}

/** What is enough for a call: a word of the name, or two of the description. */
const ENOUGH = 2

/** What the request says about calling. */
interface Choice {
  readonly tools: readonly FunctionTool[]
  readonly forced: boolean
}

function choiceOf({ tools = [], toolChoice = 'auto' }: ChatRequest): Choice {
  const own = tools.filter((tool) => tool.type === 'function')
  if (toolChoice === 'none') return { tools: [], forced: false }
  if (typeof toolChoice === 'string') return { tools: own, forced: toolChoice === 'required' }
  const names = 'name' in toolChoice ? [toolChoice.name] : toolChoice.allowed
  const forced = 'name' in toolChoice || toolChoice.mode === 'required'
  return { tools: own.filter(({ name }) => names.includes(name)), forced }
}

/**
 * The tools to call for a prompt. Those that were called for it already are called again only where the request insists on
 * a call and has no others, so that a conversation comes to an end.
 */
export function toolsToCall(
  request: ChatRequest,
  prompt: string,
  called: ReadonlySet<string>,
): readonly FunctionTool[] {
  const { tools, forced } = choiceOf(request)
  if (called.size > 0 && !forced) return []
  const words = tellingWords(prompt)
  const open = tools.filter(({ name }) => !called.has(name))
  const ranked = (open.length > 0 ? open : tools)
    .map((tool) => ({ tool, fit: score(tool, words) }))
    .toSorted((a, b) => b.fit - a.fit)
  const fitting = ranked.filter(({ fit }) => fit >= ENOUGH)
  const chosen = fitting.length === 0 && forced ? ranked.slice(0, 1) : fitting
  return chosen.slice(0, request.parallelToolCalls === false ? 1 : undefined).map(({ tool }) => tool)
}
