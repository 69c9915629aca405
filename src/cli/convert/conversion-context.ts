import type { Terminal } from '../command-io.ts'
import type { InputFormatOptions } from '../input/formats.ts'
import type { InputSource } from '../input/source.ts'
import type { CommandOutput } from '../output-file.ts'
import type { ConversionTarget } from './conversion.ts'
import type { ConversionReporter } from './conversion-report.ts'

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
