import type { ChatRequest } from '../../canonical/model/request.ts'
import type { DecodeOptions, EncodeOptions, Endpoint } from '../dialect.ts'
import { modelIn, unnamed } from '../shared/endpoints.ts'
import { flavorOf } from './flavors.ts'

/** The version of the API that the official client asks for. */
const API_VERSION = 'v1beta'

/** Models that have a folder of their own; all others are in `models`. */
const resource = /^(models|tunedModels)\/(.*)$/s

/** Where a request goes: the path names the model, and whether the answer is streamed. */
export function endpoint(request: ChatRequest, options: EncodeOptions): Endpoint {
  const model = modelIn(request, options)
  const [, folder = 'models', name = model] = resource.exec(model) ?? []
  if (name === '') throw unnamed()
  const version = `/${encodeURIComponent(options.apiVersion ?? API_VERSION)}/${folder}`
  // Nothing in the name may end its segment of the path, nor begin another method.
  const path = `${flavorOf(options)?.models ?? version}/${encodeURIComponent(name)}`
  return request.stream === true
    ? { path: `${path}:streamGenerateContent`, query: { alt: 'sse' } }
    : { path: `${path}:generateContent` }
}

/** What the path of a request says about it. */
export function readPath({ path }: DecodeOptions): Pick<ChatRequest, 'model' | 'stream'> {
  const [, folder, name = '', method] =
    /(?:^|\/)(models|tunedModels)\/([^/:?#]+):(streamGenerateContent|generateContent)(?:$|[?#])/.exec(
      path ?? '',
    ) ?? []
  if (method === undefined) return {}
  const model = decoded(name)
  return {
    model: folder === 'tunedModels' ? `${folder}/${model}` : model,
    stream: method === 'streamGenerateContent',
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
