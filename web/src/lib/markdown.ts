// Renders the Markdown that rules are written in: headings, paragraphs, lists, tables, code, emphasis
// and links. Everything is escaped first, so a text can't bring its own markup. A library would make
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

/** A text as HTML. */
export function render(text: string): string {
  const out: string[] = [];
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
    else if (line.startsWith('```')) {
      at++;
      out.push(
        `<pre tabindex="0">${escape(take((one) => !one.startsWith('```')).join('\n'))}</pre>`,
      );
      at++;
    } else if (heading) {
      const level = heading[1]?.length ?? 1;
      const words = heading[2] ?? '';
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
  return out.join('\n');
}
