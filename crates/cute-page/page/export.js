// The pictures as files: SVG, PNG, LaTeX and Python. They have what the tables have.

/** Pixels between tables, and of a title. */
const GAP = 16;
const TITLE = 20;

/** The tables of all views with their places, and the size of the whole. */
function arranged() {
  const placed = [];
  let [top, wide] = [0, 0];
  for (const view of views) {
    placed.push({ text: view.title, x: 0, y: top + 14 });
    top += TITLE + 4;
    const grouped = view.rows.filter((row) => row.length > 1);
    const across = [];
    for (const row of grouped) {
      row.forEach((table, column) => { if (table) across[column] = Math.max(across[column] ?? 0, table.size[0] + GAP); });
    }
    const left = (column) => across.slice(0, column).reduce((sum, width) => sum + (width ?? 0), 0);
    for (const row of view.rows) {
      const high = Math.max(0, ...row.filter(Boolean).map((table) => table.size[1]));
      row.forEach((table, column) => {
        if (!table) return;
        const x = row.length > 1 ? left(column) : 0;
        placed.push({ text: table.grid.title, x, y: top + 14 });
        placed.push({ table, x, y: top + TITLE + high - table.size[1] });
        wide = Math.max(wide, x + table.size[0], x + LETTER * table.grid.title.length);
      });
      top += TITLE + high + GAP;
    }
    wide = Math.max(wide, LETTER * view.title.length + 20);
  }
  return { placed, size: [Math.ceil(wide) + 2, Math.ceil(top)] };
}

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The cells of a table: row, column, index, colour and lines. */
function* cellsOf(table) {
  for (let index = 0; index < table.rows * table.columns; index++) {
    const colour = table.grid.colours.values[index];
    yield {
      i: Math.floor(index / table.columns), j: index % table.columns, index,
      colour: Number.isNaN(colour) ? null : colour, lines: table.hasText ? table.lines(index) : [],
    };
  }
}

function toSvg() {
  const { placed, size: [width, height] } = arranged();
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
      + ` font-family="${escaped(FONT)}" font-size="10" text-anchor="middle" dominant-baseline="central">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ];
  const write = (x, y, text, rest = '') => out.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${rest}>${escaped(text)}</text>`);
  for (const { text, table, x, y } of placed) {
    if (!table) {
      if (text) write(x + 2, y, text, ' text-anchor="start" font-size="11"');
      continue;
    }
    const { cell: [w, h], rim: [left, top], grid } = table;
    const [from, to] = [x + left, y + top];
    for (const { i, j, colour, lines } of cellsOf(table)) {
      const fill = colour === null ? '#fff' : palette[colour];
      const edge = table.hasText ? ' stroke="#999" stroke-width=".5"' : '';
      const place = `x="${(from + j * w).toFixed(1)}" y="${(to + i * h).toFixed(1)}"`;
      out.push(`<rect ${place} width="${w.toFixed(1)}" height="${h.toFixed(1)}" fill="${fill}"${edge}/>`);
      lines.forEach((line, n) => write(
        from + (j + 0.5) * w, to + (i + 0.5) * h + table.font * 1.2 * (n - (lines.length - 1) / 2), line, ` font-size="${table.font}"`,
      ));
    }
    if (h >= 11) grid.rows.forEach((label, i) => write(from - 4, to + (i + 0.5) * h, label, ' text-anchor="end" fill="#666"'));
    if (w >= 11) {
      grid.columns.forEach((label, j) => {
        const [a, b] = [from + (j + 0.5) * w, to - (table.turned ? 4 : 8)];
        const turned = table.turned ? ` text-anchor="start" transform="rotate(-90 ${a.toFixed(1)} ${b.toFixed(1)})"` : '';
        write(a, b, label, ` fill="#666"${turned}`);
      });
    }
  }
  return [...out, '</svg>', ''].join('\n');
}

