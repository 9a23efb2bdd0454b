/** A push service of our own and a browser's side of web push, since no real service can be reached from here. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * Keeps what is posted to it, decrypted with the receiver's keys (RFC 8291, aes128gcm of RFC 8188).
 * `answer` is the status it gives.
 */
export async function startPushService() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const received = [];
  const service = { answer: 201, received };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url } = request;
      const text = decrypt(Buffer.concat(chunks), ecdh, auth);
      received.push({ url, headers, text, message: JSON.parse(text) });
      response.writeHead(service.answer).end();
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  service.origin = `http://127.0.0.1:${server.address().port}`;
  /** What `PushSubscription.toJSON()` answers. */
  service.subscription = (name) => ({
    endpoint: `${service.origin}/${name}`,
    expirationTime: null,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
  });
  service.stop = () => new Promise((done) => server.close(done));
  return service;
}

const derive = (secret, salt, info, length) => Buffer.from(hkdfSync('sha256', secret, salt, info, length));

function decrypt(body, ecdh, auth) {
  const salt = body.subarray(0, 16);
  const idLength = body[20];
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const opened = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
  // One record: the text, the delimiter 2, padding of zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

/** Installed before a page's scripts: subscribing gives this subscription instead of asking the browser's service. */
export const SUBSCRIBE_WITH = (json) => {
  const remembered = () => sessionStorage.getItem('test-subscription');
  const subscription = (key) => ({
    endpoint: json.endpoint,
    options: { applicationServerKey: key, userVisibleOnly: true },
    toJSON: () => json,
    unsubscribe: async () => {
      sessionStorage.removeItem('test-subscription');
      return true;
    },
  });
  const bytes = (text) => Uint8Array.from(JSON.parse(text)).buffer;
  PushManager.prototype.getSubscription = async () => (remembered() ? subscription(bytes(remembered())) : null);
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || Notification.permission !== 'granted') throw new DOMException('no', 'NotAllowedError');
    const key = new Uint8Array(applicationServerKey.buffer ?? applicationServerKey);
    if (key.length !== 65 || key[0] !== 4) throw new DOMException('no key', 'InvalidAccessError');
    sessionStorage.setItem('test-subscription', JSON.stringify([...key]));
    return subscription(key.buffer);
  };
};

/** Hands a message to the page's service worker as the browser does when one arrives. */
export async function pushTo(page, data) {
  const debug = await page.context().newCDPSession(page);
  const registration = new Promise((found) => {
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find(({ isDeleted }) => !isDeleted);
      if (one) found(one.registrationId);
    });
  });
  await debug.send('ServiceWorker.enable');
  const origin = new URL(page.url()).origin;
  await debug.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registration, data });
  await debug.detach();
}

/** The notices that are shown. */
export const notices = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, data, requireInteraction }) => ({ title, body, tag, data, requireInteraction }));
  });
