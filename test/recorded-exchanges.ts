import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** One recorded exchange with a provider. */
export interface Exchange {
  readonly id: string
  readonly dialect: string
  readonly vendor: string
  readonly status: number
  readonly request: unknown
  readonly response: unknown
  readonly stream: string | null
  readonly stream_format?: string | null
}

const folder = new URL('../../shared/corpus/', import.meta.url)

/** Whether the recordings lie beside the repository; they are no part of it. */
export const hasCorpus: boolean = existsSync(folder)

let exchanges: readonly Exchange[] | undefined

/** Every exchange, read once: no test changes what it is given. */
function all(): readonly Exchange[] {
  exchanges ??= readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl') && !name.includes('.errors.'))
    .toSorted()
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exchange)
  return exchanges
}

/** The names of dialects in the recordings, if they differ. */
const recordedNames: { readonly [dialect: string]: string } = { bedrock: 'bedrock-converse' }

/** The recorded exchanges of a dialect; none when the recordings are absent. */
export function recorded(dialect: string): readonly Exchange[] {
  const name = recordedNames[dialect] ?? dialect
  return hasCorpus ? all().filter((exchange) => exchange.dialect === name) : []
}
