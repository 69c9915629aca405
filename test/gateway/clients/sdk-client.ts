import type { DialectName } from 'interlingua'
import type { ClientAnswer, Feature, Question } from './questions.ts'

/** How a client asks. */
export type AskMode = 'ask' | 'stream'

/** Something that a client cannot show, whoever answers. */
export interface ClientLimit {
  readonly feature: Feature
  /** Default: both. */
  readonly mode?: AskMode
  readonly reason: string
}

/** An unmodified client library of a format. */
export interface SdkClient {
  /** The package, and the API if it has several. */
  readonly name: string
  readonly dialect: DialectName
  readonly limits?: readonly ClientLimit[]
  /** Asks for a whole answer. */
  ask(question: Question): Promise<ClientAnswer>
  /** Asks for a stream, and joins what it contains. */
  stream(question: Question): Promise<ClientAnswer>
}

export function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/** Returns the limit of a client for a question. */
export function findLimit(
  { limits = [] }: SdkClient,
  feature: Feature,
  mode: AskMode,
): ClientLimit | undefined {
  return limits.find((limit) => limit.feature === feature && (limit.mode ?? mode) === mode)
}
