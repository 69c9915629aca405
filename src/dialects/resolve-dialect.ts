import { quoteOrDescribe, throwInvalid } from '../canonical/shape/shape.ts'
import { child } from '../wire/json-pointer.ts'
import type { WireRequest, WireResponse } from './dialect-types.ts'
import { dialects } from './dialects.ts'
import { isDialect } from './engine/define-dialect.ts'
import type { Dialect, DialectName } from './engine/dialect.ts'

/** The request body of a dialect that is given by name or as itself. */
export type RequestOf<To> = To extends DialectName
  ? WireRequest<To>
  : To extends Dialect<infer Body>
    ? Body
    : unknown

/** The response body of a dialect that is given by name or as itself. */
export type ResponseOf<To> = To extends DialectName
  ? WireResponse<To>
  : To extends Dialect<infer _Request, infer Body>
    ? Body
    : unknown

/** Dialects by name: the built-in ones and those of the application. */
export interface DialectRegistry<Name extends string = string> {
  readonly dialects: { readonly [name in Name]: Dialect }
}

const builtIn: DialectRegistry = { dialects }

/** Returns a dialect that is given by name or as itself; throws if it is unknown. `key` is the name of the option. */
export function resolveDialect(given: unknown, key: string, registry: DialectRegistry = builtIn): Dialect {
  if (isDialect(given)) return given
  const known: { readonly [name: string]: Dialect } = registry.dialects
  const dialect = typeof given === 'string' && Object.hasOwn(known, given) ? known[given] : undefined
  if (dialect !== undefined) return dialect
  const expected = `one of ${Object.keys(known).join(', ')}, or the result of \`defineDialect\``
  return throwInvalid('invalid-value', child(undefined, key), quoteOrDescribe(given), expected)
}
