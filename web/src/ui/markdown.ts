// Renders the Markdown that rules are written in: headings, paragraphs, lists, tables, code, emphasis,
// links and pictures. Everything is escaped first, so a text can't bring its own markup. A library would make
// the rules page four (marked) to ten times (markdown-it) larger.

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function inline(text: string): string {
  const codes: string[] = [];
  return escape(text)
    .replaceAll(/`([^`]+)`/g, (_, code: string) => `\ue000${codes.push(code) - 1}\ue000`)
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, target: string) =>
      /^(https?:|#|\/)/.test(target) ? `<a href="${target}">${words}</a>` : words,
    )
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])[*_]([^*_]+)[*_](?![\w*])/g, '<em>$1</em>')
    .replaceAll(
      /\ue000(\d+)\ue000/g,
      (_, number: string) => `<code>${codes[Number(number)] ?? ''}</code>`,
    );
}

/** Whether a line belongs to a table, which may be indented within a list item. */
function isRow(line: string): boolean {
  return line.trimStart().startsWith('|');
}

function table(lines: string[]): string {
  const rows = lines
    .filter((line) => !/^\|[\s:|-]+\|$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => inline(cell.trim())),
    );
  const [head = [], ...body] = rows;
  const line = (cells: string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="scroll" tabindex="0"><table><thead>${line(head, 'th')}</thead><tbody>${body.map((row) => line(row, 'td')).join('')}</tbody></table></div>`;
}

function list(lines: string[]): string {
  const items: string[] = [];
  for (const line of lines) {
    const found = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (found) items.push(found[1] ?? '');
    else items[items.length - 1] = `${items.at(-1) ?? ''} ${line.trim()}`;
  }
  const tag = /^\s*\d+\./.test(lines[0] ?? '') ? 'ol' : 'ul';
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`;
}

/** The id of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The second-level headings, for a table of contents. */
export function headings(text: string): { anchor: string; title: string }[] {
  return [...text.matchAll(/^## +(.*)$/gm)].map(([, title = '']) => ({
    anchor: anchor(title),
    title,
  }));
}

/** The goal of a game, with which a page to learn it begins, and the file of the picture below. */
export function goalOf(text: string): { goal: string; picture: string } {
  const [, goal = '', ...rest] = text.split(/\n{2,}/);
  const [, , picture = ''] = PICTURE.exec(rest.find((part) => part.startsWith('![')) ?? '') ?? [];
  return { goal, picture };
}

/** How a text's pictures are shown: their addresses, and what the signs ✓ and ✗ mean. */
export interface Pictures {
  address(file: string): string;
  signs: Record<string, string>;
}

const PICTURE = /^!\[([^\]]+)\]\(([^)\s]+)\)$/;

function figure(caption: string, file: string, pictures: Pictures): string {
  const leading = /^(?:[✓✗] )*/.exec(caption)?.[0] ?? '';
  const signs = leading.split(' ').filter(Boolean);
  const marks = signs.map(
    (sign) =>
      `<span class="sign ${sign === '✓' ? 'legal' : 'illegal'}" aria-hidden="true">${sign}</span> `,
  );
  // With both signs, the words say which is which.
  const [only = ''] = signs.length === 1 ? signs : [];
  const spoken = only && `<span class="hidden-text">${escape(pictures.signs[only] ?? '')}</span> `;
  const image = `<img src="${escape(pictures.address(file))}" alt="" width="320" height="320">`;
  const words = inline(caption.slice(leading.length));
  return `<figure>${image}<figcaption>${marks.join('')}${spoken}${words}</figcaption></figure>`;
}

/**
 * The rules in Markdown without the notes on where they come from, and those notes: what `*(…)*` in
 * a paragraph says, and all paragraphs of the introduction but the first.
 */
export function splitNotes(text: string): { rules: string; notes: string } {
  const at = text.indexOf('\n## ');
  const [title = '', first = '', ...others] = text
    .slice(0, at)
    .trim()
    .split(/\n{2,}/);
  const notes: string[] = [];
  const body = text
    .slice(at)
    .replaceAll(/\s*\*\(([^*]+)\)\*/g, (_, note: string, place: number) => {
      const before = text.slice(0, at + place);
      const number = [...before.matchAll(/^- \*\*(R[\d.]+)\*\*/gm)].at(-1)?.[1];
      notes.push(`- **${number ?? ''}** ${note.replaceAll(/\s+/g, ' ')}`);
      return '';
    });
  return {
    rules: `${title}\n\n${first}\n${body}`,
    notes: [...others, notes.join('\n')].join('\n\n'),
  };
}

/**
 * A text as HTML. With pictures, the title and every third-level heading begin a block of two parts:
 * words, and the pictures that follow them.
 */
export function render(text: string, pictures?: Pictures): string {
  const out: string[] = [];
  let block: 'none' | 'words' | 'pictures' = 'none';
  const endBlock = (): void => {
    if (block !== 'none') out.push(block === 'words' ? '</div></div>' : '</div>');
    block = 'none';
  };
  const lines = text.split('\n');
  let at = 0;
  const take = (test: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && test(lines[at] ?? '')) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^(#{1,4})\s+(.*)$/.exec(line);
    if (!line.trim()) at++;
    else if (pictures && line.startsWith('![')) {
      const figures: string[] = [];
      while ((lines[at] ?? '').startsWith('![')) {
        const [, caption, file] = PICTURE.exec(take((one) => one.trim() !== '').join(' ')) ?? [];
        if (caption && file) figures.push(figure(caption, file, pictures));
        take((one) => one.trim() === '');
      }
      if (block === 'words') out.push('</div>');
      if (block !== 'none') block = 'pictures';
      out.push(`<div class="figures">${figures.join('')}</div>`);
    } else if (line.startsWith('```')) {
      at++;
      out.push(
        `<pre tabindex="0">${escape(take((one) => !one.startsWith('```')).join('\n'))}</pre>`,
      );
      at++;
    } else if (heading) {
      const level = heading[1]?.length ?? 1;
      const words = heading[2] ?? '';
      endBlock();
      if (pictures && level !== 2) {
        out.push('<div class="block"><div>');
        block = 'words';
      }
      out.push(`<h${level} id="${anchor(words)}">${inline(words)}</h${level}>`);
      at++;
    } else if (isRow(line)) out.push(table(take(isRow).map((one) => one.trim())));
    else if (/^\s*(?:[-*]|\d+\.)\s/.test(line))
      out.push(list(take((one) => one.trim() !== '' && !one.startsWith('#'))));
    else
      out.push(
        `<p>${inline(take((one) => one.trim() !== '' && !/^(#|\||```|[-*] |\d+\. )/.test(one)).join(' '))}</p>`,
      );
  }
  endBlock();
  return out.join('\n');
}
