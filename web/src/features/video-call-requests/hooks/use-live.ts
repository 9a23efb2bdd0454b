import { useQueryClient } from '@tanstack/react-query';
import { socketEvents, useSocketEvent, useSocketSync } from '@/shared/socket';

/**
 * Asks the server again after every event about requests of a company, and after each reconnection, so that a lost event
 * never leaves a wrong list.
 */
export function useRequestEvents(parent: string): void {
  const queries = useQueryClient();
  const again = () => {
    void queries.invalidateQueries({ queryKey: ['list_video_call_requests'] });
    void queries.invalidateQueries({ queryKey: ['get_availability'] });
    void queries.invalidateQueries({ queryKey: ['request_customers'] });
  };
  useSocketEvent(socketEvents.videocallIn(parent), again);
  useSocketEvent(socketEvents.videocallOut(parent), again);
  useSocketEvent(socketEvents.videocallBulkDelete, again);
  useSocketSync(again);
}
