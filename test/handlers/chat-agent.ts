import { textOf, toolCall, toolResultsOf } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'

/** What the model answers to a prompt: a call of a tool, or a slow text. */
const CALLS: Readonly<Record<string, string>> = {
  Weather: 'weather',
  Delete: 'remove',
  Where: 'locate',
}

/** An agent with a tool that reports progress, one that needs approval, and one that the client runs. */
export function createChatAgent(eventDelayMs = 0): { readonly agent: Agent; readonly effects: string[] } {
  const effects: string[] = []
  let calls = 0
  const model = scripted(({ messages }) => {
    const last = [...messages].at(-1)
    if (last?.role === 'tool') {
      const [result] = toolResultsOf(last)
      return { reply: `Result: ${textOf(result?.content ?? [])}`, eventDelayMs }
    }
    const prompt = last === undefined ? '' : textOf(last)
    const name = CALLS[prompt.split(' ')[0] ?? '']
    if (name !== undefined) return toolCall({ id: `call_${++calls}`, name, arguments: { about: prompt } })
    return { reply: `You said: ${prompt}. ${'More words. '.repeat(5)}`, eventDelayMs }
  })
  const agent = new Agent({
    model,
    tools: [
      tool({
        name: 'weather',
        run: async function* () {
          yield { percent: 50 }
          effects.push('weather')
          yield 'sunny'
        },
      }),
      tool({
        name: 'remove',
        needsApproval: true,
        run: () => {
          effects.push('remove')
          return 'removed'
        },
      }),
      tool({ name: 'locate' }),
    ],
  })
  return { agent, effects }
}
