import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart, MediaPart, ReasoningPart, TextPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { isTimestamp } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isObject, type Json, type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { defineFinishReasonWords } from '../engine/finish-reason-words.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { requireObject, requireText } from '../engine/require-fields.ts'
import { NAME, PYDANTIC_SLOT } from './constants.ts'
import { readMediaFields, writeMediaFields } from './media.ts'
import { addSignature, writeGoogleSignature, writeReasoningSignature } from './signatures.ts'
import { readCall, readResult, writeCall, writeResult } from './tool-parts.ts'

/** The names of reasoning that the provider hides. */
const REDACTED_ID = 'redacted_thinking'

const finishWords = /* @__PURE__ */ defineFinishReasonWords(
  [
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_call', 'tool-calls'],
    ['error', 'error'],
  ],
  { refusal: 'content_filter', aborted: 'error', pause: 'stop', other: 'stop' },
)

/** Reads a response as an assistant message. */
export function readResponse(wire: JsonObject, path: Path, context: ReadingContext): Message {
  const at = child(path, 'parts')
  const parts = (wire['parts'] as readonly Json[]).map((part, index) =>
    readPart(requireObject(part, child(at, index), 'a part'), wire['provider_name'], child(at, index)),
  )
  const { timestamp, model_name: model, provider_name: provider, finish_reason: finish } = wire
  const responseId = wire['provider_response_id'] ?? wire['vendor_id']
  const origin = {
    ...(typeof provider === 'string' && { provider }),
    ...(typeof model === 'string' && { model }),
    ...(typeof responseId === 'string' && { responseId }),
  }
  const fields = {
    id: context.messageId(),
    role: 'assistant',
    content: parts,
    ...(Object.keys(origin).length > 0 && { origin: { dialect: NAME, ...origin } }),
    ...omitUndefined({
      createdAt: isTimestamp(timestamp) ? timestamp : undefined,
      usage: readUsage(wire['usage']),
      finish: finishWords.read(finish),
    }),
  }
  const message = checkAndFreezeMessage(fields as unknown as AssistantMessage, path)
  return attachResidue(
    message,
    PYDANTIC_SLOT,
    {},
    wire,
    (unit) => writeResponse(unit, path, silentReporter),
    { aliases: { provider_response_id: ['vendor_id'] } },
  )
}

function readPart(wire: JsonObject, provider: Json | undefined, path: Path): AssistantPart {
  switch (readStringOrEmpty(wire['part_kind'])) {
    case 'text': {
      const part: TextPart = { type: 'text', text: requireText(wire, 'content', path) }
      return keepResidue(addSignature(checkAndFreezePart(part, path), wire), wire)
    }
    case 'thinking': {
      const part: ReasoningPart = {
        type: 'reasoning',
        text: requireText(wire, 'content', path),
        ...(wire['id'] === REDACTED_ID && { redacted: true as const }),
      }
      const vendor = wire['provider_name'] ?? provider
      return keepResidue(addSignature(checkAndFreezePart(part, path), wire, vendor ?? null), wire)
    }
    case 'tool-call':
    case 'builtin-tool-call':
      return readCall(wire, path)
    case 'builtin-tool-return':
      return readResult(wire, path)
    case 'file':
      if (isObject(wire['content']) && wire['content']['kind'] === 'binary') {
        const { part, hints } = readMediaFields(wire['content'], child(path, 'content'))
        return keepResidue(part, wire, hints)
      }
  }
  return keepPart(NAME, wire, path)
}

function keepResidue<T extends TextPart | ReasoningPart | MediaPart>(
  part: T,
  wire: JsonObject,
  hints: { readonly standard?: boolean } = {},
): T {
  return attachResidue(part, PYDANTIC_SLOT, hints, wire, (unit) => writePart(unit, undefined, silentReporter))
}

function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined
  const pick = (key: string): number | undefined => {
    const value = usage[key]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  const inputTokens = pick('input_tokens')
  const outputTokens = pick('output_tokens')
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...omitUndefined({
      cachedInputTokens: pick('cache_read_tokens'),
      cacheWriteTokens: pick('cache_write_tokens'),
    }),
  }
}

/** Writes a response. */
export function writeResponse(message: AssistantMessage, path: Path, report: FormatReporter): JsonObject {
  const { origin, usage, finish, createdAt } = message
  const parts = message.content.flatMap((part, index): readonly JsonObject[] => {
    const wire = writePart(part, child(child(path, 'content'), index), report)
    return wire === undefined ? [] : [wire]
  })
  if (usage?.reasoningTokens !== undefined)
    report.add('message-field', child(child(path, 'usage'), 'reasoningTokens'))
  const wire = omitUndefined({
    parts,
    usage: usage && writeUsage(usage),
    model_name: origin?.model,
    timestamp: createdAt,
    kind: 'response',
    provider_name: origin?.provider,
    provider_response_id: origin?.responseId,
    finish_reason: finish && finishWords.write(finish, child(path, 'finish'), report),
  }) as JsonObject
  return applyResidue(wire, message, PYDANTIC_SLOT)
}

function writeUsage(usage: Usage): JsonObject {
  return omitUndefined({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
  })
}

function writePart(
  part: AssistantPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  if (part.cache !== undefined) report.add('cache-hint', child(path, 'cache'))
  switch (part.type) {
    case 'text':
    case 'refusal': {
      if (part.type === 'refusal') report.add('refusal-as-text', path)
      const signature = writeGoogleSignature(part, path, report)
      return applyResidue({ content: part.text, ...signature, part_kind: 'text' }, part, PYDANTIC_SLOT)
    }
    case 'reasoning': {
      const wire = {
        content: part.text,
        ...(part.redacted && { id: REDACTED_ID }),
        ...writeReasoningSignature(part, path, report),
        part_kind: 'thinking',
      }
      return applyResidue(wire, part, PYDANTIC_SLOT)
    }
    case 'tool-call':
      return writeCall(part, path, report)
    case 'tool-result':
      return writeResult(part, { kind: 'builtin-tool-return' }, path, report)
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeFile(part, path, report)
  }
}

/** Writes a file of an answer, which must be data. */
function writeFile(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject | undefined {
  if (part.source.kind === 'url' || part.source.kind === 'id') {
    report.add('dropped-media', path)
    return undefined
  }
  if (part.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const content = writeMediaFields(part, path, report)
  return applyResidue({ content, part_kind: 'file' }, part, PYDANTIC_SLOT)
}
