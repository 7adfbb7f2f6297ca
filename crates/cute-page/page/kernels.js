// The room of kernels: a text of PTX, the form of its launch, and the report of the run. All facts come from the module.

const MOST_FILE = 16 << 20;
/** Longer texts are not put into the field, which would make the page slow. */
const MOST_SHOWN = 200_000;
const MOST_MEMORY = 64;
const USUAL = { seconds: '30', budget: '200000000', memory: '64' };
const PLAIN = ['kernel', 'grid', 'block', 'cluster', 'shared', 'arrays', 'variables', 'launches', 'schedules', 'seconds', 'budget', 'memory'];

let given = {};
let described = null;
/** The number of the last request, so that the answer to an older one is dropped. */
let turn = 0;

const kernelOf = () => described?.kernels.find(({ name }) => name === given.kernel);

function complain(text) {
  el('k-message').textContent = text;
  el('k-message').hidden = !text;
}

function clearReport() {
  el('k-status').textContent = '';
  el('k-found').replaceChildren();
  el('k-report').hidden = true;
  el('k-report').removeAttribute('srcdoc');
}

/** Follows a link within the report, whose document has no address that its links could be relative to. */
function followReport(event) {
  const link = event.target.closest('a');
  if (!link) return;
  event.preventDefault();
  const to = link.getAttribute('href');
  if (to.startsWith('#')) el('k-report').contentWindow.location.hash = to;
}

/** Shows a text in its field, or its beginning. */
function showText() {
  const field = el('k-text');
  const isLong = given.ptx.length > MOST_SHOWN;
  field.value = isLong ? `${given.ptx.slice(0, 4000)}\n.. (${given.ptx.length} characters; select all and paste to replace them)` : given.ptx;
  field.readOnly = isLong;
  const names = Object.keys(given.sources);
  el('k-sources').textContent = names.length ? `Sources: ${names.join(', ')}` : '';
}

function showForm() {
  for (const name of PLAIN) if (name !== 'kernel') el(`k-${name}`).value = given[name] ?? '';
  const select = el('k-kernel');
  select.replaceChildren(...described.kernels.map(({ name, readable }) => option(name, readable)));
  select.value = given.kernel;
  const { parameters, block, cluster, is_dynamic: isDynamic } = kernelOf();
  el('k-block').placeholder = block ? `${block}, as the kernel requires` : '';
  el('k-cluster').placeholder = cluster ? `${cluster}, as the kernel requires` : 'none';
  el('k-shared').placeholder = isDynamic ? '' : 'not used';
  const rows = parameters.map((parameter, n) => argumentRow(parameter, given.forms[n] ?? { form: 'text', text: given.args[n] ?? '' },
    (text) => { given.args[n] = text; }));
  el('k-rows').replaceChildren(...(rows.length ? rows : [make('p', 'note', 'This kernel has no parameters.')]));
  el('k-guessed').hidden = !given.isGuessed || !rows.length;
  el('k-form').hidden = false;
}

/** Takes over the guess of a kernel. */
function guess(kernel) {
  const { guess: { args, arrays, grid, block, shared }, forms } = kernel;
  Object.assign(given, {
    kernel: kernel.name, args: [...args], forms: structuredClone(forms), arrays: arrays.join('\n'), grid: grid.join(','),
    block: block?.join(',') ?? '', shared: shared === null ? '' : String(shared), cluster: '', isGuessed: true,
  });
}

/** Describes the text, fills the form and runs the kernel. */
async function open({ guessed }) {
  turn += 1;
  const own = turn;
  complain('');
  clearReport();
  described = null;
  el('k-form').hidden = true;
  el('k-told').hidden = true;
  showText();
  if (!given.ptx.trim()) return;
  el('k-status').textContent = 'The text is read.';
  try {
    const answer = await bench.ask('describe', { ptx: given.ptx, file: given.file, args: guessed ? [] : given.args }, Number(USUAL.seconds));
    if (own !== turn) return;
    el('k-status').textContent = '';
    if (answer.error) {
      complain(answer.error.message);
      return;
    }
    described = answer;
    const wanted = described.kernels.find(({ name, readable }) => [name, readable].includes(given.kernel));
    if (guessed || !wanted) guess(wanted ?? described.kernels[0]);
    else Object.assign(given, { kernel: wanted.name, forms: answer.forms });
    showForm();
    await run();
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    if (own !== turn) return;
    clearReport();
    complain(error.message);
  }
}

/** The request of a run, in the words of the module. */
function request() {
  const asked = {
    ptx: given.ptx, file: given.file, kernel: given.kernel, args: given.args, arrays: lines(given.arrays ?? ''),
    variables: lines(given.variables ?? ''), grid: extents(given.grid ?? ''), sources: given.sources,
    budget: count(given.budget) ?? Number(USUAL.budget), memory: Math.min(count(given.memory) ?? MOST_MEMORY, MOST_MEMORY),
  };
  for (const name of ['block', 'cluster']) if (given[name]?.trim()) asked[name] = extents(given[name]);
  for (const name of ['shared', 'schedules']) if (given[name]?.trim()) asked[name] = count(given[name]);
  if (given.launches?.trim()) {
    asked.launches = JSON.parse(given.launches);
    delete asked.grid;
    asked.args = [];
  }
  return asked;
}

