// @ts-check
import { createSseFraming } from 'interlingua/dialects/kit'

/**
 * The payloads of a stream: how they are read, and how they are written.
 *
 * @type {import('interlingua/dialects/kit').BlockStream}
 */
export const stream = {
  framing: createSseFraming(), // TODO: ndjsonFraming, if the provider sends one JSON value per line
  read(payload, reader) {
    // TODO: the payloads of the provider; return [] for others, which are kept unchanged
    switch (payload['type']) {
      case 'start':
        return reader.start(payload)
      case 'block_start':
        return reader.openBlock(payload['index'], payload['block'])
      case 'block_delta':
        return reader.addPiece(payload['index'], payload['delta'])
      case 'block_end':
        return reader.closeBlock(payload['index'])
      case 'end':
        return reader.finish(payload)
      default:
        return []
    }
  },
  writeStart: (fields) => ({ type: 'start', ...fields }),
  writeBlock: (index, block) => ({ type: 'block_start', index, block }),
  writePiece: (index, delta) => ({ type: 'block_delta', index, delta }),
  writeBlockEnd: (index) => ({ type: 'block_end', index }),
  writeFinish: (fields) => ({ type: 'end', ...fields }),
}
