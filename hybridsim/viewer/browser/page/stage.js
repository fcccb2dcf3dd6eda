// The pictures: the bodies of all runs, their ground, the sun and its shadows, in one panel or in one for each run.

import { FollowingCamera } from "./camera.js";
import { mixColours } from "./format.js";
import { makeGround } from "./ground.js";
import { makePieces } from "./shapes.js";

const GHOST_OPACITY = 0.38;
const MAX_OPACITY_AROUND = 0.4; // of bodies while their ellipsoids of inertia are shown
const TINT_SHARE = 0.65;
const SHADOW_PIXELS = 1536; // side of the shadow map
const SHADOW_WIDTH = 1.8; // width of what has shadows, in camera distances
const AMBIENT = 0.62 * Math.PI, SUN = 0.5 * Math.PI; // three.js divides by pi
const TRAIL_POINTS = 120;
const PICTURES_TIMED = 12; // pictures whose time decides about the quality
const MOMENTS_SEEN = 60; // of a run that a camera sees the whole of
const MOST_OF_A_PART = 0.4; // of the height of one of several parts, that texts or charts cover
const LATE = 0.11; // seconds between pictures from which on they are late

// The bodies of one run in a panel.
class RunBodies {
  constructor(run, scene, tint, opacity) {
    this.run = run;
    this.opacity = opacity;
    this.pose = new Float64Array(10);
    this.pieces = [];
    run.head.bodies.forEach((body, number) => {
      const material = new THREE.MeshPhongMaterial({
        color: mixColours(body.colour, tint, TINT_SHARE), specular: "#2b2b2b", shininess: 24,
        opacity: opacity * body.opacity, transparent: opacity * body.opacity < 1,
      });
      for (const { geometry, place, open } of makePieces(body.shape, run.head.meshes)) {
        const mesh = new THREE.Mesh(geometry, material);
        if (open || body.kind === "cone") Object.assign(material, { side: THREE.DoubleSide, depthWrite: false });
        mesh.matrixAutoUpdate = false;
        mesh.frustumCulled = false;
        mesh.castShadow = body.kind === "body" && opacity === 1;
        mesh.receiveShadow = body.kind === "body" && opacity === 1 && !material.transparent;
        mesh.userData.body = number;
        scene.add(mesh);
        this.pieces.push({ mesh, place, body: number, kind: body.kind });
      }
    });
    this.trails = this.makeTrails(scene, tint);
  }

