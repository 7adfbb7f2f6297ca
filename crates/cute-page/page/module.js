// The module of WebAssembly: it is started, asked, and started again after a trap. All numbers of the page come from it.

let compiled;
let exported;

async function start() {
  const packed = Uint8Array.from(atob(el('module').textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  exported = (await WebAssembly.instantiate(compiled)).exports;
}

/** Gives each fact and each colour of an answer its values, which lie in the module's memory as doubles. */
function unpack(answer) {
  const start = exported.numbers();
  for (const { grids } of [answer, answer.against].filter(Boolean)) {
    for (const grid of grids.flat().filter(Boolean)) {
      const cells = grid.rows.length * grid.columns.length;
      // A copy: the next call writes there again.
      for (const list of [...grid.facets, grid.colours]) {
        list.values = new Float64Array(exported.memory.buffer, start + 8 * list.from, cells).slice();
      }
    }
  }
  return answer;
}

/** Calls a function of the module; a trap is an answer, too. */
function call(name, request = '') {
  if (!exported) return { error: 'the evaluation starts again; edit the expression to go on' };
  try {
    const bytes = new TextEncoder().encode(request);
    const address = exported.request(bytes.length);
    new Uint8Array(exported.memory.buffer, address, bytes.length).set(bytes);
    const length = exported[name]();
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(exported.memory.buffer, exported.text(), length)));
    return answer.grids ? unpack(answer) : answer;
  } catch (error) {
    // The memory of an instance that trapped is in an unknown state.
    exported = undefined;
    WebAssembly.instantiate(compiled).then((instance) => { exported = instance.exports; });
    return { error: `internal error in the evaluation (${error}); please report the link of this page` };
  }
}
