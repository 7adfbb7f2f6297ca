// The page: it sends what the fields say to the module, draws the tables of the answer, and shows the facts of one element.

/** Replaces the state. */
function startWith(other) {
  [state, cell, ofAgainst] = [{ ...other }, [0, 0, 0], false];
  writeFields();
  update();
}

// --- The page ---

function setTheme(dark) {
  root.classList.toggle('dark', dark);
  el('theme').setAttribute('aria-pressed', String(dark));
  el('theme').textContent = dark ? 'Light' : 'Dark';
  theme = colours();
  redraw();
}

/** The style that was chosen here before; a page from disk may have no storage. */
function storedTheme(chosen) {
  try {
    if (chosen) localStorage.setItem('theme', chosen);
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
}

function followLink() {
  const wrong = readLink(location.hash);
  ofAgainst = false;
  writeFields();
  update(wrong.length ? `This link has parts that cannot be read, and defaults take their place: ${wrong.join('; ')}` : '');
}

async function main() {
  try {
    await start();
  } catch (error) {
    say(`This browser cannot run the page: ${error}`);
    return;
  }
  const about = call('about');
  palette = about.palette;
  labels = about.fields;
  functions = about.functions;
  listMatching();
  el('examples').append(make('option', '', 'choose one'), ...EXAMPLES.map(([name], n) => {
    const option = make('option', '', name);
    option.value = n;
    return option;
  }));
  el('examples').addEventListener('change', () => {
    const chosen = EXAMPLES[el('examples').value];
    if (chosen) startWith(chosen[1]);
  });
  el('form').addEventListener('input', () => { readFields(); update(); });
  el('form').addEventListener('submit', (event) => event.preventDefault());
  el('pattern').addEventListener('input', listMatching);
  el('finder').addEventListener('input', () => { find(false); save(); });
  el('finder').addEventListener('submit', (event) => { event.preventDefault(); find(true); });
  el('theme').addEventListener('click', () => {
    setTheme(!root.classList.contains('dark'));
    storedTheme(root.classList.contains('dark') ? 'dark' : 'light');
  });
  el('skip').addEventListener('click', (event) => { event.preventDefault(); tables()[0]?.box.focus(); });
  window.addEventListener('hashchange', followLink);
  startTools();
  const stored = storedTheme();
  setTheme(stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  followLink();
  root.dataset.ready = 'true';
  performance.mark('ready');
}

main();