  makeTrails(scene, tint) {
    const solid = this.run.head.bodies.map((body, i) => (body.kind === "body" ? i : -1)).filter((i) => i >= 0);
    return solid.map((body) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * TRAIL_POINTS), 3));
      const colour = mixColours(this.run.head.bodies[body].colour, tint, TINT_SHARE);
      const line = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour }));
      line.frustumCulled = false;
      line.visible = false;
      scene.add(line);
      return { body, line };
    });
  }

  // Moves the bodies to where they are at a time; `shown` are the kinds that are visible.
  place(t, before, shown) {
    const position = new THREE.Vector3(), quaternion = new THREE.Quaternion(), scale = new THREE.Vector3();
    let last = -1, visible = false;
    for (const { mesh, place, body, kind } of this.pieces) {
      if (body !== last) visible = shown.has(kind) && this.run.pose(body, t, before, this.pose);
      last = body;
      mesh.visible = visible;
      if (!visible) continue;
      const [x, y, z, qw, qx, qy, qz, sx, sy, sz] = this.pose;
      position.set(x, y, z);
      quaternion.set(qx, qy, qz, qw);
      scale.set(sx, sy, sz);
      if (place) place(position, quaternion, scale);
      mesh.matrix.compose(position, quaternion, scale);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  // The corners of the boxes of all bodies that are visible.
  corners() {
    const seen = this.pieces.filter(({ mesh, kind }) => kind === "body" && mesh.visible);
    return seen.flatMap(({ mesh: { geometry, matrix } }) => {
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox, corner = (i) => new THREE.Vector3(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z);
      return Array.from({ length: 8 }, (_, i) => corner(i).applyMatrix4(matrix));
    });
  }

  letThrough(on) {
    for (const { mesh, body, kind } of this.pieces) {
      if (kind !== "body") continue;
      const opacity = this.opacity * this.run.head.bodies[body].opacity;
      mesh.material.opacity = on ? Math.min(opacity, MAX_OPACITY_AROUND) : opacity;
      mesh.material.transparent = mesh.material.opacity < 1;
    }
  }

  // Draws where the bodies have been in the last `span` seconds.
  drawTrails(t, span, on) {
    for (const { body, line } of this.trails) {
      line.visible = on;
      if (!on) continue;
      const points = line.geometry.getAttribute("position");
      let n = 0, origin = null, last = null;
      for (let i = 0; i < TRAIL_POINTS; i++) {
        const time = t - span * (1 - i / (TRAIL_POINTS - 1));
        const here = time >= this.run.begin && this.run.pose(body, time, false, this.pose) ? [...this.pose.slice(0, 3)] : null;
        origin ??= here;
        // Relative to the first point: far from the origin of the world, single precision would make lines tremble.
        if (last && here) for (const point of [last, here]) points.setXYZ(n++, ...point.map((value, k) => value - origin[k]));
        last = here;
      }
      points.needsUpdate = true;
      line.geometry.setDrawRange(0, n);
      if (origin) line.position.set(...origin);
    }
  }
}

// One picture: a scene with a camera, its runs, a ground and the sun.
class Panel {
  constructor(runs, tintOf) {
    const [first] = runs;
    this.runs = runs;
    this.scene = new THREE.Scene();
    this.camera = new FollowingCamera(first.head.camera);
    this.distance = first.head.camera.distance;
    this.bodies = runs.map((run) => {
      const tint = tintOf(run);
      return new RunBodies(run, this.scene, tint, tint ? GHOST_OPACITY : 1);
    });
    this.ground = first.head.ground && makeGround(first.head.ground, this.distance);
    if (this.ground) this.scene.add(this.ground.mesh);
    this.tiles = 0;
    this.arrow = makePieces({ type: "Arrow", radius: 0.004 * this.distance }).map((piece) => this.addArrow(piece));
    this.addLights(new THREE.Vector3(...first.head.camera.view));
  }

  addArrow({ geometry, place }) {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshPhongMaterial({ color: "#5965dc" }));
    Object.assign(mesh, { matrixAutoUpdate: false, frustumCulled: false, visible: false });
    this.scene.add(mesh);
    return { mesh, place };
  }

  // Shows the arrow of a push by the mouse from a point along a way; null hides it.
  showPush(origin, way) {
    const length = way ? way.length() : 0;
    for (const { mesh, place } of this.arrow) {
      mesh.visible = length > 0;
      if (!length) continue;
      const quaternion = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), way.clone().normalize());
      const position = origin.clone(), scale = new THREE.Vector3(1, 1, length);
      place(position, quaternion, scale);
      mesh.matrix.compose(position, quaternion, scale);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  addLights(view) {
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#c9cdd2", AMBIENT));
    const ahead = new THREE.Vector3(view.x, view.y, 0);
    if (ahead.length() < 1e-6) ahead.set(0, 1, 0);
    ahead.normalize();
    this.toSun = new THREE.Vector3(-ahead.y, ahead.x, 0).multiplyScalar(0.45).addScaledVector(ahead, -0.55);
    this.toSun.z = 1.35;
    this.sun = new THREE.DirectionalLight("#ffffff", SUN);
    const half = 0.5 * SHADOW_WIDTH * this.distance, { shadow } = this.sun;
    Object.assign(shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1, far: 6 * this.distance });
    shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    shadow.bias = -2e-4;
    shadow.normalBias = (1.5 * SHADOW_WIDTH * this.distance) / SHADOW_PIXELS;
    this.sun.castShadow = true;
    this.scene.add(this.sun, this.sun.target);
  }

  // Lets the camera see the bodies wherever they are in finished runs, and not from farther away.
  fill(shown) {
    const moments = Array.from({ length: MOMENTS_SEEN }, (_, i) => i / (MOMENTS_SEEN - 1));
    const points = this.bodies.flatMap((bodies) => moments.flatMap((part) => {
      const { begin, end } = bodies.run;
      bodies.place(begin + part * (end - begin), false, shown);
      return bodies.corners();
    }));
    if (points.length) this.camera.fill(points);
  }

  place(t, before, shown) {
    const [first] = this.runs, { follow } = this.camera.head;
    for (; this.tiles < first.tiles.length; this.tiles++) this.ground?.add?.(first.tiles[this.tiles]);
    if (follow !== null && first.pose(follow, t, before, this.bodies[0].pose)) this.camera.follow(this.bodies[0].pose);
    const filled = !this.seen && this.camera.head.whole && follow === null && this.runs.every((run) => run.finished);
    if (filled) this.fill(shown);
    for (const bodies of this.bodies) bodies.place(t, before, shown);
    if (!this.seen && !filled) this.camera.see(this.bodies[0].corners());
    this.seen = true;
    const { target } = this.camera;
    this.ground?.follow(target);
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).addScaledVector(this.toSun, 1.6 * this.distance);
  }
}

export class Stage {
  constructor(canvas, runs, view, colours) {
    THREE.ColorManagement.enabled = false;
    this.canvas = canvas;
    this.runs = runs;
    this.shown = new Set(["body", "force", "contact", "joint", ...(view.cones ? ["cone"] : [])]);
    this.trails = false;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setScissorTest(true);
    this.quality = 0;
    this.times = [];
    this.layout = runs.length > 1 ? view.layout : "ghosts";
    this.colours = colours;
    this.build(view.camera);
  }

