import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'markdown'

/** The slot of residue. The format has no hints. */
export const MARKDOWN_SLOT: Slot<never, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The headings of messages. */
export const ROLE_HEADINGS: { readonly [role in Message['role']]: string } = {
  system: '## System',
  developer: '## Developer',
  user: '## User',
  assistant: '## Assistant',
  tool: '## Tool',
}

/** The heading of the tools, before the first message. */
export const TOOLS_HEADING = '## Tools'

/** The headings of parts. The first text of a message needs none. */
export const PART_HEADINGS: { readonly [type in Part['type']]: string } = {
  text: '### Text',
  reasoning: '### Reasoning',
  refusal: '### Refusal',
  'tool-call': '### Tool call',
  'tool-result': '### Tool result',
  json: '### Data',
  image: '### Image',
  audio: '### Audio',
  video: '### Video',
  file: '### File',
  opaque: '### Other block',
}
