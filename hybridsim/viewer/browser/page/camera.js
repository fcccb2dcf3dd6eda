// The camera of one picture: as the scene sets it, from the side, from above, or where the reader has moved it.

export const CAMERAS = ["follow", "side", "top", "free"];
const VIEW_ANGLE = 30; // degrees
const MAX_ELEVATION = 0.49 * Math.PI;
const LEAST_SPREAD = 1, MOST_SPREAD = 1.8; // ratio of the sides of a picture below which the camera steps back
const FILLED = 0.85; // of the picture, by what a camera that stands still sees of a whole run
const LEAST_COVERED = 0.14; // of the height, by texts above: the camera moves for more, and for bodies that reach so high

export class FollowingCamera {
  constructor(head) {
    this.head = head;
    this.camera = new THREE.PerspectiveCamera(VIEW_ANGLE, 1, 0.02 * head.distance, 60 * head.distance);
    this.camera.up.set(0, 0, 1);
    this.target = new THREE.Vector3();
    this.eye = new THREE.Vector3();
    this.up = new THREE.Vector3(0, 0, 1);
    this.followed = new THREE.Vector3();
    this.spread = LEAST_SPREAD;
    this.rise = this.wide = 0;
    this.set("follow");
  }

  focus() {
    const { at, along, follow } = this.head;
    const moved = (axis) => (follow !== null && along.includes(axis) ? this.followed[axis] : 0);
    return new THREE.Vector3(at[0] + moved("x"), at[1] + moved("y"), at[2] + moved("z"));
  }

  set(name) {
    this.name = name;
    if (name === "free") return;
    const [sight, up] = direction(name, new THREE.Vector3(...this.head.view));
    this.target.copy(this.focus());
    this.eye.copy(this.target).addScaledVector(sight, -this.head.distance);
    this.up.copy(up);
  }

  follow(pose) {
    const before = this.focus();
    this.followed.set(pose[0], pose[1], pose[2]);
    if (this.name !== "free") this.move(this.focus().sub(before));
  }

  move(way) {
    this.eye.add(way);
    this.target.add(way);
  }

  orbit(azimuth, elevation) {
    const arm = this.eye.clone().sub(this.target), distance = arm.length();
    const flat = Math.hypot(arm.x, arm.y) > 1e-3 * distance ? arm : this.up.clone().negate();
    const heading = Math.atan2(flat.y, flat.x) + azimuth;
    const height = Math.asin(Math.min(Math.max(arm.z / distance, -1), 1)) + elevation;
    const level = Math.min(Math.max(height, -MAX_ELEVATION), MAX_ELEVATION);
    arm.set(Math.cos(level) * Math.cos(heading), Math.cos(level) * Math.sin(heading), Math.sin(level));
    this.eye.copy(this.target).addScaledVector(arm, distance);
    this.up.set(0, 0, 1);
  }

  // Moves sideways by shares of the picture's height.
  pan(right, up) {
    const sight = this.target.clone().sub(this.eye);
    const height = (2 * sight.length() * Math.tan((VIEW_ANGLE * Math.PI) / 360)) / this.camera.zoom;
    const across = sight.clone().cross(this.up).normalize(), upward = across.clone().cross(sight).normalize();
    this.move(across.multiplyScalar(-height * right).addScaledVector(upward, -height * up));
  }

  zoom(factor) {
    this.eye.sub(this.target).divideScalar(factor).add(this.target);
  }

  // Notes how wide a picture must be, in its height, to show these points beside its middle, and how high they rise in it.
  see(points) {
    const sight = this.target.clone().sub(this.eye), across = sight.clone().cross(this.up).normalize();
    const upward = across.clone().cross(sight).normalize();
    const depth = sight.length(), height = Math.tan((VIEW_ANGLE * Math.PI) / 360);
    sight.normalize();
    const places = points.map((point) => {
      const way = point.clone().sub(this.target), ahead = depth + way.dot(sight);
      return ahead > 0.1 * depth ? [way.dot(across), way.dot(upward)].map((part) => part / (height * ahead)) : [0, 0];
    });
    this.spread = Math.min(places.reduce((most, [right]) => Math.max(most, Math.abs(right)), LEAST_SPREAD), MOST_SPREAD);
    this.rise = places.reduce((most, [, up]) => Math.max(most, up), 0);
  }

  // Goes, in its direction of sight, to where these points fill the picture.
  fill(points) {
    const sight = this.target.clone().sub(this.eye).normalize(), across = sight.clone().cross(this.up).normalize();
    const upward = across.clone().cross(sight), height = FILLED * Math.tan((VIEW_ANGLE * Math.PI) / 360);
    const places = points.map((point) => [across, upward, sight].map((axis) => axis.dot(point)));
    const middle = [0, 1, 2].map((k) => 0.5 * (places.reduce((m, p) => Math.min(m, p[k]), Infinity) + places.reduce((m, p) => Math.max(m, p[k]), -Infinity)));
    const far = ([x, y, z]) => Math.max(Math.abs(x - middle[0]) / MOST_SPREAD, Math.abs(y - middle[1])) / height - (z - middle[2]);
    const distance = places.reduce((most, place) => Math.max(most, far(place)), 0), at = new THREE.Vector3();
    [across, upward, sight].forEach((axis, k) => at.addScaledVector(axis, middle[k]));
    if (!(distance > 0) || !Number.isFinite(distance)) return;
    this.head = { ...this.head, at: at.toArray(), distance };
    this.set(this.name);
    this.see(points);
    this.wide = this.spread; // texts beside the bodies cover none
  }

  // Prepares three's camera for a picture of this size whose target is in the middle of what is not covered.
  prepare(width, height, { right, above: texts, below }) {
    const camera = this.camera, distance = this.eye.distanceTo(this.target);
    const above = texts > Math.min(LEAST_COVERED, 0.5 * (1 - this.rise)) ? texts : 0;
    camera.aspect = width / height;
    camera.zoom = Math.min(1 - above - below, (camera.aspect * (1 - right)) / this.spread);
    camera.near = 0.02 * distance;
    camera.far = 60 * Math.max(distance, this.head.distance);
    camera.setViewOffset(width, height, 0.5 * right * width, 0.5 * (below - above) * height, width, height);
    camera.position.copy(this.eye);
    camera.up.copy(this.up);
    camera.lookAt(this.target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}

// The direction of sight and that upwards in the picture. `side` looks along the level axis that is nearer to the scene's
// own view, which is across the motion.
function direction(name, view) {
  const z = new THREE.Vector3(0, 0, 1), y = new THREE.Vector3(0, 1, 0);
  if (name === "side") return [Math.abs(view.x) > Math.abs(view.y) ? new THREE.Vector3(-1, 0, 0) : y, z];
  if (name === "top") return [z.clone().negate(), y];
  view.normalize();
  return [view, Math.abs(view.z) > Math.sin(MAX_ELEVATION) ? y : z];
}