  build(camera) {
    const tint = (run) => (this.layout === "ghosts" && run.number ? this.ghostTint(run.number) : "");
    const groups = this.layout === "ghosts" ? [this.runs] : this.runs.map((run) => [run]);
    this.panels = groups.map((group) => new Panel(group, tint));
    this.setCamera(camera);
  }

  ghostTint(number) {
    const { ghosts } = this.colours;
    return ghosts[1 + ((number - 1) % (ghosts.length - 1))];
  }

  get cameraName() {
    return this.panels[0].camera.name;
  }

  setCamera(name) {
    for (const panel of this.panels) panel.camera.set(name);
  }

  // Shows or hides a kind of bodies; bodies let ellipsoids of inertia through.
  toggle(kind) {
    if (!this.shown.delete(kind)) this.shown.add(kind);
    const shown = this.shown.has(kind);
    if (kind === "inertia") for (const { bodies } of this.panels) for (const each of bodies) each.letThrough(shown);
    return shown;
  }

  // The size of the picture in CSS pixels, and the places of the panels in it: as square as possible.
  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    const pixels = Math.min(window.devicePixelRatio || 1, 2) * (this.quality > 0 ? 0.6 : 1);
    if (width === this.width && height === this.height && pixels === this.pixels) return;
    Object.assign(this, { width, height, pixels });
    this.renderer.setPixelRatio(pixels);
    this.renderer.setSize(width, height, false);
  }

  places() {
    const n = this.panels.length;
    const columns = Math.max(1, Math.min(n, Math.round(Math.sqrt((n * this.width) / this.height))));
    const rows = Math.ceil(n / columns), width = this.width / columns, height = this.height / rows;
    return this.panels.map((panel, i) => ({
      panel, x: (i % columns) * width, y: this.height - (Math.floor(i / columns) + 1) * height, width, height,
    }));
  }

  // The panel at a point of the canvas, and the point in it from -1 to 1.
  panelAt(x, y) {
    const up = this.height - y;
    const place = this.places().find((p) => x >= p.x && x <= p.x + p.width && up >= p.y && up <= p.y + p.height);
    if (!place) return null;
    const point = new THREE.Vector2((2 * (x - place.x)) / place.width - 1, (2 * (up - place.y)) / place.height - 1);
    return { ...place, point };
  }

  // The ray of sight through a point of a panel.
  ray(panel, point) {
    const caster = new THREE.Raycaster();
    caster.setFromCamera(point, panel.camera.camera);
    return caster;
  }

  // The first of these bodies of the panel's first run that is seen at a point.
  bodyAt(panel, point, numbers) {
    const meshes = panel.bodies[0].pieces.filter((p) => numbers.includes(p.body) && p.mesh.visible).map((p) => p.mesh);
    const [hit] = this.ray(panel, point).intersectObjects(meshes);
    return hit ? hit.object.userData.body : null;
  }

  // Draws all runs at a time. `covered` says in which parts of width and height texts and charts are.
  draw(t, before, span, covered) {
    const began = performance.now();
    this.resize();
    for (const { panel, x, y, width, height } of this.places()) {
      panel.place(t, before, this.shown);
      for (const bodies of panel.bodies) bodies.drawTrails(t, span, this.trails);
      panel.camera.prepare(width, height, this.within({ x, y, width, height }, covered(panel.camera.wide)));
      this.renderer.setViewport(x, y, width, height);
      this.renderer.setScissor(x, y, width, height);
      this.renderer.render(panel.scene, panel.camera.camera);
    }
    this.drawn = performance.now() - began;
  }

  // What covers one of several parts: those at the top, at the right and at the bottom of the picture.
  within({ x, y, width, height }, { right, above, below }) {
    const share = (part, whole, own, touches) => (touches ? (own < whole ? Math.min((part * whole) / own, MOST_OF_A_PART) : part) : 0);
    return {
      right: share(right, this.width, width, x + width > this.width - 1),
      above: share(above, this.height, height, y + height > this.height - 1),
      below: share(below, this.height, height, y < 1),
    };
  }

  // Lowers the quality where pictures come late: first fewer pixels, then no shadows.
  noteInterval(seconds) {
    this.times.push(seconds);
    if (this.times.length < PICTURES_TIMED) return;
    const middle = this.times.sort((a, b) => a - b)[PICTURES_TIMED >> 1];
    this.times = [];
    if (middle < LATE || this.quality === 2) return;
    this.quality++;
    if (this.quality === 2) for (const panel of this.panels) panel.sun.castShadow = false;
  }
}
