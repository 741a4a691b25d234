// Vectors are arrays of three, quaternions of four (scalar first), matrices columns one after the other.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const size = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => { const n = size(a); return n > 0 ? scaled(a, 1 / n) : [0, 0, 1]; };

// The matrix of a unit quaternion.
const turning = ([w, x, y, z]) => [
  1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
  2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
  2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
];
const times = (m, v) => [
  m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
  m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
  m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
];
const transposed = m => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
const product = (a, b) => [0, 3, 6].flatMap(c => times(a, [b[c], b[c + 1], b[c + 2]]));
const stretching = (x, y, z) => [x, 0, 0, 0, y, 0, 0, 0, z];
const ONE = stretching(1, 1, 1);

// Two directions that make a right-handed frame with a third.
const across = n => {
  const a = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const first = unit(cross(a, n));
  return [first, cross(n, first)];
};

// Between two attitudes at a steady rate, the short way.
const slerp = (a, b, s) => {
  let c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = c < 0 ? -1 : 1;
  c = Math.min(1, c * sign);
  let p = 1 - s, r = s;
  if (c < 0.9999999) {
    const angle = Math.acos(c), sine = Math.sin(angle);
    p = Math.sin((1 - s) * angle) / sine;
    r = Math.sin(s * angle) / sine;
  }
  r *= sign;
  const q = [p * a[0] + r * b[0], p * a[1] + r * b[1], p * a[2] + r * b[2], p * a[3] + r * b[3]];
  const n = Math.hypot(...q) || 1;
  return q.map(x => x / n);
};

const mat4Product = (a, b) => {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
};

// A camera that looks at a point from a distance: longitude and latitude of where it stands, z upwards.
const camera = (longitude, latitude, distance, target, aspect) => {
  const [cl, sl, cb, sb] = [Math.cos(longitude), Math.sin(longitude), Math.cos(latitude), Math.sin(latitude)];
  const back = [cb * cl, cb * sl, sb], right = [-sl, cl, 0], up = cross(back, right);
  const eye = sum(target, scaled(back, distance));
  const look = [
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
  // What is seen of the scene fits the shorter side.
  const near = distance / 20, far = distance * 4, f = 4.5 * Math.min(1, aspect);
  const lens = [
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0,
  ];
  return { matrix: mat4Product(lens, look), back };
};

// Where a point is seen: -1 to 1, or none behind the camera.
const seen = (matrix, p) => {
  const w = matrix[3] * p[0] + matrix[7] * p[1] + matrix[11] * p[2] + matrix[15];
  if (w <= 0) return null;
  return [0, 1].map(r => (matrix[r] * p[0] + matrix[4 + r] * p[1] + matrix[8 + r] * p[2] + matrix[12 + r]) / w);
};
