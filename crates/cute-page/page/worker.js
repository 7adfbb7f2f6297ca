'use strict';
// The Worker that runs kernels: each request has a new instance of the module, because the memory of one only grows.

/** The compiled module, or the promise of it. */
let compiled;

/** Sends a request to a function of an instance; the answer is bytes. */
function ask(exported, name, request) {
  const address = exported.request(request.length);
  new Uint8Array(exported.memory.buffer, address, request.length).set(request);
  const length = exported[name]();
  return new Uint8Array(exported.memory.buffer, exported.text(), length);
}

async function start({ unpack, packed }) {
  const { instance } = await WebAssembly.instantiate(unpack);
  const module = ask(instance.exports, 'unpack', packed);
  if (!module.length) throw new Error('the module in the page is broken');
  return WebAssembly.compile(module);
}

onmessage = async ({ data }) => {
  try {
    if (data.unpack) {
      compiled = start(data);
      await compiled;
      return;
    }
    const { exports } = await WebAssembly.instantiate(await compiled);
    const text = new TextDecoder().decode(ask(exports, data.name, new TextEncoder().encode(data.request)));
    postMessage({ id: data.id, answer: JSON.parse(text) });
  } catch (error) {
    postMessage({ id: data.id, trap: String(error) });
  }
};
