import type { JsonObject } from '../../wire/json.ts'
import {
  type FormatSigns,
  hasItem,
  hasList,
  hasObject,
  isAny,
  isEvery,
  type MessageTest,
} from '../engine/format-signs.ts'
import { PAIR_KEYS } from './types.ts'

const hasWeight = ({ weight }: JsonObject): boolean => typeof weight === 'number'

/** Matches a preference pair: an input, and a preferred and another answer. */
export const isPair: MessageTest = isEvery(
  hasObject('input', hasList('messages')),
  isAny(...PAIR_KEYS.map(({ preferred, rejected }) => isEvery(hasList(preferred), hasList(rejected)))),
)

/** The signs of one line of a fine-tuning file. A line without them is read as a request of Chat Completions. */
export const signs: FormatSigns = {
  title: 'lines of OpenAI fine-tuning',
  item: 'a line',
  required: [['`messages`, or `input` with two outputs', isAny(hasList('messages'), isPair)]],
  marks: [
    ['a message with a `weight`', hasItem('messages', hasWeight)],
    ['a preference pair', isPair],
  ],
}
