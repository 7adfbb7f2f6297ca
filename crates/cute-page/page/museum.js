// Ten bugs of public kernels: what is wrong, what devices did, the repaired twin and the difference of the two.

const museum = JSON.parse(el('bugs').textContent);

/** Lines that are shown before and after a change. */
const AROUND = 4;

/** The lines of a difference that change, among their neighbours. */
function differenceOf(bug) {
  const box = make('div', 'difference mono');
  const changes = bug.difference.flatMap(([mark], n) => (mark === ' ' ? [] : [n]));
  let last = -1;
  bug.difference.forEach(([mark, text], n) => {
    if (!changes.some((change) => Math.abs(change - n) <= AROUND)) return;
    if (n > last + 1) box.append(make('div', 'note', '..'));
    box.append(make('div', { '-': 'out', '+': 'in' }[mark] ?? '', `${mark} ${text}`));
    last = n;
  });
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', 'The difference of the broken kernel and the repaired one');
  return box;
}

/** Links to threads. A page that is opened from disk has no other network. */
function threadsOf(bug) {
  return bug.threads.flatMap(({ name, url, state }, n) => {
    const link = make('a', '', name);
    link.href = url;
    link.rel = 'noreferrer noopener';
    link.target = '_blank';
    return [n ? '; ' : '', link, ` (${state})`];
  });
}

/** Shows a bug; `run` runs one of the twins. */
function showBug(bug, isRepaired, run) {
  const choose = (text, repaired) => {
    const button = make('button', '', text);
    button.type = 'button';
    button.id = repaired ? 'k-repaired' : 'k-broken';
    button.setAttribute('aria-pressed', String(repaired === isRepaired));
    button.addEventListener('click', () => run(bug, repaired));
    return button;
  };
  const facts = make('dl');
  const rows = [['Mistake', [bug.mistake]], ['Devices, as reported', [bug.devices]], ['Finding', [bug.finding]], ['Thread', threadsOf(bug)]];
  for (const [name, value] of rows) facts.append(make('dt', '', name), make('dd', '', ...value));
  el('k-bug').replaceChildren(
    make('h2', '', bug.name), facts,
    make('div', 'row', choose('Run the broken kernel', false), choose('Apply the difference: run the repaired kernel', true)),
    make('h2', '', 'The difference'), differenceOf(bug),
  );
  el('k-bug').hidden = false;
}

function listBugs(run) {
  el('k-bugs').replaceChildren(...museum.bugs.map((bug) => {
    const button = make('button', 'mono', bug.name);
    button.type = 'button';
    button.addEventListener('click', () => run(bug, false));
    return make('li', '', button, ' ', bug.mistake);
  }));
}
