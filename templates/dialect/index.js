// @ts-check
// The dialect 'acme'. The other files of this folder describe its wire format.
import { createBlockCodec, defineDialect } from 'interlingua/dialects/kit'
import { blocks, message, tool } from './blocks.js'
import { errors } from './errors.js'
import { request } from './request.js'
import { finishReasons, response, usage } from './response.js'
import { stream } from './stream.js'

export const acmeDialect = defineDialect(
  createBlockCodec({
    name: 'acme',
    endpoint: '/chat', // TODO: the path of requests, below the base URL
    request,
    message,
    blocks,
    tool,
    response,
    finishReasons,
    usage,
    stream,
    errors,
  }),
)
