// Answers requests with the module, one line of JSON for each line of the standard input.
//
// usage: node run.mjs MODULE.wasm

import { readFileSync } from 'node:fs';

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const { memory, request, text, simulate } = (await WebAssembly.instantiate(module, {})).exports;

for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const bytes = new TextEncoder().encode(line);
  // The address comes first: making room may replace the memory's buffer.
  const address = request(bytes.length);
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  const length = simulate();
  console.log(new TextDecoder().decode(new Uint8Array(memory.buffer, text(), length)));
}
