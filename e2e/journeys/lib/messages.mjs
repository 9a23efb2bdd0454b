/** Data messages of the media room, as a page sends them. */

/**
 * Runs in a page before its scripts: keeps the channel of this name that the page sends by, and the last message, in
 * `window.__sent`, for tests that send what no page of ours would.
 */
export const keepMessages = (label) => {
  const { send } = RTCDataChannel.prototype;
  RTCDataChannel.prototype.send = function (data) {
    if (this.label === label) window.__sent = { channel: this, data: new Uint8Array(data).slice(), send };
    return send.call(this, data);
  };
};
