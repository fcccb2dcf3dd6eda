// The page: reads the runs in it, or connects to hybridsim, and draws.

import { Run, addPiece, readPage } from "./data.js";
import { Connection } from "./live.js";
import { element, setText, showMessage } from "./panels.js";
import { View } from "./view.js";

let view = null;

function show(header, connection = null, old = null) {
  document.title = header.title;
  const runs = header.runs.map((head, number) => new Run(head, number));
  return { runs, most: header.most, open: () => (view = new View(header, runs, connection, old)) };
}

function loop(last) {
  requestAnimationFrame((now) => {
    if (view) view.draw((now - last) / 1000);
    loop(now);
  });
}

// A live run: a header comes first, and again after a restart; then its pieces, the oldest first.
function connect() {
  let pending = null, epoch = 0, old = null;
  const connection = new Connection({
    header(message) {
      old = view ?? old;
      epoch = message.epoch;
      pending = show(message.header, connection, old);
      view = null;
    },
    piece(bytes) {
      addPiece(pending.runs, bytes, pending.most);
      if (!view && pending.runs.every((run) => run.t.length)) connection.report(pending.open().player, epoch);
      if (view) view.changed = true;
    },
    inputs({ values }) {
      view?.sliders.set(values);
    },
    message({ text, alarm }) {
      showMessage(text, alarm);
    },
    closed() {
      showMessage("The player has been closed; what has come so far can still be looked at.");
    },
  });
}

async function start() {
  const header = JSON.parse(element("header").textContent);
  element("dismiss").addEventListener("click", () => showMessage(""));
  window.addEventListener("keydown", (event) => view?.press(event));
  window.addEventListener("hashchange", () => view?.readAddress());
  window.addEventListener("resize", () => view && (view.changed = true));
  loop(performance.now());
  if (header.live) return connect();
  const page = show(header);
  for (const piece of await readPage(element("data").textContent)) addPiece(page.runs, piece, Infinity);
  page.open();
  return setText(element("data"), "");
}

start().catch((problem) => showMessage(`This page cannot show the run: ${problem.message}`, true));
