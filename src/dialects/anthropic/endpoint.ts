import type { ChatRequest } from '../../canonical/model/request.ts'
import type { EncodeOptions, Endpoint } from '../dialect.ts'
import { modelSegment } from '../shared/endpoints.ts'
import { flavorOf } from './flavors.ts'
import { API_VERSION } from './settings.ts'

/** Where a request goes: the provider is told the version beside the body, and a cloud the model in the path. */
export function endpoint(request: ChatRequest, options: EncodeOptions): Endpoint {
  const cloud = flavorOf(options)
  if (cloud !== undefined)
    return { path: cloud.path(modelSegment(request, options), request.stream === true) }
  return { path: '/v1/messages', headers: { 'anthropic-version': options.apiVersion ?? API_VERSION } }
}
