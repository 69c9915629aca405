import type { Translated } from '../../canonical/model/loss.ts'
import { toJson } from '../../canonical/stored/stored.ts'
import type { EncodeOptions, Flavor } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/translate.ts'
import { type Content, type FormName, isDialect } from '../input/document.ts'

/** What the input is to become. */
export interface Target {
  readonly to: FormName
  /** The host that a request goes to. */
  readonly flavor?: Flavor
  /** The model that a request asks, in place of its own. */
  readonly model?: string
}

/** How to write for a target. */
export function encodingFor({ flavor, model }: Target): EncodeOptions {
  return { ...(flavor !== undefined && { flavor }), ...(model !== undefined && { model }) }
}

/** What was read, in the form of the target. */
export function writeContent(content: Content, target: Target): Translated<unknown> {
  const { to } = target
  if (!isDialect(to)) return { value: stored(content, target), losses: [] }
  const options = encodingFor(target)
  if (content.kind === 'response') return dialects[to].encodeResponse(content.response, options)
  const request = content.kind === 'request' ? content.request : { messages: content.messages }
  return dialects[to].encodeRequest(request, options)
}

function stored(content: Content, { model }: Target): unknown {
  if (content.kind === 'response') return toJson(content.response)
  if (content.kind === 'messages') return toJson(content.messages)
  return toJson({ ...content.request, ...(model !== undefined && { model }) })
}
