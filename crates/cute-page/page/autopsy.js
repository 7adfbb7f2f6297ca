// The post-mortem of a hang on a device: words of mbarriers beside the text of the kernel.

/** Shows what the module tells about the words, or why it cannot. */
async function readWords() {
  const at = el('k-at').value.trim();
  const asked = { ptx: given.ptx, file: given.file, kernel: given.kernel, words: el('k-words').value, ...(at && { at }) };
  let told;
  try {
    const answer = await bench.ask('autopsy', asked, Number(USUAL.seconds));
    told = answer.error?.message ?? answer.text;
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    told = error.message;
  }
  el('k-told').textContent = told;
  el('k-told').hidden = false;
}

function prepareAutopsy() {
  el('k-read').addEventListener('click', readWords);
}
