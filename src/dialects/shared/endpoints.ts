import type { ChatRequest } from '../../canonical/model/request.ts'
import { InterlinguaError } from '../../errors.ts'
import type { EncodeOptions } from '../dialect.ts'

/** The model as a segment of a path: nothing in its name may end the segment, nor begin another method. */
export function modelSegment(request: ChatRequest, options: EncodeOptions): string {
  return encodeURIComponent(modelIn(request, options))
}

/** The model that a path names. */
export function modelIn(request: ChatRequest, options: EncodeOptions): string {
  const model = options.model ?? request.model ?? ''
  if (model === '') throw unnamed()
  return model
}

/** The error of a request that does not say which model its path is to name. */
export function unnamed(): InterlinguaError {
  return new InterlinguaError('missing-field', 'The path of a request names its model', {
    path: '/model',
    found: 'nothing',
    expected: 'the name of a model',
    hint: 'Say it in the request, or with the option `model`.',
  })
}
