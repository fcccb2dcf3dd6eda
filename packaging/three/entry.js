export {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, ColorManagement, ConeGeometry, CylinderGeometry,
  DirectionalLight, DoubleSide, Float32BufferAttribute, Group, HemisphereLight, LineBasicMaterial, LineSegments,
  LinearSRGBColorSpace, Matrix4, Mesh, MeshPhongMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion,
  Raycaster, Scene, ShaderMaterial, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
