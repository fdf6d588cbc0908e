// The texts of profiles and leaderboards; they come with those pages.
import { language } from '../app/language.svelte';
import type texts from './en/people.json';

export type PeopleKey = keyof typeof texts;
export const peopleText = await language.loadPart<PeopleKey>('people');