/** The kind of a finding, the place and the number of its repetitions, in a line. */
function findingItem({ grade, kind, location, count: times }) {
  const often = times > 1 ? ` (${times} times)` : '';
  return make('li', grade, `${grade}: ${kind.kind} at ${location}${often}`);
}

function showReport({ report, html }, took) {
  const reports = report.launches ? report.launches.map((launch) => launch.report ?? launch) : [report];
  const findings = reports.flatMap((one) => one.findings ?? []);
  const instructions = reports.reduce((sum, one) => sum + (one.stats?.instructions ?? 0), 0);
  const graded = [['error', 'errors'], ['portability', 'of portability'], ['note', 'notes']].map(([grade, several]) => {
    const number = findings.filter((finding) => finding.grade === grade).length;
    return number && `${number} ${number === 1 && grade !== 'portability' ? grade : several}`;
  });
  const words = graded.filter(Boolean).join(', ') || 'No finding';
  const launches = reports.length > 1 ? ` in ${reports.length} launches` : '';
  el('k-status').textContent = `${words}${launches}: ${instructions.toLocaleString('en')} instructions in ${Math.round(took)} ms`;
  el('k-found').replaceChildren(...findings.slice(0, 5).map(findingItem));
  if (findings.length > 5) el('k-found').append(make('li', '', `and ${findings.length - 5} more, in the report`));
  // The report has no script, and its frame allows none; it is of this origin so that the page hears its links.
  el('k-report').srcdoc = html;
  el('k-report').hidden = false;
}

async function run() {
  if (!described) return;
  turn += 1;
  const own = turn;
  complain('');
  clearReport();
  let asked;
  try {
    asked = request();
  } catch (error) {
    complain(`Several launches: ${error.message}`);
    return;
  }
  el('k-stop').disabled = false;
  el('k-status').textContent = 'The simulator runs.';
  const begins = performance.now();
  try {
    const answer = await bench.ask('show', asked, count(given.seconds) || Number(USUAL.seconds));
    if (own !== turn) return;
    if (answer.error) {
      clearReport();
      complain(answer.error.message);
    } else {
      showReport(answer, performance.now() - begins);
    }
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    if (own !== turn) return;
    clearReport();
    complain(error.message);
  }
  el('k-stop').disabled = true;
  await keep();
}

/** The state without what follows from it. */
function state() {
  const kept = {};
  for (const name of Object.keys(FIELDS)) {
    const value = given[name];
    const isUsual = value === undefined || value === '' || value === USUAL[name] || (typeof value === 'object' && !Object.keys(value).length);
    if (!isUsual && name !== 'bug') kept[name] = value;
  }
  return kept;
}

/** Puts the state into the fragment, if it fits. */
async function keep() {
  if (!given.ptx) return;
  const own = turn;
  const bug = given.bug ? `#kernels-bug=${given.bug}` : null;
  const { link, length } = bug ? { link: bug } : await packLink(state());
  if (own !== turn) return;
  given.link = link ?? null;
  given.length = length;
  if (root.dataset.room === 'kernels') history.replaceState(null, '', link ?? '#kernels');
}

async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    el('k-copied').textContent = done;
  } catch {
    el('k-copied').textContent = text;
  }
}

/** A word of a shell. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

function command() {
  const words = ['cutec', 'run', given.file, '--kernel', kernelOf().readable];
  for (const name of ['grid', 'block', 'cluster', 'shared', 'schedules']) if (given[name]?.trim()) words.push(`--${name}`, given[name].trim());
  for (const text of given.args) words.push('--arg', text);
  for (const text of lines(given.arrays ?? '')) words.push('--array', text);
  for (const text of lines(given.variables ?? '')) words.push('--variable', text);
  return words.map(quoted).join(' ');
}

/** Takes a text of PTX, which replaces everything but the limits and the sources. */
function take(ptx, file, sources = given.sources) {
  el('k-bug').hidden = true;
  const { seconds, budget, memory, bug } = given;
  given = { ...USUAL, seconds, budget, memory, ptx, file, sources: bug ? {} : sources, args: [], forms: [] };
  return open({ guessed: true });
}

function runBug(bug, isRepaired) {
  el('k-museum').open = false;
  const { kernel, grid, block, args, arrays } = bug.launch;
  given = {
    ...USUAL, ptx: bug.ptx, file: `${bug.name}.ptx`, sources: { [`${bug.name}.cu`]: bug.source, 'ptx.h': museum.header },
    kernel: isRepaired ? bug.repaired : kernel, grid: grid.join(','), block: block.join(','), cluster: '', shared: '', args: [...args],
    forms: [], arrays: arrays.join('\n'), bug: `${bug.name}${isRepaired ? '+' : ''}`,
  };
  showBug(bug, isRepaired, runBug);
  return open({ guessed: false });
}

