import type { AgentChunk, AgentResult } from '../../agent/result.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { partLines, usageLine } from '../inspect/show.ts'
import { type Paint, paintFor, printable } from '../paint.ts'
import { say, sayJson, tell, type Terminal, write } from '../terminal.ts'

type Voice = 'thinking' | 'text' | 'none'

/** Shows an answer as it comes: thoughts, text, calls and what they gave. */
export class AnswerView {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Paint
  #voice: Voice = 'none'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = paintFor(terminal, terminal.stdout)
  }

  async show({ text, thinking, messages }: AgentChunk): Promise<void> {
    if (this.#json) return
    if (thinking !== undefined && thinking !== '') await this.#speak('thinking', thinking)
    if (text !== '') await this.#speak('text', text)
    for (const message of messages) await this.#tools(message)
  }

  async #speak(voice: Voice, words: string): Promise<void> {
    if (this.#voice !== voice) await this.#silence()
    const begins = this.#voice === 'none' && voice === 'thinking' ? '~ ' : ''
    this.#voice = voice
    const shown = printable(words)
    await this.#write(voice === 'thinking' ? this.#paint('dim', begins + shown) : shown)
  }

  /** Calls and results, a line each. */
  async #tools({ content }: Message): Promise<void> {
    const parts = content.filter(({ type }: Part) => type === 'tool-call' || type === 'tool-result')
    if (parts.length > 0) await this.#silence()
    for (const part of parts)
      for (const line of partLines(part, this.#paint)) await this.#write(`${this.#paint('yellow', line)}\n`)
  }

  /** Ends the line on which somebody spoke. */
  async #silence(): Promise<void> {
    if (this.#voice !== 'none') await this.#write('\n')
    this.#voice = 'none'
  }

  async end(result: AgentResult, facts: { readonly session: string; readonly model: string }): Promise<void> {
    const { text, finish, usage, losses, messages } = result
    if (this.#json) {
      await sayJson(this.#terminal, { type: 'answer', ...facts, text, finish, usage, losses, messages })
      return
    }
    await this.#silence()
    const lost = new Map(
      losses.filter(({ severity }) => severity === 'loss').map((loss) => [loss.rule, loss]),
    )
    for (const { rule, reason } of lost.values())
      await tell(this.#terminal, this.#paint('yellow', `loss  ${rule}: ${reason}`))
    if (finish.reason !== 'stop') await tell(this.#terminal, this.#paint('dim', `(ended: ${finish.reason})`))
    if (this.#terminal.stdout.isTTY === true)
      await say(this.#terminal, this.#paint('dim', `(${usageLine(usage)})`))
  }

  #write(text: string): Promise<void> {
    return write(this.#terminal.stdout, text)
  }
}