/** The tables as they are on the screen, with their outlines. */
function toPng() {
  const { placed, size } = arranged();
  const scale = Math.min(2, 16000 / Math.max(...size));
  const canvas = make('canvas');
  [canvas.width, canvas.height] = size.map((length) => Math.ceil(length * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, ...size);
  context.fillStyle = theme.text;
  context.font = `11px ${FONT}`;
  for (const { text, table, x, y } of placed) {
    if (table) for (const layer of [table.base, table.over]) { if (layer.width) context.drawImage(layer, x, y, ...table.size); }
    else context.fillText(text, x + 2, y);
  }
  return canvas;
}

/** Text in which LaTeX sees no commands. */
const plain = (text) => text.replace(/[\\{}$&#^_%~<>]/g, (c) => `\\char${c.charCodeAt(0)}{}`);

function toLatex() {
  const out = [
    '% pdflatex; the table is a picture of TikZ.', '\\documentclass[tikz,border=2pt]{standalone}', '\\begin{document}',
  ];
  const used = new Set(tables().flatMap((table) => [...table.grid.colours.values]).filter((colour) => !Number.isNaN(colour)));
  const context = make('canvas').getContext('2d', { willReadFrequently: true });
  for (const colour of [...used].sort((a, b) => a - b)) {
    context.fillStyle = palette[colour];
    context.fillRect(0, 0, 1, 1);
    out.push(`\\definecolor{cute${colour}}{RGB}{${[...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join(',')}}`);
  }
  const unit = 30;
  out.push(`\\begin{tikzpicture}[x=${1 / unit}cm,y=-${1 / unit}cm,font=\\ttfamily\\tiny]`);
  for (const { text, table, x, y } of arranged().placed) {
    if (!table) {
      if (text) out.push(`\\node[anchor=west] at (${x},${y}) {${plain(text)}};`);
      continue;
    }
    const { cell: [w, h], rim: [left, top], grid } = table;
    const at = (a, b) => `(${(x + left + a).toFixed(1)},${(y + top + b).toFixed(1)})`;
    for (const { i, j, colour, lines } of cellsOf(table)) {
      const fill = colour === null ? '' : `fill=cute${colour},`;
      const label = lines.length ? ` node[midway,align=center] {${lines.map(plain).join('\\\\')}}` : '';
      out.push(`\\draw[${fill}draw=gray,very thin] ${at(j * w, i * h)} rectangle ${at((j + 1) * w, (i + 1) * h)}${label};`);
    }
    if (h >= 11) grid.rows.forEach((label, i) => out.push(`\\node[anchor=east] at ${at(0, (i + 0.5) * h)} {${plain(label)}};`));
    if (w >= 11) {
      const how = table.turned ? 'anchor=west,rotate=90' : 'anchor=south';
      grid.columns.forEach((label, j) => out.push(`\\node[${how}] at ${at((j + 0.5) * w, 0)} {${plain(label)}};`));
    }
  }
  return [...out, '\\end{tikzpicture}', '\\end{document}', ''].join('\n');
}

/** The call that makes the value, and the numbers of its tables. */
function toPython() {
  const quoted = (text) => JSON.stringify(text);
  const statements = state.expression.split('\n').filter((line) => line.trim());
  const out = ['# The numbers of the tables, row by row; None is an empty cell.'];
  if (statements.length === 1) {
    out.push(`# import cute_mlir as cm; layout = cm.evaluate(${quoted(statements[0].trim())})`);
  }
  out.push(`expression = ${quoted(state.expression)}`, 'tables = [');
  for (const table of tables()) {
    const list = (labels) => `[${labels.map(quoted).join(', ')}]`;
    out.push('    {', `        "title": ${quoted(table.grid.title)},`);
    out.push(`        "rows": ${list(table.grid.rows)},`, `        "columns": ${list(table.grid.columns)},`);
    for (const [name, values] of table.facets) {
      out.push(`        ${quoted(name)}: [`);
      for (let i = 0; i < table.rows; i++) {
        const row = [...values.slice(i * table.columns, (i + 1) * table.columns)];
        out.push(`            [${row.map((value) => (Number.isNaN(value) ? 'None' : value)).join(', ')}],`);
      }
      out.push('        ],');
    }
    out.push('    },');
  }
  return [...out, ']', ''].join('\n');
}

/** Formats of text: the name of the file, its type, and what writes it. */
const FORMATS = {
  svg: ['layout.svg', 'image/svg+xml', toSvg],
  latex: ['layout.tex', 'text/x-tex', toLatex],
  python: ['layout.py', 'text/x-python', toPython],
};
