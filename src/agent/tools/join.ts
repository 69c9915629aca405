import { freeNames } from '../../canonical/check/names.ts'
import type { AgentTool } from './tool.ts'

/**
 * Lists of tools as one list. A name that occurs in several lists is set apart by the name of its list: `read` of `files` and of
 * `mail` become `files_read` and `mail_read`; all others keep their names.
 *
 * @example
 * new Agent({ model, tools: joinTools({ files: await files.tools(), mail: await mail.tools() }) })
 */
export function joinTools(lists: { readonly [list: string]: readonly AgentTool[] }): readonly AgentTool[] {
  const entries = Object.entries(lists)
  const counts = new Map<string, number>()
  for (const { name } of entries.flatMap(([, tools]) => tools)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const alone = [...counts].flatMap(([name, count]) => (count === 1 ? name : []))
  const freeName = freeNames(new Set(alone))
  return entries.flatMap(([list, tools]) =>
    tools.map((each) =>
      counts.get(each.name) === 1 ? each : renamed(each, freeName(`${list}_${each.name}`)),
    ),
  )
}

/** The tool under another name. */
function renamed(tool: AgentTool, name: string): AgentTool {
  return Object.freeze({ ...tool, name, definition: Object.freeze({ ...tool.definition, name }) })
}
