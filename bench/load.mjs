/**
 * Load on a server, and what it costs the server: the processor's time is that of its process alone.
 *
 * The client is ours because of what the ready ones do: autocannon sends a second's calls in one burst when it is given a
 * rate, which makes p99 that of the burst, and clients with a whole HTTP stack need more of the machine than a fast server.
 * This one writes the same bytes again and again on keep-alive sockets, and reads status and `content-length`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { cpus } from 'node:os';

const TICKS = Number(execFileSync('getconf', ['CLK_TCK']));

/** Seconds of processor time that a process has used, on all its threads. */
export function cpuSeconds(pid) {
  // The name, in parentheses, may have spaces; user and system time are the 14th and 15th field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

export const rssMb = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Binds a process with all its threads to one core, so that the load beside it has the other. */
export function pin(pid, core) {
  if (cpus().length > core) execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}

/** The call as it goes over the wire. */
function bytesOf(url, headers, { method = 'GET', path, body }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = { host: url.host, ...headers, ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}

/** One keep-alive connection: `send()` writes the call, `onAnswer(this, status)` tells that its answer is there. */
class Wire {
  #socket;
  #request;
  #head = null;
  /** Bytes of the answer's body that are still to come; -1 while its head is. */
  #left = -1;
  due = 0;

  static open(url, request, onAnswer, onError) {
    return new Promise((done, fail) => {
      const wire = new Wire();
      wire.#request = request;
      wire.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true }, () => done(wire));
      wire.#socket.once('error', (error) => (fail(error), onError(error)));
      wire.#socket.on('data', (chunk) => wire.#read(chunk, onAnswer, onError));
    });
  }

  send() {
    this.#socket.write(this.#request);
  }

  end() {
    this.#socket.destroy();
  }

  #read(chunk, onAnswer, onError) {
    let body = chunk;
    if (this.#left < 0) {
      const all = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
      const end = all.indexOf('\r\n\r\n');
      this.#head = end < 0 ? all : all.subarray(0, end);
      if (end < 0) return;
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.latin1Slice());
      if (!length) return onError(new Error(`an answer without a length: ${this.#head}`));
      this.#left = Number(length[1]);
      body = all.subarray(end + 4);
    }
    this.#left -= body.length;
    if (this.#left > 0) return;
    const status = Number(this.#head.latin1Slice(9, 12));
    [this.#head, this.#left] = [null, -1];
    onAnswer(this, status);
  }
}

/** The answers of one run. */
async function run(server, headers, call, { seconds, connections, rate }) {
  const url = new URL(server.url);
  const request = bytesOf(url, headers, call);
  const times = [];
  let [failed, over] = [null, false];
  const waiting = [];
  const idle = [];
  let end = () => {};
  const finished = new Promise((done) => {
    end = done;
  });
  const fail = (error) => {
    failed ??= error;
    end();
  };
  const give = (wire, due) => {
    wire.due = due;
    wire.send();
  };
  const onAnswer = (wire, status) => {
    if (over) return;
    if (status !== 200) return fail(new Error(`${server.name}: ${call.path}: ${status}`));
    const now = performance.now();
    times.push(now - wire.due);
    if (!rate) give(wire, now);
    else if (waiting.length > 0) give(wire, waiting.shift());
    else idle.push(wire);
  };
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(url, request, onAnswer, fail)));
  const start = performance.now();
  if (rate) {
    idle.push(...wires);
    let due = start;
    const apart = 1000 / rate;
    // Without a timer, which would send a millisecond's calls at once; this process has a core of its own.
    const tick = () => {
      if (over) return;
      for (const now = performance.now(); due <= now; due += apart) {
        const wire = idle.pop();
        if (wire) give(wire, due);
        else waiting.push(due);
      }
      setImmediate(tick);
    };
    tick();
  } else for (const wire of wires) give(wire, performance.now());
  const timer = setTimeout(end, seconds * 1000);
  await finished;
  over = true;
  clearTimeout(timer);
  const took = (performance.now() - start) / 1000;
  for (const wire of wires) wire.end();
  if (failed) throw failed;
  return { times, took };
}

/**
 * Calls `call` for `seconds` on `connections` connections, as fast as it is answered or, with `rate`, so many times a second at
 * equal distances; then the times count from when a call was due, not from when there was a connection for it.
 *
 * @param {{ name: string, pid: number, url: string }} server
 * @param {Record<string, string>} headers
 * @param {{ method?: string, path: string, body?: unknown }} call
 * @returns calls a second, calls a second of the server's processor time, p50 and p99 in ms. Errors: an answer other than 200.
 */
export async function load(server, headers, call, { seconds, connections = 64, rate }) {
  const before = cpuSeconds(server.pid);
  const { times, took } = await run(server, headers, call, { seconds, connections, rate });
  const cpu = cpuSeconds(server.pid) - before;
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
  return { perSecond: times.length / took, perCpuSecond: times.length / cpu, p50: quantile(0.5), p99: quantile(0.99) };
}
