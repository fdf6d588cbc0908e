// Flow in words: cells, edges, animals, waves.
import type { Translate } from '@watermeet/board/gameModule';
import type { Animal, Cell, FlowBoard } from './view';

export function edgeWords(edges: string, t: Translate): string {
  return [...edges]
    .filter((edge) => 'NESW'.includes(edge))
    .map((edge) => t(edge))
    .join(' ');
}

/** How far an animal is. */
export function progressWords(animal: Animal, t: Translate): string {
  if (animal.connected) return t('connected');
  return animal.missing === null ? t('cutOff') : t('toGo', { count: animal.missing });
}

/** What is in a cell. */
export function cellWords(cell: Cell, board: FlowBoard, t: Translate): string[] {
  const animal = board.animals.find((one) => one.cell === cell.name);
  const what =
    animal?.name ??
    (cell.name === board.boat.cell ? 'theBoat' : cell.scenario ? 'scenario' : cell.tile);
  const parts = [t(what ?? 'empty'), edgeWords(cell.edges, t)];
  if (animal) parts.push(progressWords(animal, t));
  else if (cell.wet) parts.push(t('wet'));
  if (cell.bird) parts.push(t('withBird'));
  return parts;
}

/** What a wave hit and took; without a count, what it hit. */
export function waveWords(
  { row, column }: { row: number | null; column: number | null },
  count: number | null,
  t: Translate,
): string {
  const values = { row: (row ?? 0) + 1, column: 'abcdefg'[column ?? 0] ?? '' };
  const where = t(row === null ? 'waveColumn' : column === null ? 'waveRow' : 'waveBoth', values);
  return count === null ? where : `${where} ${t('swept', { count })}`;
}
