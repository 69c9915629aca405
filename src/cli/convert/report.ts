import type { Loss } from '../../canonical/model/loss.ts'
import { Exit, type ExitName } from '../exit-codes.ts'
import { exitOf } from '../failure.ts'
import { type Fault, faultJson, faultLine } from '../fault.ts'
import { LossTally } from '../loss-tally.ts'
import { type Paint, paintFor, printable } from '../paint.ts'
import { tell, type Terminal } from '../terminal.ts'

/** What a conversion has to say beside its result: losses, faults and a summary, on standard error. */
export class Report {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Paint
  readonly #tally = new LossTally()
  #converted = 0
  #faults = 0
  #worst: ExitName = 'ok'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = paintFor(terminal, terminal.stderr)
  }

  /** Something was converted; its losses are counted, and told one by one where there is only one thing. */
  async converted(losses: readonly Loss[], each: boolean): Promise<void> {
    this.#converted++
    for (const loss of losses) {
      this.#tally.add(loss)
      if (each) await this.#line({ type: loss.severity, ...loss }, () => this.#lossLine(loss))
    }
  }

  #lossLine({ severity, rule, path, reason }: Loss): string {
    return `${this.#severity(severity)}  ${rule} at ${printable(path)}: ${reason}`
  }

  #severity(severity: Loss['severity']): string {
    return this.#paint(severity === 'loss' ? 'yellow' : 'dim', severity)
  }

  /** Something was not converted: where it stood, and why. */
  async fault(fault: Fault): Promise<void> {
    this.#faults++
    const exit = exitOf(fault.error)
    if (this.#worst === 'ok' || exit === 'input') this.#worst = exit
    await this.#line(faultJson(fault), () => faultLine(fault, this.#paint))
  }

  /** Something to know that is neither. */
  async remark(text: string): Promise<void> {
    await this.#line({ type: 'remark', text }, () => this.#paint('dim', text))
  }

  /** The end of a conversion in bulk. */
  async summary(): Promise<void> {
    const counts = { converted: this.#converted, faults: this.#faults }
    await this.#line({ type: 'summary', ...counts, losses: this.#tally }, () =>
      [
        ...this.#tally.lines((severity) => this.#severity(severity)),
        `${this.#converted} converted${this.#faults > 0 ? `, ${this.#faults} not` : ''}`,
      ].join('\n'),
    )
  }

  /** Ends the command as the worst fault says. */
  end(): void {
    if (this.#worst !== 'ok') throw new Exit(this.#worst)
  }

  #line(json: object, words: () => string): Promise<void> {
    return tell(this.#terminal, this.#json ? JSON.stringify(json) : words())
  }
}
