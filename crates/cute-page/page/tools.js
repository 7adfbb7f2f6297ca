// The tools above the pictures: zoom, links and files.

/** The zoom that was chosen; 0 is the one at which everything fits. */
let chosenZoom = 0;
const ZOOMS = [0.5, 0.7, 1, 1.4, 2, 2.8];
/** Smaller letters cannot be read. */
const LEAST_ZOOM = 0.7;

/** The zoom at which the tables of a view fit into the window. */
function fitting(view) {
  const across = [];
  let [height, wide] = [0, 0];
  for (const row of view.rows) {
    let high = 0;
    row.forEach((table, column) => {
      if (!table) return;
      table.measure(1);
      // The physical side is below the picture, and may be scrolled.
      if (table.grid.of !== null && table.number > table.grid.of) return;
      if (row.length === 1) wide = Math.max(wide, table.size[0]);
      else across[column] = Math.max(across[column] ?? 0, table.size[0] + 16);
      high = Math.max(high, table.size[1] + 24);
    });
    height += high;
  }
  const width = Math.max(wide, across.reduce((sum, own) => sum + own, 0));
  const room = [el('pictures').clientWidth - 8, window.innerHeight - 60];
  return Math.max(LEAST_ZOOM, Math.min(1, room[0] / Math.max(width, 1), room[1] / Math.max(height, 1)));
}

/** Measures and draws the tables of a view. */
function drawView(view) {
  view.zoom = chosenZoom || fitting(view);
  for (const table of view.tables) {
    table.measure(view.zoom);
    table.draw(theme);
  }
}

function redraw() {
  for (const view of views) drawView(view);
  showLinks();
  const percent = Math.round(100 * (views[0]?.zoom ?? 1));
  el('fit').setAttribute('aria-pressed', String(chosenZoom === 0));
  el('fit').title = `${percent}%`;
}

function zoomBy(direction) {
  const now = views[0]?.zoom ?? 1;
  const further = direction > 0 ? ZOOMS.find((zoom) => zoom > now + 0.01) : ZOOMS.findLast((zoom) => zoom < now - 0.01);
  chosenZoom = further ?? now;
  redraw();
}

function tell(text) {
  el('told').textContent = text;
}

/** Puts a text into the clipboard; a page from disk may not be allowed to. */
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make('textarea', '', text);
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  tell(`${what} is in the clipboard`);
}

/** Writes a file. */
function download(name, data) {
  const link = make('a');
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  tell(`${name} was written to the downloads`);
}

/** The address of the page with this fragment. */
function address(fragment) {
  return `${location.href.replace(/#.*$/, '')}${fragment}`;
}

function exportAs(kind) {
  if (kind === 'embed') copy(address(`${link()}&embed=1`), 'The link for a frame');
  else if (kind === 'png') toPng().toBlob((data) => download('layout.png', data), 'image/png');
  else if (kind) {
    const [name, type, write] = FORMATS[kind];
    download(name, new Blob([write()], { type }));
  }
}

function startTools() {
  el('physical').addEventListener('input', () => { readFields(); update(); });
  el('smaller').addEventListener('click', () => zoomBy(-1));
  el('larger').addEventListener('click', () => zoomBy(1));
  el('fit').addEventListener('click', () => { chosenZoom = 0; redraw(); });
  el('copy').addEventListener('click', () => copy(address(link()), 'The link'));
  el('export').addEventListener('change', () => {
    exportAs(el('export').value);
    el('export').value = '';
  });
  let resized = 0;
  window.addEventListener('resize', () => {
    clearTimeout(resized);
    if (!chosenZoom) resized = setTimeout(redraw, 150);
  });
}
