import type {
  ChatMessage,
  ConferenceDetails,
  Drawing,
  Frozen,
  Measures,
  MediaItem,
  Message,
  Participant,
  Progress,
  RecordingState,
  Track,
} from '@/api/types';

/** Everything known of a conference that is followed live. */
export interface FeedState {
  details: ConferenceDetails | null;
  /** Arrived while following, oldest first; earlier items come from `conference-media`. */
  media: MediaItem[];
  /** Arrived while following, oldest first. */
  chat: ChatMessage[];
}

export const emptyFeed: FeedState = { details: null, media: [], chat: [] };

/** The events of `conference-events` (CONTRACT). */
export type FeedEvent =
  | { event: 'snapshot'; data: ConferenceDetails }
  | { event: 'progress'; data: Progress }
  | { event: 'track'; data: Track }
  | { event: 'message'; data: Message }
  | { event: 'recording'; data: RecordingState }
  | { event: 'media'; data: MediaItem }
  | { event: 'chat'; data: ChatMessage }
  | { event: 'participant'; data: { participants: Participant[] } }
  | { event: 'door'; data: { waiting: ConferenceDetails['waiting'] } }
  | { event: 'positions'; data: { positions: ConferenceDetails['positions'] } }
  | {
      event: 'shots';
      data: { shots: { key: string; state: 'missing' | 'done' | 'poor'; mediaId: string | null; at: string | null }[] };
    }
  | { event: 'frozen'; data: { frozen: Frozen | null } }
  | { event: 'drawing'; data: { drawing: Drawing } }
  | { event: 'measure'; data: { measure: Measures } }
  | { event: 'closed'; data: unknown }
  | { event: 'ping'; data: unknown };

/** Puts one event into what is known. An event before the first snapshot, or an unknown one, changes nothing. */
export function applyEvent(state: FeedState, { event, data }: FeedEvent): FeedState {
  if (event === 'snapshot') return { ...state, details: data };
  const { details } = state;
  if (!details) return state;
  const known = (changes: Partial<ConferenceDetails>): FeedState => ({ ...state, details: { ...details, ...changes } });
  switch (event) {
    case 'progress':
      return known({ progress: data });
    case 'track':
      return known({ tracks: upsert(details.tracks, data, (track) => track._id).sort((a, b) => a.seq - b.seq) });
    case 'message':
      return known({ messages: upsert(details.messages, data, (message) => message._id) });
    case 'recording':
      return known({ recording: data });
    case 'participant':
      return known({ participants: data.participants });
    case 'door':
      return known({ waiting: data.waiting });
    case 'positions':
      return known({ positions: data.positions });
    case 'closed':
      return known({ conference: { ...details.conference, closed: true } });
    case 'media':
      return { ...state, media: upsert(state.media, data, (item) => item._id) };
    case 'chat':
      return { ...state, chat: upsert(state.chat, data, (message) => message._id) };
    default:
      return state;
  }
}

/** The list with the item replaced, or added at the end. */
function upsert<I>(list: I[], item: I, key: (item: I) => string): I[] {
  const at = list.findIndex((entry) => key(entry) === key(item));
  return at < 0 ? [...list, item] : list.with(at, item);
}
