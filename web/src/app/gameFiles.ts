// Where games keep their files for the browser: in their folders, if they are built in; those of
// installed packages are linked into web/installed/ by scripts/client.py.
const BUILT_IN = '../../../src/watermeet/games';
const INSTALLED = '../../installed';

/** The file of a game among those that a glob found. */
export function gameFile<T>(found: Record<string, T>, game: string, file: string): T | undefined {
  return found[`${BUILT_IN}/${game}/web/${file}`] ?? found[`${INSTALLED}/${game}/web/${file}`];
}

/** Whether the files of a game that a glob found come from an installed package. */
export function isInstalled(found: Record<string, unknown>, game: string): boolean {
  return Object.keys(found).some((path) => path.startsWith(`${INSTALLED}/${game}/web/`));
}
