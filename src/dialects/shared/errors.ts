import type { ProviderError} from '../../errors.ts';
import { type ProviderErrorDetails, type ProviderErrorKind } from '../../errors.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import { isObject, type Json } from '../../wire/json.ts'
import type { DialectName } from '../dialect.ts'

/** Headers as `fetch` gives them, or as plain data with names in any case. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** How a format says a kind: the usual status and others that it keeps, the type, and a code where the type is shared. */
export type ErrorRow = readonly [statuses: readonly [number, ...number[]], type: string, code?: string]

/** What an error body is written from. */
export interface WrittenError extends Partial<Record<'code' | 'param' | 'requestId', string>> {
  readonly type: string
  readonly message: string
}

/** What is particular to the errors of one wire format. */
export interface ErrorFormat {
  readonly dialect: DialectName
  /** Where this format puts the id of a request. */
  readonly requestIdHeader: string
  readonly rows: Readonly<Record<ProviderErrorKind, ErrorRow>>
  /** Further types and codes that hosts of this format use. */
  readonly words: readonly (readonly [word: string, kind: ProviderErrorKind])[]
  isEvent(value: { readonly [key: string]: unknown }): boolean
  write(error: WrittenError): Json
}

/** The errors of one wire format, both ways: as answers, and inside of streams. */
export interface ErrorCodec {
  decodeError(status: number, body: unknown, headers?: HeaderSource): ProviderError
  encodeError(error: ProviderError): {
    readonly status: number
    readonly headers: Record<string, string>
    readonly body: Json
  }
  errorFromEvent(value: unknown): ProviderError | undefined
  errorToEvent(error: ProviderError): Json
}
