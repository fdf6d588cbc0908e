// The REST API of people together: following, blocks, chat, reports and moderation.
import { post, read, request } from '../api/rest';
import { identity } from './identity.svelte';
import type {
  AuditResponse,
  BlockListResponse,
  BlockRequest,
  ChatMessage,
  ChatResponse,
  ConductResponse,
  DecisionRequest,
  FollowingResponse,
  ActRequest,
  ModeratedUserResponse,
  NoticeListResponse,
  ReportListResponse,
  ReportRequest,
  ReportResponse,
  UserResponse,
} from '../api/wire';

const named = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`;

async function send<T>(method: string, path: string): Promise<T> {
  const token = await identity.ensureToken();
  return (await (await request(path, token, { method })).json()) as T;
}
async function write<T>(path: string, body: unknown): Promise<T> {
  return post(path, await identity.ensureToken(), body);
}

export const readMe = (): Promise<UserResponse> => read('/me', identity.token);
export const readFollowing = (): Promise<FollowingResponse> => send('GET', '/me/following');
export const follow = (name: string): Promise<FollowingResponse> =>
  send('PUT', named('/me/following', name));
export const unfollow = (name: string): Promise<FollowingResponse> =>
  send('DELETE', named('/me/following', name));
export const readBlocks = (): Promise<BlockListResponse> => send('GET', '/me/blocks');
export const block = (whom: BlockRequest): Promise<BlockListResponse> => write('/me/blocks', whom);
export const unblock = (id: string): Promise<BlockListResponse> =>
  send('DELETE', named('/me/blocks', id));
export const report = (what: ReportRequest): Promise<ReportResponse> => write('/reports', what);

export const readChat = (match: string, room: string): Promise<ChatResponse> =>
  read(`/matches/${match}/chat?room=${room}`, identity.token);
export const writeAt = (match: string, text: string): Promise<ChatMessage> =>
  write(`/matches/${match}/chat`, { text });
export const readChatWith = (name: string): Promise<ChatResponse> =>
  read(named('/me/chats', name), identity.token);
export const writeTo = (name: string, text: string): Promise<ChatMessage> =>
  write(named('/me/chats', name), { text });

export const readConduct = (): Promise<ConductResponse> => read('/me/conduct', identity.token);
export const readNotices = (): Promise<NoticeListResponse> => read('/me/notices', identity.token);
export const confirmNotice = (id: string): Promise<NoticeListResponse> =>
  send('DELETE', named('/me/notices', id));

export const readReports = (about = ''): Promise<ReportListResponse> =>
  read(`/moderation/reports${about ? `?about=${encodeURIComponent(about)}` : ''}`, identity.token);
export const decide = (id: string, what: DecisionRequest): Promise<ModeratedUserResponse> =>
  write(named('/moderation/reports', id), what);
export const readModerated = (name: string): Promise<ModeratedUserResponse> =>
  read(named('/moderation/users', name), identity.token);
export const act = (what: ActRequest): Promise<ModeratedUserResponse> =>
  write('/moderation/acts', what);
export const readAuditLog = (): Promise<AuditResponse> => read('/moderation/log', identity.token);
