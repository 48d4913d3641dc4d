// Questions to the server. A newer question of the same kind drops the older one; an answer that comes too late is none.

const running = new Map();

export class Refusal extends Error {}
export class Dropped extends Error {}

const pause = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => { clearTimeout(timer); reject(new Dropped()); }, { once: true });
});

const refusal = async (response) => {
  try {
    return (await response.json()).error ?? response.statusText;
  } catch {
    return response.status === 403 ? "This page is no longer open: start it again from the terminal." : response.statusText;
  }
};

const request = async (path, query, signal, options = {}) => {
  let response;
  try {
    response = await fetch(query ? `${path}?${query}` : path, { signal, ...options });
  } catch (error) {
    if (signal?.aborted) throw new Dropped();
    throw new Refusal("The server does not answer. Is visavis explore still running?");
  }
  if (!response.ok) throw new Refusal(await refusal(response));
  return response;
};

// The body of an answer; it may be given up halfway.
const bodyOf = async (response, signal, binary = false) => {
  try {
    return binary ? await response.arrayBuffer() : await response.json();
  } catch (error) {
    if (signal.aborted) throw new Dropped();
    throw new Refusal("The server's answer broke off.");
  }
};

const begin = (kind) => {
  running.get(kind)?.abort();
  const controller = new AbortController();
  running.set(kind, controller);
  return controller.signal;
};

export const drop = (kind) => running.get(kind)?.abort();

// Asks until there is an answer: 202 says that the work goes on.
export const ask = async (kind, path, query, { waiting = () => {}, binary = false } = {}) => {
  const signal = begin(kind);
  for (let wait = 120; ; wait = Math.min(wait * 1.4, 1000)) {
    const response = await request(path, query, signal);
    const answer = await bodyOf(response, signal, binary && response.status !== 202);
    if (signal.aborted) throw new Dropped();
    if (response.status !== 202) return answer;
    waiting(answer);
    await pause(wait, signal);
  }
};

// Asks again and again until an answer is good enough.
export const askUntil = async (kind, path, query, isEnough) => {
  const signal = begin(kind);
  for (let wait = 300; ; wait = Math.min(wait * 1.3, 2000)) {
    const response = await request(path, query, signal);
    const answer = await bodyOf(response, signal);
    if (signal.aborted) throw new Dropped();
    if (response.status !== 202 && isEnough(answer)) return answer;
    await pause(wait, signal);
  }
};

export const post = async (path, body, headers = {}) =>
  (await request(path, "", undefined, { method: "POST", body, headers })).json().catch(() => ({}));
