// The staff app's service worker: shows notices that are pushed, and a page of its own while there is no network.
// Everything else goes to the network untouched: no call, no data and no page of the app is ever kept here.

/** Raised with every change of `PARTS` or of what they contain. */
const VERSION = '1';
const CACHE = `atalaya-offline-${VERSION}`;
const OFFLINE = '/offline.html';
const PARTS = [OFFLINE, '/offline.js', '/theme.js', '/mark.svg'];
const ICON = '/icons/icon-192.png';
const BADGE = '/icons/badge-96.png';

const spanish = !/^en/i.test(self.navigator.language);
const FALLBACK = {
  title: 'Atalaya',
  body: spanish ? 'Tiene un aviso nuevo.' : 'You have a new notice.',
};

self.addEventListener('install', (event) => {
  const fresh = PARTS.map((path) => new Request(path, { cache: 'reload' }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(fresh))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('atalaya-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // The end client's pages say themselves what to do without a network.
    if (!/^\/(external|codigo)(\/|$)/.test(url.pathname)) event.respondWith(orKept(request, OFFLINE));
  } else if (PARTS.includes(url.pathname)) event.respondWith(orKept(request, url.pathname));
});

/** The network's answer, whatever it is; the kept file only when there is none. */
async function orKept(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(path, { cacheName: CACHE });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener('push', (event) => {
  // Always a visible notice, even for a message that cannot be read: browsers end subscriptions that stay silent.
  event.waitUntil(show(read(event.data)));
});

/** What was sent: `{title, body, url, tag, kind}`; anything else becomes the general notice. */
function read(data) {
  try {
    const sent = data.json();
    const text = (value, otherwise) => (typeof value === 'string' && value ? value : otherwise);
    return {
      title: text(sent.title, FALLBACK.title),
      body: text(sent.body, text(sent.title, '') ? '' : FALLBACK.body),
      url: text(sent.url, '/'),
      tag: text(sent.tag, text(sent.kind, 'notice')),
      kind: text(sent.kind, 'notification'),
    };
  } catch {
    return { ...FALLBACK, url: '/', tag: 'notice', kind: 'notification' };
  }
}

/** One notice per tag: a second message about the same request takes the place of the first. */
function show({ title, body, url, tag, kind }) {
  return self.registration.showNotification(title, {
    body,
    tag,
    renotify: true,
    // A request waits for an answer, so its notice stays until somebody has looked.
    requireInteraction: kind === 'request',
    icon: ICON,
    badge: BADGE,
    data: { url, kind },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(ownAddress(event.notification.data?.url)));
});

/** Only addresses of our own origin are opened. */
function ownAddress(url) {
  try {
    const target = new URL(url ?? '/', self.location.origin);
    if (target.origin === self.location.origin) return target;
  } catch {
    // Not an address: the root, which leads home.
  }
  return new URL('/', self.location.origin);
}

/** As long as a tab may take to say where it is. Milliseconds. */
const ANSWER_MS = 500;

/**
 * Where a tab is: `{path, search, busy}`, asked of the tab itself, since its address here is the one it was opened with.
 * Nobody answers on the log-in and on the end client's pages, so these are left alone: `null`.
 */
function whereIs(tab) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve({ tab, ...data });
    setTimeout(() => resolve(null), ANSWER_MS);
    tab.postMessage({ type: 'where' }, [port2]);
  });
}

/** Brings an open tab to the front and shows the address there; opens a tab where there is none. */
async function open(target) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const places = (await Promise.all(tabs.map(whereIs))).filter((place) => place !== null);
  const there = places.find(
    ({ path, search }) => path === target.pathname && (target.search === '' || search === target.search),
  );
  // A call under way is not taken away from whoever is in it.
  const chosen = there ?? places.find(({ busy }) => !busy);
  if (!chosen) return self.clients.openWindow(target.href);
  if (!there) chosen.tab.postMessage({ type: 'open', url: target.pathname + target.search });
  return chosen.tab.focus().catch(() => undefined);
}

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.oldSubscription?.options));
});

/** Subscribes again and lets an open tab tell the server; without one, the next page load does. */
async function renew(options) {
  if (options?.applicationServerKey) {
    await self.registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: options.applicationServerKey })
      .catch(() => undefined);
  }
  const tabs = await self.clients.matchAll({ type: 'window' });
  for (const tab of tabs) tab.postMessage({ type: 'subscription' });
}
