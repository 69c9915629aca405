import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { DialectName, Endpoint } from '../dialects/engine/dialect.ts'
import type { ProviderError, ProviderErrorDetails } from '../errors.ts'
import type { Json, JsonObject } from '../wire/json.ts'

/** The kinds of golden cases. Each is a folder of the corpus. */
export type GoldenKind = 'request' | 'response' | 'translation' | 'error'

/** The fields of every golden case. */
export interface GoldenCaseBase {
  /** The version of the layout of the file. */
  readonly version: 1
  /** Unique within the kind; the file is `golden/v1/<kind>s/<name>.json`. */
  readonly name: string
  readonly description: string
}

/** A loss without its dialect, which is the target, and without its text, which a port may word as it likes. */
export type GoldenLoss = Omit<Loss, 'dialect' | 'reason'>

/** A canonical request, and what each dialect makes of it. */
export interface GoldenRequest extends GoldenCaseBase {
  readonly kind: 'request'
  readonly canonical: ChatRequest
  readonly dialects: { readonly [name in DialectName]: GoldenRequestBody }
}

/** A canonical request in one dialect. */
export interface GoldenRequestBody {
  /** The options of `encodeRequest`. */
  readonly options: { readonly model: string }
  /** The path, the query and the headers. The path is an option of decoding, too. */
  readonly endpoint: Endpoint
  readonly body: JsonObject
  /** Sorted by path, then by rule. */
  readonly losses: readonly GoldenLoss[]
  /** What decoding the body returns, with its residue. Encoding it again returns the body. */
  readonly decoded: ChatRequest
}

/** A canonical response, and what each dialect makes of it, as a body and as a stream. */
export interface GoldenResponse extends GoldenCaseBase {
  readonly kind: 'response'
  readonly canonical: ChatResponse
  /** The canonical response as events. */
  readonly events: readonly ChatEvent[]
  readonly dialects: { readonly [name in DialectName]: GoldenResponseBody }
}

/** A canonical response in one dialect. */
export interface GoldenResponseBody {
  readonly body: JsonObject
  /** Sorted by path, then by rule. */
  readonly losses: readonly GoldenLoss[]
  /** What decoding the body returns, with its residue. Encoding it again returns the body. */
  readonly decoded: ChatResponse
  readonly stream: GoldenStream
}

/** The stream of a response in one dialect, without its framing. */
export interface GoldenStream {
  /** The JSON payloads in their order, without marks of the end such as `[DONE]`. */
  readonly payloads: readonly Json[]
  /** Sorted by path, then by rule. */
  readonly losses: readonly GoldenLoss[]
  /** The response that the decoded events add up to; decoded with `exact: false`. */
  readonly accumulated: ChatResponse
}

/** A body or a stream of one dialect, and what it is in every other one. */
export interface GoldenTranslation extends GoldenCaseBase {
  readonly kind: 'translation'
  readonly of: 'request' | 'response' | 'stream'
  readonly from: DialectName
  /** A body; of a stream, its JSON payloads. */
  readonly source: JsonObject | readonly Json[]
  /** The canonical value of the body, with its residue; the events of a stream add up to it, decoded with `exact: false`. */
  readonly decoded: ChatRequest | ChatResponse
  readonly targets: { readonly [name in DialectName]: GoldenTarget }
}

/** A translated body, or the payloads of a translated stream. */
export interface GoldenTarget {
  /** The options of the translation. */
  readonly options: { readonly model?: string }
  readonly result: JsonObject | readonly Json[]
  /** Sorted by path, then by rule. */
  readonly losses: readonly GoldenLoss[]
}

/** An error of a provider, and the HTTP response that each dialect makes of it. */
export interface GoldenError extends GoldenCaseBase {
  readonly kind: 'error'
  readonly canonical: { readonly message: string } & Omit<ProviderErrorDetails, 'cause' | 'body'>
  readonly dialects: { readonly [name in DialectName]: GoldenErrorResponse }
}

/** An error in one dialect. */
export interface GoldenErrorResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Json
  /** The result of decoding the response, as `toJSON` of a `ProviderError`. */
  readonly decoded: ReturnType<ProviderError['toJSON']>
}

/** The type of each kind. */
export interface GoldenCases {
  readonly request: GoldenRequest
  readonly response: GoldenResponse
  readonly translation: GoldenTranslation
  readonly error: GoldenError
}

/** A case in the list of all cases. */
export interface GoldenCaseInfo {
  readonly kind: GoldenKind
  readonly name: string
  readonly description: string
  /** The path from the root of the package, such as `golden/v1/requests/media.json`. */
  readonly file: string
}

/** The list of all cases: `golden/v1/index.json`. */
export interface GoldenIndex {
  readonly version: 1
  readonly dialects: readonly DialectName[]
  readonly cases: readonly GoldenCaseInfo[]
}
