// The texts of friends, chat, reports and moderation.
import { language } from '../app/language.svelte';
import type texts from './en/social.json';

export type SocialKey = keyof typeof texts;
export const socialText = await language.loadPart<SocialKey>('social');

/** The text of a word that the server sends; the word itself if there is none. */
export const socialWord = (word: string): string =>
  language.has('social', word) ? socialText(word as SocialKey) : word;
