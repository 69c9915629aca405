import type { AgentChunk, AgentResult } from '../../agent/agent-result.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { formatPart, formatUsage } from '../inspect/format-message.ts'
import { type Colorizer, createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { printLine, printJson, printNotice, type Terminal, writeAndDrain } from '../command-io.ts'

/** Prints a response as it streams: reasoning, text, tool calls and their results. */
export class AnswerView {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Colorizer
  #openBlock: 'thinking' | 'text' | 'none' = 'none'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = createColorizer(terminal, terminal.stdout)
  }

  async printChunk({ text, thinking, messages }: AgentChunk): Promise<void> {
    if (this.#json) return
    if (thinking !== undefined && thinking !== '') await this.#writeBlock('thinking', thinking)
    if (text !== '') await this.#writeBlock('text', text)
    for (const message of messages) await this.#writeToolLines(message)
  }

  async #writeBlock(block: 'thinking' | 'text', text: string): Promise<void> {
    if (this.#openBlock !== block) await this.#closeBlock()
    const prefix = this.#openBlock === 'none' && block === 'thinking' ? '~ ' : ''
    this.#openBlock = block
    const shown = escapeControlCharacters(text)
    await this.#write(block === 'thinking' ? this.#paint('dim', prefix + shown) : shown)
  }

  async #writeToolLines({ content }: Message): Promise<void> {
    const parts = content.filter(({ type }: Part) => type === 'tool-call' || type === 'tool-result')
    if (parts.length > 0) await this.#closeBlock()
    for (const part of parts)
      for (const line of formatPart(part, this.#paint)) await this.#write(`${this.#paint('yellow', line)}\n`)
  }

  async #closeBlock(): Promise<void> {
    if (this.#openBlock !== 'none') await this.#write('\n')
    this.#openBlock = 'none'
  }

  async printResult(result: AgentResult, session: string, model: string): Promise<void> {
    const { text, finish, usage, losses, messages } = result
    const fields = { type: 'answer', session, model, text, finish, usage, losses, messages }
    if (this.#json) return printJson(this.#terminal, fields)
    await this.#closeBlock()
    const lossesByRule = new Map(
      losses.filter(({ severity }) => severity === 'loss').map((loss) => [loss.rule, loss]),
    )
    for (const { rule, reason } of lossesByRule.values())
      await printNotice(this.#terminal, this.#paint('yellow', `loss  ${rule}: ${reason}`))
    if (finish.reason !== 'stop')
      await printNotice(this.#terminal, this.#paint('dim', `(ended: ${finish.reason})`))
    if (this.#terminal.stdout.isTTY === true)
      await printLine(this.#terminal, this.#paint('dim', `(${formatUsage(usage)})`))
  }

  #write(text: string): Promise<void> {
    return writeAndDrain(this.#terminal.stdout, text)
  }
}
