import type { AgentChunk } from './result.ts'

/**
 * The text of a run as it comes; with `thinking`, what the model thinks as well, set apart from the text by two newlines.
 *
 * @example
 * for await (const piece of renderText(agent.stream('Why?'), { thinking: true })) show(piece)
 */
export async function* renderText(
  chunks: AsyncIterable<AgentChunk>,
  { thinking: shown = false }: { readonly thinking?: boolean } = {},
): AsyncGenerator<string, void, undefined> {
  let before: 'nothing' | 'text' | 'thinking' = 'nothing'
  for await (const { text, thinking = '' } of chunks) {
    if (shown && thinking !== '') {
      yield before === 'text' ? `\n\n${thinking}` : thinking
      before = 'thinking'
    }
    if (text !== '') {
      yield before === 'thinking' ? `\n\n${text}` : text
      before = 'text'
    }
  }
}
