// Mouse and fingers on the picture: one turns, two move and zoom; with the control key a drag pushes a body.

const TURN = 0.008; // radians for a pixel
const KEY_TURN = 0.08;

// Listens to the canvas of a stage; `push` is `{ begin(x, y), move(x, y), end() }`, and `changed()` asks for a picture.
export function listenToMouse(canvas, stage, push, changed) {
  const pointers = new Map();
  let pushing = false;

  function places() {
    return [...pointers.values()];
  }

  function dragOne(pointer, event) {
    const dx = event.offsetX - pointer.x, dy = event.offsetY - pointer.y, { camera } = pointer.panel;
    if (pointer.button === 2) camera.zoom(Math.exp(-0.006 * dy));
    else if (pointer.button === 1 || event.shiftKey) camera.pan(dx / stage.height, -dy / stage.height);
    else camera.orbit(-TURN * dx, TURN * dy);
  }

  function dragTwo(moved, event) {
    const other = places().find((pointer) => pointer !== moved), { camera } = moved.panel;
    const distance = (x, y) => Math.max(Math.hypot(x - other.x, y - other.y), 1);
    camera.zoom(distance(event.offsetX, event.offsetY) / distance(moved.x, moved.y));
    camera.pan((event.offsetX - moved.x) / (2 * stage.height), -(event.offsetY - moved.y) / (2 * stage.height));
  }

  function release(event) {
    if (pushing) push.end();
    pushing = false;
    pointers.delete(event.pointerId);
  }

  canvas.addEventListener("pointerdown", (event) => {
    const place = stage.panelAt(event.offsetX, event.offsetY);
    if (!place) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, button: event.button, panel: place.panel });
    if (event.ctrlKey && event.button === 0) pushing = push.begin(event.offsetX, event.offsetY);
    else event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    if (pushing) push.move(event.offsetX, event.offsetY);
    else if (!event.ctrlKey) (pointers.size > 1 ? dragTwo : dragOne)(pointer, event);
    [pointer.x, pointer.y] = [event.offsetX, event.offsetY];
    changed();
  });
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    stage.panelAt(event.offsetX, event.offsetY)?.panel.camera.zoom(Math.exp(-0.0015 * event.deltaY));
    changed();
  }, { passive: false });
}

// Turns and zooms by keys, with alt; returns whether the key does so.
export function turnByKey(key, stage) {
  const turns = { ArrowLeft: [KEY_TURN, 0], ArrowRight: [-KEY_TURN, 0], ArrowUp: [0, KEY_TURN], ArrowDown: [0, -KEY_TURN] };
  const zooms = { "+": 1.1, "=": 1.1, "-": 1 / 1.1, "–": 1 / 1.1 };
  for (const { camera } of stage.panels) {
    if (turns[key]) camera.orbit(...turns[key]);
    else if (zooms[key]) camera.zoom(zooms[key]);
    else return false;
  }
  return true;
}
