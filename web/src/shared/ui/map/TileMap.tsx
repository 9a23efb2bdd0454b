import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { useEffect, useRef } from 'react';
import { useT } from '@/shared/i18n';
import classes from './map.module.css';
import type { PlacedAt } from './project';

interface TileMapProps {
  /** At least one, oldest first. */
  positions: readonly PlacedAt[];
  tilesUrl: string;
}

/** A street is still told from the next one; closer, most tile servers have nothing. */
const CLOSEST = 17;

/** Positions over tiles of the installation's own choice; loaded only where there are tiles at all. */
export function TileMap({ positions, tilesUrl }: TileMapProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    // The library's own attribution begins with a link and a flag, which the page's policy refuses (EDGE-11).
    const map = L.map(box.current, { scrollWheelZoom: false, zoomControl: false, attributionControl: false });
    L.control.attribution({ prefix: false }).addTo(map);
    L.control.zoom({ zoomInTitle: t('media.zoomIn'), zoomOutTitle: t('media.zoomOut') }).addTo(map);
    // Their licence asks for the name (ODbL); other tiles are the installation's own.
    const attribution = tilesUrl.includes('openstreetmap') ? '© OpenStreetMap' : undefined;
    L.tileLayer(tilesUrl, { maxZoom: 19, attribution }).addTo(map);
    const ink = getComputedStyle(box.current).getPropertyValue('--at-accent').trim();
    const points = positions.map(({ latitude, longitude }) => L.latLng(latitude, longitude));
    if (points.length > 1) L.polyline(points, { color: ink, weight: 2, opacity: 0.6 }).addTo(map);
    positions.forEach(({ accuracy }, index) => {
      const point = points[index];
      if (!point) return;
      if (accuracy) L.circle(point, { radius: accuracy, color: ink, weight: 1, fillOpacity: 0.12 }).addTo(map);
      L.circleMarker(point, { radius: 6, color: '#fff', weight: 2, fillColor: ink, fillOpacity: 1 }).addTo(map);
    });
    map.fitBounds(L.latLngBounds(points).pad(0.3), { maxZoom: CLOSEST });
    return () => {
      map.remove();
    };
  }, [positions, tilesUrl, t]);
  return <section className={classes.tiles} ref={box} aria-label={t('conferences.mapTiles')} />;
}
