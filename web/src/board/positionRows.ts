// The rows in the texts of positions, such as `5/1r3/2b*2`: a letter for each piece, with a mark where
// it has one, and numbers for runs of empty cells. For editors of positions.

/** The cells of each row; empty texts are empty cells. */
export function readRows(text: string): string[][] {
  return text
    .split('/')
    .map((row) =>
      (row.match(/\d+|[a-z]\*?|\./gi) ?? []).flatMap((word) =>
        /^\d/.test(word)
          ? Array.from({ length: Math.min(Number(word), 100) }, () => '')
          : [word === '.' ? '' : word],
      ),
    );
}

export function writeRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => {
      let [text, empty] = ['', 0];
      for (const piece of [...row, null]) {
        if (piece === '') empty++;
        else {
          text += `${empty || ''}${piece ?? ''}`;
          empty = 0;
        }
      }
      return text;
    })
    .join('/');
}

/** The rows with a piece in a cell, counted from the first of the first row. */
export function putAt(text: string, index: number, piece: string): string {
  let from = 0;
  const rows = readRows(text).map((row) => {
    const place = index - from;
    from += row.length;
    return row.map((own, at) => (at === place ? piece : own));
  });
  return writeRows(rows);
}

/** A field such as `board=7/7` of a text of fields; empty if there is none. */
export function fieldOf(text: string, name: string): string {
  return (
    text
      .split(' ')
      .flatMap((word) => (word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []))[0] ??
    ''
  );
}

/** The text with another value of a field; without the field if the value is empty. */
export function withField(text: string, name: string, value: string): string {
  const words = text.split(' ').filter((word) => word && !word.startsWith(`${name}=`));
  return [...words, ...(value ? [`${name}=${value}`] : [])].join(' ');
}

/** The seat in the first field of a text, such as `turn=1`. */
export const seatOf = (text: string): string => /^[a-z]+=(\d+)/.exec(text)?.[1] ?? '';
export const withSeat = (text: string, seat: string): string =>
  text.replace(/^([a-z]+=)\d+/, `$1${seat}`);
