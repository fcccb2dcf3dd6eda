// What keys and buttons do: a name for readers and screen readers, a key, and an icon drawn in a square of 24.

export const ACTIONS = [
  { name: "beginning", key: "Home", icon: "M6 5v14M18 5l-9 7 9 7z" },
  { name: "previousEvent", key: "ArrowDown", label: "previous event", icon: "M5 5v14M20 12H9m4-5-5 5 5 5" },
  { name: "back", key: "ArrowLeft", label: "one picture back", icon: "M15 5l-8 7 8 7" },
  { name: "play", key: " ", label: "play", icon: "M7 4l13 8-13 8z" },
  { name: "forward", key: "ArrowRight", label: "one picture forward", icon: "M9 5l8 7-8 7" },
  { name: "nextEvent", key: "ArrowUp", label: "next event", icon: "M19 5v14M4 12h11m-4-5 5 5-5 5" },
  { name: "end", key: "End", icon: "M18 5v14M6 5l9 7-9 7z" },
  { name: "otherSide", key: "b", label: "before or after the jump", icon: "M12 3v18M8 8l-4 4 4 4M16 8l4 4-4 4" },
  { name: "seek", key: "s", label: "go to a time", icon: "M12 3a9 9 0 1 0 .01 0M12 7v5l4 2" },
  { name: "slower", key: "-", icon: "M5 12h14" },
  { name: "faster", key: "+", icon: "M5 12h14M12 5v14" },
  { name: "camera", key: "c", label: "next camera", icon: "M3 7h12v10H3zM15 11l6-3v8l-6-3" },
  { name: "trails", key: "t", label: "trails", icon: "M3 18c4 0 4-12 9-12s4 8 9 8", pressed: false },
  { name: "forces", key: "f", label: "arrows of forces, marks of feet", icon: "M12 21V5m-5 5 5-6 5 6", pressed: true, kind: "force" },
  { name: "cones", key: "k", label: "cones of friction", icon: "M4 5l8 15 8-15zM4 5h16", pressed: false, kind: "cone" },
  { name: "contacts", key: "p", label: "points of contact", icon: "M4 20h16M12 4v12m-4-4 4 4 4-4", pressed: true, kind: "contact" },
  { name: "joints", key: "j", label: "joints", icon: "M5 5l7 7 7-7M12 12v8M9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0", pressed: true, kind: "joint" },
  { name: "frames", key: "a", label: "axes of bodies", icon: "M9 15V4m0 11h12M9 15l-6 6", pressed: false, kind: "frame" },
  { name: "inertia", key: "e", label: "ellipsoids of inertia", icon: "M3 12a9 5 0 1 0 18 0 9 5 0 1 0-18 0", pressed: false, kind: "inertia" },
  { name: "strips", key: "g", label: "strip charts", icon: "M3 4v16h18M6 15l4-6 4 4 6-8", pressed: true },
  { name: "inputs", key: "i", label: "sliders for the inputs", icon: "M4 7h16M4 17h16M9 4v6M15 14v6", pressed: false, live: true },
  { name: "restart", key: "r", label: "read the configuration again and restart", icon: "M19 12a7 7 0 1 1-2-5m2-4v4h-4", live: true },
  { name: "close", key: "q", label: "close the player", icon: "M5 5l14 14M19 5L5 19", live: true },
  { name: "help", key: "h", label: "keys and notes", icon: "M8 9a4 4 0 1 1 5 4c-1 .5-1 1-1 2m0 4v.1" },
];
export const PAUSE_ICON = "M8 5v14M16 5v14";

const ALIASES = { "=": "+", _: "-", "?": "h", Escape: "q" };
const KEY_NAMES = { " ": "space", ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" };
const SHORTCUTS = { " ": "Space", "+": "Plus", "-": "Minus" };

// The action of a key, if there is one here.
export function actionOf(key, actions) {
  const plain = ALIASES[key] ?? (key.length === 1 ? key.toLowerCase() : key);
  return actions.find((action) => action.key === plain);
}

function icon(path) {
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  picture.appendChild(document.createElementNS(space, "path")).setAttribute("d", path);
  return picture;
}

export function setIcon(button, path) {
  button.replaceChildren(icon(path));
}

// Makes the buttons and the list of keys; `act(name)` is called by a button.
export function makeButtons(box, list, actions, act) {
  const buttons = {};
  box.replaceChildren();
  list.replaceChildren();
  for (const { name, key, label = name, icon: path, pressed } of actions) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", title: `${label} (${KEY_NAMES[key] ?? key})` });
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-keyshortcuts", SHORTCUTS[key] ?? key);
    if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
    setIcon(button, path);
    button.addEventListener("click", () => act(name));
    box.append(button);
    buttons[name] = button;
    const term = document.createElement("dt"), text = document.createElement("dd");
    term.append(icon(path), KEY_NAMES[key] ?? key);
    text.textContent = label;
    list.append(term, text);
  }
  const more = [["shift + left, right", "ten pictures"], ["alt + arrows", "turn the camera"], ["alt + + -", "zoom"]];
  for (const [keys, effect] of more) {
    list.appendChild(document.createElement("dt")).textContent = keys;
    list.appendChild(document.createElement("dd")).textContent = effect;
  }
  return buttons;
}
