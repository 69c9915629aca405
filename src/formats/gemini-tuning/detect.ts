import type { JsonObject } from '../../wire/json.ts'
import {
  type FormatSigns,
  hasItem,
  hasList,
  hasObject,
  isEvery,
  type MessageTest,
} from '../engine/format-signs.ts'

const hasScore = ({ score }: JsonObject): boolean => typeof score === 'number'

/** Matches a preference line: rated answers beside the contents. */
export const isRated: MessageTest = isEvery(
  hasList('contents'),
  hasItem('completions', isEvery(hasScore, hasObject('completion'))),
)

/** The signs of one line of a tuning file. A line without ratings is read as a request of Gemini. */
export const signs: FormatSigns = {
  title: 'lines of Gemini tuning',
  item: 'a line',
  required: [['`contents`: a list', hasList('contents')]],
  marks: [['`completions` with a `score`', isRated]],
}
