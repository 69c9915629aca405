import type { Loss } from '../../canonical/model/loss.ts'
import { CommandExit, type ExitName } from '../exit-codes.ts'
import { getExitName, type InputFault, faultToJson, formatFault } from '../error-output.ts'
import { LossTally } from '../loss-tally.ts'
import { type Colorizer, createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { printNotice, type Terminal } from '../command-io.ts'

/** What a conversion has to say beside its result: losses, faults and a summary, on standard error. */
export class ConversionReport {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Colorizer
  readonly #tally = new LossTally()
  #converted = 0
  #faults = 0
  #worstExit: ExitName = 'ok'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = createColorizer(terminal, terminal.stderr)
  }

  /** Something was converted; its losses are counted, and told one by one where there is only one thing. */
  async addConverted(losses: readonly Loss[], each: boolean): Promise<void> {
    this.#converted++
    for (const loss of losses) {
      this.#tally.add(loss)
      if (each) await this.#print({ type: loss.severity, ...loss }, () => this.#formatLoss(loss))
    }
  }

  #formatLoss({ severity, rule, path, reason }: Loss): string {
    return `${this.#formatSeverity(severity)}  ${rule} at ${escapeControlCharacters(path)}: ${reason}`
  }

  #formatSeverity(severity: Loss['severity']): string {
    return this.#paint(severity === 'loss' ? 'yellow' : 'dim', severity)
  }

  /** Something was not converted: where it stood, and why. */
  async addFault(fault: InputFault): Promise<void> {
    this.#faults++
    const exit = getExitName(fault.error)
    if (this.#worstExit === 'ok' || exit === 'input') this.#worstExit = exit
    await this.#print(faultToJson(fault), () => formatFault(fault, this.#paint))
  }

  /** Something to know that is neither. */
  async printRemark(text: string): Promise<void> {
    await this.#print({ type: 'remark', text }, () => this.#paint('dim', text))
  }

  /** The end of a conversion in bulk. */
  async printSummary(): Promise<void> {
    const counts = { converted: this.#converted, faults: this.#faults }
    await this.#print({ type: 'summary', ...counts, losses: this.#tally }, () =>
      [
        ...this.#tally.formatLines((severity) => this.#formatSeverity(severity)),
        `${this.#converted} converted${this.#faults > 0 ? `, ${this.#faults} not` : ''}`,
      ].join('\n'),
    )
  }

  /** Ends the command as the worst fault says. */
  exitOnFault(): void {
    if (this.#worstExit !== 'ok') throw new CommandExit(this.#worstExit)
  }

  #print(json: object, words: () => string): Promise<void> {
    return printNotice(this.#terminal, this.#json ? JSON.stringify(json) : words())
  }
}
