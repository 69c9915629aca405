import type { Terminal } from '../command-io.ts'
import type { InputFormatOptions } from '../input/input-format-names.ts'
import type { InputSource } from '../input/input-source.ts'
import type { CommandOutput } from '../output-file.ts'
import type { ConversionTarget } from './encode-input-document.ts'
import type { ConversionReporter } from './conversion-reporter.ts'

/** The options of the command line. */
export interface ConvertOptions extends InputFormatOptions, ConversionTarget {
  readonly output?: string
  readonly strict?: boolean
  readonly keepGoing?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  /** The file that the losses and errors are counted in. */
  readonly report?: string
  readonly threads?: number
}

export interface ConversionContext {
  readonly terminal: Terminal
  readonly options: ConvertOptions
  readonly source: InputSource
  readonly output: CommandOutput
  readonly report: ConversionReporter
}
