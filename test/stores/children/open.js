// @ts-check
// Opens a storage in a child process, from the build folder that the test passes.

/**
 * @param {string} built
 * @param {string} backend
 * @param {string} at
 */
export async function openStorage(built, backend, at) {
  const module = await import(`${built}/stores/${backend}/index.js`)
  return module[`${backend}Storage`](backend === 'redis' ? { url: at } : at)
}
