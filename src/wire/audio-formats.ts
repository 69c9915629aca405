import { createTwoWayTable, type TwoWayTable } from './two-way-table.ts'

/** Audio formats by media type. */
export const audioFormatTable: TwoWayTable<string, string> = /* @__PURE__ */ createTwoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])
