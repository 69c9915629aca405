import { failureJson, hintOf, reasonOf } from './failure.ts'
import { tell, type Terminal } from './terminal.ts'

/** Something that could not be read, and where it stood. */
export interface Fault {
  readonly file: string
  readonly line?: number
  readonly error?: unknown
}

/** Tells why something could not be read: file, line, reason. */
export async function tellFault(
  { file, line, error }: Fault,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const place = line === undefined ? file : `${file}:${line}`
  const words = [`${place}: ${reasonOf(error)}`, hintOf(error)].filter(Boolean).join('. ')
  const data = { type: 'fault', file, ...(line && { line }), ...failureJson(error) }
  await tell(terminal, json === true ? JSON.stringify(data) : words)
}
