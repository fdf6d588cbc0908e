import { describe, expect, test } from 'vitest';
import { goalOf, headings, render, splitNotes } from './markdown';

test('headings make a table of contents', () => {
  expect(headings('# One\n## R1 The board\ntext\n### Three\n## Notation')).toEqual([
    { anchor: 'r1-the-board', title: 'R1 The board' },
    { anchor: 'notation', title: 'Notation' },
  ]);
});

describe('markdown', () => {
  test('headings, paragraphs, lists', () => {
    expect(render('# A b\n\ntext\ngoes on\n\n- one\n  more\n- two')).toBe(
      '<h1 id="a-b">A b</h1>\n<p>text goes on</p>\n<ul><li>one more</li><li>two</li></ul>',
    );
  });

  test('emphasis, code and links', () => {
    expect(render('**R1.1** *so* `a*b*c` [x](https://y) [z](other.md)')).toBe(
      '<p><strong>R1.1</strong> <em>so</em> <code>a*b*c</code> <a href="https://y">x</a> z</p>',
    );
  });

  test('tables and blocks of code', () => {
    expect(render('| a | b |\n|---|---|\n| 1 | 2 |')).toContain(
      '<th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>',
    );
    expect(render('- one\n\n  | a |\n  | --- |\n  | 1 |\n\n- two')).toMatch(
      /^<ul><li>one<\/li><\/ul>\n<div.*<th>a<.*<td>1<.*\n<ul><li>two<\/li><\/ul>$/,
    );
    expect(render('```\na < b\n```')).toBe('<pre tabindex="0">a &lt; b</pre>');
  });

  test('raw HTML is escaped, and only safe links are links', () => {
    expect(render('<script>x</script> [a](javascript:x)')).toBe(
      '<p>&lt;script&gt;x&lt;/script&gt; a</p>',
    );
  });
});

test('pictures stand beside the words before them', () => {
  const pictures = { address: (file: string) => `/${file}`, signs: { '✗': 'Not allowed:' } };
  const html = render(
    '### A\n\nwords\n\n![✗ no `a1`](x.svg)\n\n![two\nlines](y.svg)\n\n## B',
    pictures,
  );
  expect(html).toContain('<div class="block"><div>\n<h3 id="a">A</h3>\n<p>words</p>\n</div>\n<div');
  expect(html).toContain('<figure><img src="/x.svg" alt=""');
  expect(html).toMatch(
    /sign illegal.*Not allowed:.*no <code>a1<.*<figcaption>two lines<.*<\/div>\n<h2/s,
  );
});

test('a picture of both legal and illegal moves has both signs', () => {
  const pictures = { address: (file: string) => file, signs: { '✓': 'Allowed:' } };
  const html = render('![✓ ✗ this, not that](x.svg)', pictures);
  expect(html).toMatch(/sign legal.*✓<.*sign illegal.*✗<\/span> this, not that/);
  expect(html).not.toContain('Allowed:');
});

test('the rules are read without the notes on where they come from', () => {
  const text =
    '# G\n\nA game.\n\nNotes: *sheet*.\n\n## R1\n\n- **R1.1** One *(sheet;\n  x)*\n- **R1.2** Two.';
  expect(splitNotes(text)).toEqual({
    rules: '# G\n\nA game.\n\n## R1\n\n- **R1.1** One\n- **R1.2** Two.',
    notes: 'Notes: *sheet*.\n\n- **R1.1** sheet; x',
  });
});

const PAGES = import.meta.glob<string>('../../../src/watermeet/games/*/web/learn/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});
test.each(Object.entries(PAGES))(
  '%s begins with the goal, one sentence that fits a card',
  (_, text) => {
    const { goal, picture } = goalOf(text);
    expect(goal).toMatch(/^[^.]{20,140}\.$/s);
    expect(picture).toBe('goal.svg');
  },
);
