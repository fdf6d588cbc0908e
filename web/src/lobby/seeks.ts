// Seeks and challenges over REST.
import { post, read, remove } from '../api/rest';
import type {
  AcceptedResponse,
  ChallengeInfo,
  ChallengeRequest,
  ChallengesResponse,
  JoinSeekRequest,
  SeekingResponse,
  SeekRequest,
  SeekResponse,
  UserResponse,
} from '../api/wire';

export const readMe = (token: string): Promise<UserResponse> => read('/me', token);
export const addSeek = (token: string, wanted: SeekRequest): Promise<SeekResponse> =>
  post('/seeks', token, wanted);
export const withdrawSeek = (token: string, seek: string): Promise<SeekingResponse> =>
  remove(`/seeks/${seek}`, token);
export const joinSeek = (
  token: string,
  seek: string,
  wanted: JoinSeekRequest,
): Promise<SeekingResponse> => post(`/seeks/${seek}/join`, token, wanted);
export const sendChallenge = (token: string, wanted: ChallengeRequest): Promise<ChallengeInfo> =>
  post('/challenges', token, wanted);
export const acceptChallenge = (token: string, id: string): Promise<AcceptedResponse> =>
  post(`/challenges/${id}/acceptance`, token, undefined);
export const declineChallenge = (token: string, id: string): Promise<ChallengesResponse> =>
  post(`/challenges/${id}/refusal`, token, undefined);
export const withdrawChallenge = (token: string, id: string): Promise<ChallengesResponse> =>
  remove(`/challenges/${id}`, token);
