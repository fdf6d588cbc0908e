// Formats messages in the part of ICU MessageFormat that our texts need: `{name}`, plurals such as
// `{count, plural, =0 {nobody} one {# player} other {# players}}`, and choices such as
// `{who, select, you {You win} other {{name} wins}}`. Branches may nest. An apostrophe is a letter.

export type Values = Record<string, string | number>;
export interface Choice {
  kind: 'plural' | 'select';
  name: string;
  branches: Record<string, Part[]>;
}
/** Literal text, an argument to fill in, the number of the enclosing plural, or a choice. */
export type Part = string | { kind: 'argument'; name: string } | { kind: 'number' } | Choice;

const parsed = new Map<string, Part[]>();
const rules = new Map<string, Intl.PluralRules>();

/** The parts of a message. Throws SyntaxError where it is malformed. */
export function parse(message: string): Part[] {
  let at = 0;
  function read(pattern: RegExp): string {
    const found = new RegExp(pattern, 'y');
    found.lastIndex = at;
    const text = found.exec(message)?.[0];
    if (text === undefined) throw new SyntaxError(`${message.slice(0, at)} <-- ${pattern.source}`);
    at += text.length;
    return text;
  }
  function parts(isPlural: boolean): Part[] {
    const found: Part[] = [];
    while (at < message.length && message[at] !== '}') {
      if (message[at] === '{') found.push(argument(isPlural));
      else if (isPlural && message[at] === '#') found.push(read(/#/) && { kind: 'number' });
      else found.push(read(isPlural ? /[^{}#]+/ : /[^{}]+/));
    }
    return found;
  }
  function argument(isPlural: boolean): Part {
    const name = read(/\{\s*\w+\s*/)
      .slice(1)
      .trim();
    if (message[at] === '}') return read(/\}/) && { kind: 'argument', name };
    const kind = read(/,\s*(plural|select)\s*,\s*/).includes('plural') ? 'plural' : 'select';
    const branches: Record<string, Part[]> = {};
    while (message[at] !== '}') {
      const branch = read(/[=\w]+\s*\{/).replace(/\s*\{$/, '');
      branches[branch] = parts(kind === 'plural' || isPlural);
      read(/\}\s*/);
    }
    read(/\}/);
    if (!branches['other']) throw new SyntaxError(`No branch 'other' in: ${message}`);
    return { kind, name, branches };
  }
  const found = parts(false);
  if (at < message.length) throw new SyntaxError(`Unexpected } in: ${message}`);
  return found;
}

function render(parts: Part[], values: Values, locale: string, count: number): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'number') return count.toLocaleString(locale);
      const value = values[part.name];
      if (part.kind === 'argument') return String(value ?? `{${part.name}}`);
      if (part.kind === 'select') {
        return render(
          part.branches[String(value)] ?? part.branches['other']!,
          values,
          locale,
          count,
        );
      }
      const number = Number(value);
      const branch =
        part.branches[`=${number}`] ??
        part.branches[category(locale, number)] ??
        part.branches['other']!;
      return render(branch, values, locale, number);
    })
    .join('');
}

function category(locale: string, number: number): Intl.LDMLPluralRule {
  if (!rules.has(locale)) rules.set(locale, new Intl.PluralRules(locale));
  return rules.get(locale)!.select(number);
}

/** A message in words of a language, its arguments filled in. */
export function format(message: string, values: Values = {}, locale = 'en'): string {
  if (!message.includes('{')) return message;
  if (!parsed.has(message)) parsed.set(message, parse(message));
  return render(parsed.get(message)!, values, locale, 0);
}

/** All choices of a message, those in branches too. */
export function choices(parts: Part[]): Choice[] {
  return parts.flatMap((part) =>
    typeof part === 'string' || !('branches' in part)
      ? []
      : [part, ...Object.values(part.branches).flatMap(choices)],
  );
}

/** The names that a message wants filled in, ascending. */
export function argumentNames(parts: Part[]): string[] {
  const names = parts.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'number') return [];
    return part.kind === 'argument'
      ? [part.name]
      : [part.name, ...Object.values(part.branches).flatMap(argumentNames)];
  });
  return [...new Set(names)].sort();
}
