import { demo } from '../client/demo.ts'
import type { Model } from '../client/model.ts'
import { InterlinguaError } from '../errors.ts'
import { model } from '../providers/index.ts'
import type { Terminal } from './terminal.ts'

/** The model that is there when nothing is configured. */
export const DEMO = 'demo'

/** A model by its name: `demo`, or `<provider>:<model>`. */
export function modelNamed(name: string, terminal: Terminal): Model {
  if (name === DEMO) return demo({ pace: terminal.stdout.isTTY === true ? 15 : 0 })
  try {
    return model(name)
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'unknown-id') throw error
    throw new InterlinguaError('unknown-id', error.message, {
      found: name,
      expected: `'${DEMO}', or '<provider>:<model>'`,
      hint: 'interlingua providers lists the providers.',
    })
  }
}