/** Files that were dropped or chosen: one of PTX, and sources. */
async function takeFiles(files) {
  const all = [...files];
  const large = all.find(({ size }) => size > MOST_FILE);
  if (large) {
    complain(`'${large.name}' has ${large.size} bytes, and the page takes ${MOST_FILE}: run it with cutec`);
    return;
  }
  let main = null;
  for (const file of all) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = null;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      const ended = (error) => ({ error });
      const asked = { file: file.name, bytes: [...bytes.slice(0, 64)] };
      complain((await bench.ask('describe', asked, Number(USUAL.seconds)).catch(ended)).error.message);
      return;
    }
    const isSource = /\.(cuh?|py|h|hpp|cpp|cc|c)$/i.test(file.name);
    if (isSource && (all.length > 1 || given.ptx)) given.sources = { ...given.sources, [file.name]: text };
    else main = [text, file.name];
  }
  if (main) await take(...main);
  else await open({ guessed: false });
}

/** The state of a link. */
async function followKernels() {
  const fragment = location.hash;
  const bugName = /^#kernels-bug=(\w+)(\+?)$/.exec(fragment);
  const bug = bugName && museum.bugs.find(({ name }) => name === bugName[1]);
  if (bug) {
    await runBug(bug, bugName[2] === '+');
  } else if (fragment.startsWith(LINK)) {
    if (fragment === given.link) return;
    let found;
    try {
      found = await unpackLink(fragment);
    } catch (error) {
      complain(`This link cannot be read: ${error.message}`);
      return;
    }
    el('k-bug').hidden = true;
    given = { ...USUAL, file: 'k.ptx', ptx: '', sources: {}, args: [], forms: [], ...found.state };
    await open({ guessed: !found.state.kernel });
    if (found.wrong.length) complain(`${el('k-message').textContent}\nThis link has parts that cannot be read: ${found.wrong.join('; ')}`.trim());
  } else if (fragment !== '#kernels') {
    complain(`This link has no kernel that the page knows: ${fragment}`);
  }
}

/** What is edited is not a bug as it is listed any more, and its link carries all of it. */
function edited() {
  delete given.bug;
}

function prepareKernels() {
  given = { ...USUAL, ptx: '', file: 'k.ptx', sources: {}, args: [], forms: [] };
  const fillings = make('datalist');
  fillings.id = 'k-fillings';
  fillings.append(...FILLINGS.map((filling) => option(filling)));
  el('kernels').append(fillings);
  listBugs(runBug);
  el('k-report').addEventListener('load', () => el('k-report').contentDocument?.addEventListener('click', followReport));
  const text = el('k-text');
  text.addEventListener('paste', (event) => {
    const pasted = event.clipboardData.getData('text/plain');
    // The whole text is replaced: an empty field, or one whose text is selected.
    const isWhole = text.readOnly || (text.selectionStart === 0 && text.selectionEnd === text.value.length);
    if (!isWhole) return;
    event.preventDefault();
    if (pasted.length > MOST_FILE) complain(`The text has ${pasted.length} characters, and the page takes ${MOST_FILE}: run it with cutec`);
    else take(pasted, 'k.ptx');
  });
  text.addEventListener('change', () => { if (!text.readOnly && text.value !== given.ptx) take(text.value, 'k.ptx'); });
  el('k-files').addEventListener('change', () => takeFiles(el('k-files').files));
  const room = el('kernels');
  room.addEventListener('dragover', (event) => { event.preventDefault(); room.classList.add('over'); });
  room.addEventListener('dragleave', () => room.classList.remove('over'));
  room.addEventListener('drop', (event) => {
    event.preventDefault();
    room.classList.remove('over');
    if (event.dataTransfer.files.length) takeFiles(event.dataTransfer.files);
    else take(event.dataTransfer.getData('text/plain'), 'k.ptx');
  });
  for (const name of PLAIN) {
    el(`k-${name}`).addEventListener('input', () => {
      if (name === 'kernel') {
        guess(described.kernels.find((kernel) => kernel.name === el('k-kernel').value));
        showForm();
      } else {
        given[name] = el(`k-${name}`).value;
      }
      edited();
    });
  }
  el('k-arguments').addEventListener('input', edited);
  el('k-form').addEventListener('submit', (event) => { event.preventDefault(); run(); });
  prepareAutopsy();
  el('k-stop').addEventListener('click', () => bench.fail('stopped'));
  el('k-link').addEventListener('click', async () => {
    await keep();
    if (given.link) copied(location.href, 'copied');
    else el('k-copied').textContent = `The link would have ${given.length} characters, more than ${MOST_LINK}: send the file and the command`;
  });
  el('k-command').addEventListener('click', () => { if (kernelOf()) copied(command(), 'copied'); });
}
