import type { JsonObject } from 'interlingua'
import { claude as body, pages, text } from './shared.ts'

/**
 * Bodies that servers accepted earlier, accept under conditions, or reject; the round trip must be exact for
 * all of them.
 */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  'choice without tools': body({ tool_choice: { type: 'none' }, tools: [] }),
  sampling: body({ temperature: 0.5, top_p: 0.25, top_k: 40, system: '' }),
  empty: body({
    system: [],
    messages: [
      { role: 'user', content: [{ type: 'text', text: '' }] },
      { role: 'assistant', content: [] },
      { role: 'user', content: '' },
      { role: 'user', content: [text('Still here')], id: 'own-key' },
    ],
    temperature: null,
  }),
  tomorrow: body({
    messages: [
      { role: 'user', content: [{ type: 'hologram', beam: 'Bright light' }, text('Look at this')] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Without a signature' },
          {
            type: 'mcp_tool_use',
            id: 'mcptoolu_1',
            name: 'lookup',
            server_name: 'library',
            input: { q: 'x' },
          },
          { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [text('Result')] },
          { type: 'compaction', content: 'Everything so far in short' },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Cited', citations: [{ type: 'char_location', ...pages }] }],
      },
    ],
    tools: [{ type: 'telescope_20270101', name: 'telescope', reach: 12 }, { nameless: 'A tool' }],
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    mcp_servers: [{ type: 'url', url: 'https://example.org/mcp', name: 'library' }],
  }),
}
