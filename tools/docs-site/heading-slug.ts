/** Returns the anchor of a heading, given without its markup, as GitHub writes it: one link works there and on the site. */
export function toHeadingSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
