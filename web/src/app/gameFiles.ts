// Where games keep their files for the browser: in their folders, if they are built in; those of
// installed packages are linked into web/installed/ by scripts/client.py.
const FOLDERS = ['../../../src/watermeet/games', '../../installed'];

/** The file of a game among those that a glob found. */
export function gameFile<T>(found: Record<string, T>, game: string, file: string): T | undefined {
  const paths = FOLDERS.map((folder) => `${folder}/${game}/web/${file}`);
  return paths.map((path) => found[path]).find((one) => one !== undefined);
}
