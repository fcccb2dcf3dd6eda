// Surfaces of the shapes of a scene, and how a pose moves their pieces. Lengths are in metres; THREE is three.js.

const CORNERS = 40; // of a circle
const WIRE_CORNERS = 10;
const COIL_POINTS = 28;
const SPRING_END = 0.06; // length of each straight end, as a fraction of the spring's length
const HEAD_LENGTH = 7.0; // of an arrow's head, in radii of its shaft
const HEAD_RADIUS = 2.4;
const MAX_HEAD_SHARE = 0.6; // of an arrow's length
const REMAKE_FACTOR = 1.15; // by which a spring's length may change before its surface is made again

// The pieces of a shape: a geometry each, and `place(position, quaternion, scale)` where it does not move as the body does.
export function makePieces(shape, meshes) {
  switch (shape.type) {
    case "Sphere":
      return [{ geometry: new THREE.SphereGeometry(shape.radius, CORNERS, CORNERS / 2).rotateX(Math.PI / 2) }];
    case "Box":
      return [{ geometry: new THREE.BoxGeometry(...shape.size) }];
    case "Capsule":
      return [{ geometry: new THREE.CapsuleGeometry(shape.radius, shape.length, 10, CORNERS).rotateX(Math.PI / 2) }];
    case "Cylinder":
      return [{ geometry: uprightCylinder(shape.radius) }];
    case "Cone":
      return [{ geometry: uprightCone(shape.radius), open: true }];
    case "Arrow":
      return arrowPieces(shape.radius);
    case "Spring":
      return [springPiece(shape)];
    case "Mesh":
      return [{ geometry: meshGeometry(meshes[shape.mesh]) }];
    default:
      throw new Error(`there is no shape ${shape.type}`);
  }
}

function uprightCylinder(radius) {
  return new THREE.CylinderGeometry(radius, radius, 1, CORNERS).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// From the tip at 0 to the open end at 1.
function uprightCone(radius) {
  return new THREE.CylinderGeometry(radius, 0, 1, CORNERS, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

function arrowPieces(radius) {
  const head = HEAD_LENGTH * radius;
  const share = (scale) => Math.min(head / scale.z, MAX_HEAD_SHARE);
  const cone = new THREE.ConeGeometry(HEAD_RADIUS * radius, 1, CORNERS).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  return [
    {
      geometry: uprightCylinder(radius),
      place(position, quaternion, scale) {
        scale.z *= 1 - share(scale);
      },
    },
    {
      geometry: cone,
      place(position, quaternion, scale) {
        const length = scale.z, part = share(scale);
        position.add(new THREE.Vector3(0, 0, (1 - part) * length).applyQuaternion(quaternion));
        scale.z = part * length;
        scale.x *= scale.z / head;
        scale.y *= scale.z / head;
      },
    },
  ];
}

function springPiece({ radius, coils, wire }) {
  const piece = { geometry: coil(radius, coils, wire, 1) };
  let made = 1;
  piece.place = (position, quaternion, scale) => {
    if (scale.z < made * REMAKE_FACTOR && made < scale.z * REMAKE_FACTOR) return;
    made = scale.z;
    const fresh = coil(radius, coils, wire, made);
    piece.geometry.setAttribute("position", fresh.getAttribute("position"));
    piece.geometry.setAttribute("normal", fresh.getAttribute("normal"));
  };
  return piece;
}

// A spring from z = 0 to z = 1 whose wire is round when a pose stretches it to `length`.
function coil(radius, coils, wire, length) {
  const path = [new THREE.Vector3(0, 0, 0)], n = coils * COIL_POINTS;
  for (let i = 0; i <= n; i++) {
    const turn = (2 * Math.PI * coils * i) / n;
    // The wire begins and ends on the axis, so that the spring is connected to the bodies at its ends.
    const rise = Math.min(turn / Math.PI, (2 * Math.PI * coils - turn) / Math.PI, 1);
    const r = radius * Math.sin(0.5 * Math.PI * rise);
    const z = SPRING_END + ((1 - 2 * SPRING_END) * i) / n;
    path.push(new THREE.Vector3(r * Math.cos(turn), r * Math.sin(turn), z * length));
  }
  path.push(new THREE.Vector3(0, 0, length));
  const geometry = tube(path, wire);
  geometry.scale(1, 1, 1 / length);
  return geometry;
}

// A round wire along a path; its circles are carried along without twist.
function tube(path, wire) {
  const points = [], indices = [], along = new THREE.Vector3(), first = new THREE.Vector3(), second = new THREE.Vector3();
  path.forEach((centre, i) => {
    along.subVectors(path[Math.min(i + 1, path.length - 1)], path[Math.max(i - 1, 0)]).normalize();
    if (i === 0) first.crossVectors(along, new THREE.Vector3(0, 1, 0));
    first.addScaledVector(along, -first.dot(along)).normalize();
    second.crossVectors(along, first);
    for (let k = 0; k < WIRE_CORNERS; k++) {
      const angle = (2 * Math.PI * k) / WIRE_CORNERS;
      const point = centre.clone().addScaledVector(first, wire * Math.cos(angle));
      points.push(...point.addScaledVector(second, wire * Math.sin(angle)).toArray());
    }
  });
  for (let i = 0; i + 1 < path.length; i++) {
    for (let k = 0; k < WIRE_CORNERS; k++) {
      const a = i * WIRE_CORNERS + k, b = i * WIRE_CORNERS + ((k + 1) % WIRE_CORNERS);
      indices.push(a, b, a + WIRE_CORNERS, b, b + WIRE_CORNERS, a + WIRE_CORNERS);
    }
  }
  return surface(points, indices);
}

function surface(points, indices) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

// Meshes come with their sharp edges split.
function meshGeometry({ points, triangles }) {
  return surface(points, triangles);
}
