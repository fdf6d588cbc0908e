// The texts of the account page; they come with that page.
import { language } from '../app/language.svelte';
import type texts from './en/account.json';

export type AccountKey = keyof typeof texts;
export const accountText = await language.loadPart<AccountKey>('account');
