// What a match was set up with, in words: its clock, and the options that aren't standard.
import type { Game, OptionFacts, TimeControl } from '../api/wire';
import { language, t } from '../app/language.svelte';
import { hasTimer, presetOf, type Options } from './newMatch';

/** The time control; `sharedMs` is that of a timer that all players share. */
export function clockText(control: TimeControl, sharedMs: number | null = null): string {
  if (sharedMs !== null) return t('setup.timeShared', { seconds: Math.round(sharedMs / 1000) });
  if (control.type === 'correspondence') {
    const days = t('setup.timeDays', { days: control.days_per_turn });
    const bank = control.bank_days ?? 0;
    return bank ? `${days}, ${t('setup.bank', { bank })}` : days;
  }
  if (control.type === 'unlimited') return t('setup.timeUnlimited');
  return liveText(control.initial_ms, control.increment_ms ?? 0);
}

/** A clock with an increment: `5 min + 3 s per turn`. */
export function liveText(initialMs: number, incrementMs: number): string {
  const minutes = Math.round(initialMs / 6000) / 10;
  return t(incrementMs ? 'setup.timeLive' : 'setup.timeSudden', {
    minutes: minutes.toLocaleString(language.code),
    seconds: Math.round(incrementMs / 1000),
  });
}

/** The sentence of an option, in the language of the page. */
export function optionSentence(option: OptionFacts, game: string): string {
  return language.ofGame(game, `option.${option.name}`) ?? option.sentence;
}

/** A value of an option in words. */
export function optionValue(
  option: OptionFacts,
  value: boolean | number | string,
  game: string,
): string {
  if (typeof value === 'boolean') return t(value ? 'setup.on' : 'setup.off');
  return language.ofGame(game, `option.${option.name}.${value}`) ?? String(value);
}

/** The name of a preset. */
export function presetName(preset: string, game: string): string {
  return language.ofGame(game, `preset.${preset}`) ?? preset;
}

/**
 * The options that differ from the standard, each as `Board size: 9`, or the preset that they are.
 * The number of players and a timer that runs are said elsewhere.
 */
export function optionTexts(game: Game, options: Options): string[] {
  const preset = presetOf(game, options);
  const skipped = hasTimer(game, options) ? Object.keys(game.facts.timer_options) : [];
  const named = preset ? [presetName(preset.name, game.name)] : [];
  return named.concat(
    game.facts.options.flatMap((option) => {
      const value = options[option.name] ?? option.default;
      if (value === option.default || ['seats', ...skipped].includes(option.name)) return [];
      if (preset && option.name in preset.options) return [];
      const [first = ''] = optionSentence(option, game.name).split(/\.(?:\s|$)/);
      return value === true ? first : `${first}: ${optionValue(option, value, game.name)}`;
    }),
  );
}
