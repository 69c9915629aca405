import type { Part } from '../../../canonical/model/part.ts'
import { toJson } from '../../../canonical/stored/stored-form.ts'
import { dialects } from '../../../dialects/dialects.ts'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import type { EncodedTarget } from './encode-target.ts'
import type { LensContent } from './lens-document.ts'
import { writeSdkCall } from './write-sdk-call.ts'
import { type CopyForm, lensTargets } from './lens-targets.ts'

const format = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** Returns the text of a target in a form. */
export function writeCopy(
  form: CopyForm,
  content: LensContent,
  target?: { readonly name: DialectName; readonly encoded: EncodedTarget },
): string {
  if (form === 'canonical' || target === undefined)
    return format(toJson(content.kind === 'request' ? content.request : content.response))
  const { name, encoded } = target
  const body = format(encoded.body)
  if (form === 'body' || content.kind === 'response') return body
  const model = encoded.model ?? lensTargets[name].models[0] ?? ''
  if (form === 'curl') return writeCurl(name, content, body, model)
  if (form === 'sdk')
    return writeSdkCall(name, encoded.body, { model, stream: content.request.stream === true })
  return writeInterlinguaCall(name, content, model)
}

/** Quotes a text for a shell: nothing inside of single quotes is interpreted. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function writeCurl(
  name: DialectName,
  { request }: LensContent & { readonly kind: 'request' },
  body: string,
  model: string,
): string {
  const { baseUrl, keyHeader } = lensTargets[name]
  const { path, query = {}, headers = {} } = dialects[name].endpoint(request, { model })
  const search = new URLSearchParams(query).toString()
  const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`
  const lines = [
    `curl ${quote(url)}`,
    `-H 'Content-Type: application/json'`,
    // In double quotes, so that the shell inserts the key.
    `-H "${keyHeader}"`,
    ...Object.entries(headers).map(([header, value]) => `-H ${quote(`${header}: ${value}`)}`),
    `-d ${quote(body)}`,
  ]
  return `${lines.join(' \\\n  ')}\n`
}

/** Writes the call with this library. Values that only restore the original body are omitted. */
function writeInterlinguaCall(
  name: DialectName,
  { request }: LensContent & { readonly kind: 'request' },
  modelName: string,
): string {
  const { model: _model, messages, tools, ...settings } = omitExtra(request)
  const input = {
    ...settings,
    ...(tools !== undefined && { tools: tools.map(omitExtra) }),
    messages: Array.from(messages, (message) => ({
      ...omitExtra(message),
      content: message.content.map((part: Part) => omitExtra(part)),
    })),
  }
  const call = `model(${JSON.stringify(`${name}:${modelName}`)}).generate(${format(input)})`
  return `import { model } from 'interlingua/providers'\n\nconst reply = await ${call}\n`
}

function omitExtra<T extends { readonly extra?: unknown }>({ extra: _extra, ...rest }: T): Omit<T, 'extra'> {
  return rest
}
