import { failureJson, hintOf, reasonOf } from './failure.ts'
import { type Paint, paintFor, printable } from './paint.ts'
import { tell, type Terminal } from './terminal.ts'

/** Something that could not be read, and where it stood. */
export interface Fault {
  readonly file: string
  readonly line?: number
  readonly error?: unknown
}

/** File, line, reason, and what to do about it. */
export function faultLine({ file, line, error }: Fault, paint: Paint): string {
  const place = paint('red', printable(line === undefined ? file : `${file}:${line}`))
  return [`${place}: ${reasonOf(error)}`, hintOf(error)].filter(Boolean).join('. ')
}

/** The same as data. */
export function faultJson({ file, line, error }: Fault): object {
  return { type: 'fault', file, ...(line && { line }), ...failureJson(error) }
}

/** Tells why something could not be read. */
export async function tellFault(
  fault: Fault,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const words = (): string => faultLine(fault, paintFor(terminal, terminal.stderr))
  await tell(terminal, json === true ? JSON.stringify(faultJson(fault)) : words())
}
