import type { Translation, Loss } from '../../canonical/model/loss.ts'
import { toJson } from '../../canonical/stored/stored-form.ts'
import type { EncodeOptions, Flavor } from '../../dialects/engine/dialect.ts'
import { knownDialects } from '../registry.ts'
import { addModelNameLoss } from '../../dialects/engine/add-model-name-loss.ts'
import { findConversationCodec, isWritableConversationFormat } from '../../formats/conversation-formats.ts'
import { toConversation } from '../../formats/from-conversations.ts'
import { toMessages } from '../../formats/to-messages.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { type DocumentContent, getDocumentMessages } from '../input/input-document.ts'
import {
  type FormatName,
  isDialectName,
  isWritableLibraryFormat,
  STORED_FORMAT,
} from '../input/input-format-names.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject, omitUndefined } from '../../wire/json.ts'

export interface ConversionTarget {
  readonly to: FormatName
  /** Host that receives the request. */
  readonly flavor?: Flavor
  /** Model that replaces the one in the request. */
  readonly model?: string
}

/** Throws for the first loss if `--strict` is set; notes are always allowed. */
export function throwOnStrictLoss(losses: readonly Loss[], { strict }: { readonly strict?: boolean }): void {
  const refused = strict === true ? losses.find(({ severity }) => severity === 'loss') : undefined
  if (refused === undefined) return
  throw new InterlinguaError(
    'loss-refused',
    `--strict refused the conversion to ${refused.dialect}: ${refused.reason.replace(/\.$/, '')}`,
    { path: refused.path, found: refused.rule, hint: `Omit --strict to allow the rule '${refused.rule}'.` },
  )
}

export function toEncodeOptions({ flavor, model }: ConversionTarget): EncodeOptions {
  return omitUndefined({ flavor, model })
}

/** Encodes a document; `from` is the format that it was decoded from. */
export function encodeInputDocument(
  content: DocumentContent,
  target: ConversionTarget,
  from: string = STORED_FORMAT,
): Translation<unknown> {
  const { to } = target
  if (isWritableConversationFormat(to)) return toConversation(toRequest(content), { to })
  if (isWritableLibraryFormat(to)) return toMessages(getDocumentMessages(content), { to })
  if (!isDialectName(to)) return { value: encodeStored(content, target), losses: [] }
  const options = toEncodeOptions(target)
  if (content.kind === 'response') return knownDialects[to].encodeResponse(content.response, options)
  const request = content.kind === 'request' ? content.request : { messages: content.messages }
  const encoded: Translation<unknown> = knownDialects[to].encodeRequest(request, options)
  return isDialectName(from) ? addModelNameLoss(encoded, request, { ...options, from, to }) : encoded
}

function toRequest(content: DocumentContent): ChatRequest {
  return content.kind === 'request' ? content.request : { messages: getDocumentMessages(content) }
}

/** Formats a document: a conversation of a file as one line, text as it is, and any other one indented. */
export function formatDocumentOutput(value: unknown, to: FormatName): string {
  const codec = findConversationCodec(to)
  if (codec?.textKey !== undefined && isObject(value)) return `${String(value[codec.textKey]).trimEnd()}\n`
  return `${codec === undefined ? JSON.stringify(value, null, 2) : JSON.stringify(value)}\n`
}

function encodeStored(content: DocumentContent, { model }: ConversionTarget): unknown {
  if (content.kind === 'response') return toJson(content.response)
  if (content.kind === 'messages') return toJson(content.messages)
  return toJson({ ...content.request, ...omitUndefined({ model }) })
}
