import type { JsonObject } from 'interlingua'

/** Bodies of the made-up format of `examples/own-dialect`. */
export const requests: readonly JsonObject[] = [
  { engine: 'parley-1', turns: [{ by: 'human', say: 'Hi' }], live: false },
  {
    engine: 'parley-1',
    brief: 'Be brief.',
    heat: 0.5,
    limit: 100,
    hush: ['END'],
    live: true,
    shade: { blue: 1 },
    tools: [
      { tool: 'weather', about: 'The weather.', takes: { type: 'object', properties: {} }, cached: true },
    ],
    turns: [
      {
        by: 'human',
        mood: 'good',
        say: [
          { kind: 'words', words: 'Weather of this place?', accent: 'plain' },
          { kind: 'picture', url: 'https://example.com/place.png' },
          { kind: 'picture', base64: 'AAAA', mime: 'image/png', alt: 'a place' },
          { kind: 'smell', of: 'rain' },
        ],
      },
      {
        by: 'bot',
        say: [
          { kind: 'thought', words: 'I need the tool.' },
          { kind: 'words', words: '' },
          { kind: 'use', id: 'c1', tool: 'weather', with: { city: 'Oslo' }, pace: 'fast' },
        ],
      },
      { by: 'tool', say: [{ kind: 'used', id: 'c1', gave: 'Rain', failed: true, tookMs: 3 }] },
      { by: 'bot', say: [] },
      { by: 'crowd', say: [{ kind: 'words', words: 'Boo' }] },
      { by: 'human', say: [{ kind: 'words', words: 'Thanks.' }] },
    ],
  },
]

export const responses: readonly JsonObject[] = [
  {
    id: 'r1',
    engine: 'parley-1',
    say: [
      { kind: 'thought', words: 'Hm.', depth: 3 },
      { kind: 'words', words: 'Hello!' },
    ],
    why: 'done',
    spent: { in: 5, out: 7, warmUp: 1 },
    server: 'a',
  },
  {
    id: 'r2',
    engine: 'parley-1',
    say: [{ kind: 'use', id: 'c1', tool: 'weather', with: { city: 'Oslo' } }],
    why: 'tools',
  },
  { say: 'Plain text', why: 'bored' },
  { id: 'r3', engine: 'parley-1', say: [{ kind: 'smell', of: 'rain' }] },
]

export const streams: readonly (readonly JsonObject[])[] = [
  [
    { event: 'open', id: 'r1', engine: 'parley-1', region: 'north' },
    { event: 'block', at: 0, block: { kind: 'thought', words: '', depth: 2 } },
    { event: 'more', at: 0, piece: 'Hm.' },
    { event: 'close', at: 0 },
    { event: 'beat' },
    { event: 'block', at: 1, block: { kind: 'words', words: 'Hel' } },
    { event: 'more', at: 1, piece: 'lo', padding: 'xx' },
    { event: 'close', at: 1 },
    { event: 'block', at: 2, block: { kind: 'use', id: 'c1', tool: 'weather', with: {} } },
    { event: 'more', at: 2, piece: '{"city":' },
    { event: 'more', at: 2, piece: '"Oslo"}' },
    { event: 'close', at: 2 },
    { event: 'block', at: 3, block: { kind: 'use', id: 'c2', tool: 'weather', with: { city: 'Rome' } } },
    { event: 'close', at: 3 },
    { event: 'block', at: 4, block: { kind: 'smell', of: 'rain' } },
    { event: 'more', at: 4, piece: 'ignored' },
    { event: 'close', at: 4 },
    { event: 'end', why: 'tools', spent: { in: 5, out: 7 } },
  ],
  [
    { event: 'block', at: 7, block: { kind: 'words', words: '' } },
    { event: 'more', at: 7, piece: 'No start, odd position.' },
    { event: 'end', why: 'full' },
  ],
]
