// The page's side of the Worker: one request at a time, with an end.

/** Why a request has no answer; the text is for a reader. */
class Ended extends Error {}

const bench = {
  worker: null,
  waiting: null,
  number: 0,

  /** Starts a Worker, so that the first request finds it ready. */
  start() {
    if (this.worker) return;
    const url = URL.createObjectURL(new Blob([el('worker').textContent], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.fail(`the Worker ended: ${event.message || 'for a reason that the browser does not give'}`);
    this.worker.postMessage({ unpack: bytesOf('unpack'), packed: bytesOf('simulator') });
  },

  hear({ id, answer, trap }) {
    if (trap !== undefined) {
      this.fail(`internal error in the simulator (${trap}), which a larger memory than the browser gives may be; please report `
        + 'the link of this page. The next run begins anew.');
    } else if (this.waiting?.id === id) {
      const { resolve } = this.waiting;
      this.done();
      resolve(answer);
    }
  },

  done() {
    clearTimeout(this.waiting?.timer);
    this.waiting = null;
  },

  /** Ends the Worker, and the request with it. The next request starts another one. */
  fail(why) {
    this.worker?.terminate();
    this.worker = null;
    const reject = this.waiting?.reject;
    this.done();
    reject?.(new Ended(why));
  },

  /** Asks a function of the module; the seconds are a limit. */
  ask(name, request, seconds) {
    if (this.waiting) this.fail('another request took its place');
    this.start();
    return new Promise((resolve, reject) => {
      const late = () => this.fail(`stopped after ${seconds} s: raise the limit of seconds, or run a smaller problem`);
      this.number += 1;
      this.waiting = { id: this.number, resolve, reject, timer: setTimeout(late, 1000 * seconds) };
      this.worker.postMessage({ id: this.number, name, request: JSON.stringify(request) });
    });
  },
};
