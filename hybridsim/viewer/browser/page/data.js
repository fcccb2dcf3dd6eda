// Runs as they come from hybridsim: pieces are read, and poses, events and curves are looked up at a time.
//
// A time has two sides at a jump. After it (`before` false) the last key at or before the time counts; before it, what is
// interpolated up to the first key at that time.

const NUMBERS_OF_A_POSE = 10; // position 3, quaternion w x y z, scale 3; scale 0: hidden

// An array that grows.
class Column {
  constructor(type, width = 1) {
    this.type = type;
    this.width = width;
    this.length = 0;
    this.values = new type(64 * width);
  }

  append(values) {
    const needed = this.length * this.width + values.length;
    if (needed > this.values.length) {
      const larger = new this.type(Math.max(needed, 2 * this.values.length));
      larger.set(this.values.subarray(0, this.length * this.width));
      this.values = larger;
    }
    this.values.set(values, this.length * this.width);
    this.length = needed / this.width;
  }

  // Drops the entries before one.
  cut(first) {
    this.values.copyWithin(0, first * this.width, this.length * this.width);
    this.length -= first;
  }

  // Index of the last entry at or before t (or only before t); -1 if there is none. The entries are in order.
  last(t, before) {
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before ? this.values[middle] < t : this.values[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

// Reads the arrays of a piece, whose bytes are sorted by their place in the number (see packing.py).
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  take(type, count) {
    const size = type.BYTES_PER_ELEMENT, sorted = new Uint8Array(count * size);
    for (let k = 0; k < size; k++) {
      const plane = this.place + k * count;
      for (let i = 0; i < count; i++) sorted[i * size + k] = this.bytes[plane + i];
    }
    this.place += count * size;
    return new type(sorted.buffer);
  }

  head() {
    const length = new DataView(this.bytes.buffer, this.bytes.byteOffset, 4).getUint32(0, true);
    this.place = 4 + length;
    return JSON.parse(new TextDecoder().decode(this.bytes.subarray(4, this.place)));
  }
}

// The keys of one body.
class BodyKeys {
  constructor() {
    this.t = new Column(Float64Array);
    this.poses = new Column(Float64Array, NUMBERS_OF_A_POSE);
  }

  // Writes the pose at a time into `out`; returns whether the body is shown.
  pose(t, before, out) {
    const times = this.t.values, poses = this.poses.values, n = NUMBERS_OF_A_POSE;
    let i = this.t.last(t, before), share = 0;
    if (i < 0) i = 0;
    else if (i + 1 < this.t.length && t > times[i]) share = (t - times[i]) / (times[i + 1] - times[i]);
    if (share >= 1) [i, share] = [i + 1, 0];
    const a = i * n, b = a + n;
    if (!this.t.length || poses[a + 9] === 0) return false;
    if (share === 0 || poses[b + 9] === 0) {
      for (let k = 0; k < n; k++) out[k] = poses[a + k];
      return true;
    }
    for (let k = 0; k < n; k++) out[k] = poses[a + k] + share * (poses[b + k] - poses[a + k]);
    const size = Math.hypot(out[3], out[4], out[5], out[6]) || 1;
    for (let k = 3; k < 7; k++) out[k] /= size;
    return true;
  }
}

// The keys of a body that moves with another one, from those of that one and its pose in that one's axes.
function carry({ times, poses }, pose) {
  const n = NUMBERS_OF_A_POSE, moved = new Float64Array(poses.length), [x, y, z, pw, px, py, pz, ...scale] = pose;
  for (let a = 0; a < poses.length; a += n) {
    const size = Math.hypot(...poses.subarray(a + 3, a + 7));
    const [w, i, j, k] = [...poses.subarray(a + 3, a + 7)].map((part) => part / size);
    // r + 2 w (v x r) + 2 v x (v x r)
    const [cx, cy, cz] = [j * z - k * y, k * x - i * z, i * y - j * x];
    moved[a] = poses[a] + x + 2 * (w * cx + j * cz - k * cy);
    moved[a + 1] = poses[a + 1] + y + 2 * (w * cy + k * cx - i * cz);
    moved[a + 2] = poses[a + 2] + z + 2 * (w * cz + i * cy - j * cx);
    moved[a + 3] = w * pw - i * px - j * py - k * pz;
    moved[a + 4] = w * px + i * pw + j * pz - k * py;
    moved[a + 5] = w * py - i * pz + j * pw + k * px;
    moved[a + 6] = w * pz + i * py - j * px + k * pw;
    moved.set(scale, a + 7);
  }
  return { times, poses: moved };
}

export class Run {
  constructor(head, number) {
    this.head = head;
    this.number = number;
    this.clear();
  }

  clear() {
    this.begin = this.end = this.head.begin;
    this.finished = false;
    this.message = "";
    this.charts = [];
    this.texts = [];
    this.first = null; // chart and number of jumps at the beginning
    this.bodies = this.head.bodies.map(() => new BodyKeys());
    this.t = new Column(Float64Array);
    this.outputs = this.head.outputs.map(() => new Column(Float32Array));
    this.limits = this.head.outputs.map(() => [Infinity, -Infinity]);
    this.events = {
      t: new Column(Float64Array), kind: new Column(Uint16Array), text: new Column(Uint16Array),
      chart: new Column(Uint16Array), j: new Column(Uint32Array),
    };
    this.counts = this.head.kinds.map(() => 0);
    this.tiles = [];
    this.dropped = false; // whether the run had begun before
    this.version = 0;
  }

  // Adds a piece, of which the head has been read.
  add(head, reader) {
    this.charts.push(...head.charts);
    this.texts.push(...head.texts);
    this.first ??= { chart: head.chart, j: head.j };
    if (this.t.length === 0) this.begin = head.begin;
    const t = reader.take(Float64Array, head.keys);
    this.t.append(t);
    const types = { t: Float64Array, kind: Uint16Array, text: Uint16Array, chart: Uint16Array, j: Uint32Array };
    for (const [name, type] of Object.entries(types)) this.events[name].append(reader.take(type, head.events));
    for (let e = this.events.t.length - head.events; e < this.events.t.length; e++) this.counts[this.events.kind.values[e]]++;
    this.addPoses(head, reader, t);
    this.outputs.forEach((column, k) => {
      const values = reader.take(Float32Array, head.keys);
      column.append(values);
      for (const value of values) {
        if (!Number.isFinite(value)) continue;
        this.limits[k][0] = Math.min(this.limits[k][0], value);
        this.limits[k][1] = Math.max(this.limits[k][1], value);
      }
    });
    for (const tile of head.tiles) {
      this.tiles.push({ ...tile, heights: reader.take(Float32Array, tile.x.length * tile.y.length) });
    }
    [this.end, this.finished, this.message] = [head.end, head.finished, head.message];
    this.dropped ||= Boolean(head.dropped);
    this.version++;
  }

  // Drops the older half if the bodies have more than so many numbers.
  shorten(most) {
    const numbers = this.bodies.reduce((sum, { poses }) => sum + poses.length * poses.width, 0);
    const first = this.t.last(0.5 * (this.begin + this.end), false), t = this.t.values[first];
    if (numbers <= most || first <= 0) return;
    const { chart, j } = this.moment(t, true), gone = this.events.t.last(t, true) + 1;
    Object.assign(this, { begin: t, first: { chart, j }, dropped: true });
    for (let e = 0; e < gone; e++) this.counts[this.events.kind.values[e]]--;
    for (const column of Object.values(this.events)) column.cut(gone);
    for (const column of [this.t, ...this.outputs]) column.cut(first);
    for (const body of this.bodies) {
      const unneeded = Math.max(body.t.last(t, true), 0);
      body.t.cut(unneeded);
      body.poses.cut(unneeded);
    }
  }

  addPoses({ counts, units, carried }, reader, t) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const steps = reader.take(Uint32Array, total), rounded = reader.take(Uint32Array, total * NUMBERS_OF_A_POSE);
    const keys = [];
    let first = 0;
    counts.forEach((count, body) => {
      const times = new Float64Array(count), poses = new Float64Array(count * NUMBERS_OF_A_POSE);
      for (let i = 0, index = 0; i < count; i++) times[i] = t[(index += steps[first + i])];
      for (let k = 0; k < NUMBERS_OF_A_POSE; k++) {
        const unit = 2 ** units[body][k < 3 ? 0 : k < 7 ? 1 : 2];
        for (let i = 0, whole = 0; i < count; i++) {
          const step = rounded[first * NUMBERS_OF_A_POSE + k * count + i];
          whole += step & 1 ? -(step >>> 1) - 1 : step >>> 1;
          poses[i * NUMBERS_OF_A_POSE + k] = whole * unit;
        }
      }
      keys[body] = { times, poses };
      first += count;
    });
    for (const [body, carrier, ...pose] of carried) keys[body] = carry(keys[carrier], pose);
    keys.forEach(({ times, poses }, body) => {
      this.bodies[body].t.append(times);
      this.bodies[body].poses.append(poses);
    });
  }

  pose(body, t, before, out) {
    return this.bodies[body].pose(Math.min(Math.max(t, this.begin), this.end), before, out);
  }

  // Chart, number of jumps and last event at a time.
  moment(t, before) {
    const e = this.events.t.last(t, before);
    if (e < 0) return { chart: this.first?.chart ?? 0, j: this.first?.j ?? 0, text: "" };
    return { chart: this.events.chart.values[e], j: this.events.j.values[e], text: this.texts[this.events.text.values[e]] };
  }

  // Value of an output at a time: cubic between two keys, without leaving the range of their values.
  output(k, t, before) {
    const times = this.t.values, values = this.outputs[k].values;
    const i = Math.max(this.t.last(t, before), 0), j = Math.min(i + 1, this.t.length - 1);
    const width = times[j] - times[i], rise = values[j] - values[i];
    if (!(width > 0 && t > times[i])) return values[i];
    const [from, to] = [i, j].map((m) => width * this.slope(k, m)), u = (t - times[i]) / width;
    return values[i] + u * (rise * u * (3 - 2 * u) + (1 - u) * (from * (1 - u) - to * u));
  }

  // The largest size of an output so far.
  largest(k) {
    const [low, high] = this.limits[k];
    return low <= high ? Math.max(-low, high) : 0;
  }

  // Slope of an output at a key: 0 at an extremum, else between those of the neighbouring intervals.
  slope(k, m) {
    const times = this.t.values, values = this.outputs[k].values;
    if (m === 0 || m + 1 >= this.t.length) return this.slopeAtEnd(k, m);
    const before = times[m] - times[m - 1], after = times[m + 1] - times[m];
    if (!(before > 0 && after > 0)) return this.slopeAtEnd(k, m);
    const [left, right] = [(values[m] - values[m - 1]) / before, (values[m + 1] - values[m]) / after];
    if (left * right <= 0) return 0;
    const most = 3 * Math.min(Math.abs(left), Math.abs(right)), slope = (left * after + right * before) / (before + after);
    return Math.min(Math.max(slope, -most), most);
  }

  // Slope of an output at a key with a neighbour on one side alone: that of the interval there.
  slopeAtEnd(k, m) {
    const times = this.t.values, values = this.outputs[k].values;
    const n = m + 1 < this.t.length && times[m + 1] > times[m] ? m + 1 : m - 1;
    return n >= 0 && times[n] !== times[m] ? (values[n] - values[m]) / (times[n] - times[m]) : 0;
  }

  // Time of the next or the previous event whose kind is on; undefined if there is none.
  neighbour(t, forward, isOn) {
    const { t: times, kind } = this.events;
    const step = forward ? 1 : -1;
    for (let e = forward ? times.last(t, false) + 1 : times.last(t, true); e >= 0 && e < times.length; e += step) {
      if (isOn(kind.values[e])) return times.values[e];
    }
    return undefined;
  }

  isEvent(t) {
    const e = this.events.t.last(t, false);
    return e >= 0 && this.events.t.values[e] === t;
  }
}

// Adds one piece to the run that it belongs to.
export function addPiece(runs, bytes, most) {
  const reader = new Reader(bytes), head = reader.head();
  runs[head.run].add(head, reader);
  runs[head.run].shorten(most);
}

// The pieces in a page: base64 of gzip of pieces, each after its length.
export async function readPage(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer()), pieces = [];
  for (let place = 0; place < bytes.length; ) {
    const length = new DataView(bytes.buffer, place, 4).getUint32(0, true);
    pieces.push(bytes.slice(place + 4, place + 4 + length));
    place += 4 + length;
  }
  return pieces;
}
