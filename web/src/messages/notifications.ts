// The texts of notifications and slow play.
import { language } from '../app/language.svelte';
import type texts from './en/notifications.json';

export type NotificationKey = keyof typeof texts;
export const notificationText = await language.loadPart<NotificationKey>('notifications');
