// The biped of mechanisms.py in pinocchio, with the same joints, bodies and rows. mechanisms.py calls this by ctypes.
//
// Every timed function repeats one computation n times and returns the seconds of one.

#include <chrono>
#include <memory>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/compute-all-terms.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/contact-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

using namespace pinocchio;
using Vector = Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace
{
struct Biped
{
  Model model;
  std::unique_ptr<Data> data, data_of_contacts; // the number of rows is part of the data
  Vector q, u, zero;
  FrameIndex toe, heel, foot, hat;
  Data::Matrix6x toe_jacobian, heel_jacobian, hat_jacobian;
  Eigen::MatrixXd rows;
  Vector drifts;
  std::vector<RigidConstraintModel> contacts;
  std::vector<RigidConstraintData> contact_data;
  ProximalSettings settings{1e-12, 0., 1};
};

Biped biped;

template<typename Function>
double seconds_of_one(int n, Function compute)
{
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i)
    compute();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / n;
}

void find_mass_and_forces()
{
  crba(biped.model, *biped.data, biped.q, Convention::WORLD);
  nonLinearEffects(biped.model, *biped.data, biped.q, biped.u);
}

void find_all_terms()
{
  computeAllTerms(biped.model, *biped.data, biped.q, biped.u);
}

// The rows of mechanisms.py, by the Jacobians of frames; the joints' own have been found by crba.
void find_rows()
{
  auto & b = biped;
  forwardKinematics(b.model, *b.data, b.q, b.u, b.zero);
  const auto axes = LOCAL_WORLD_ALIGNED;
  getFrameJacobian(b.model, *b.data, b.toe, axes, b.toe_jacobian);
  getFrameJacobian(b.model, *b.data, b.heel, axes, b.heel_jacobian);
  getFrameJacobian(b.model, *b.data, b.hat, axes, b.hat_jacobian);
  const Motion toe = getFrameClassicalAcceleration(b.model, *b.data, b.toe, axes);
  const Motion heel = getFrameClassicalAcceleration(b.model, *b.data, b.heel, axes);
  const Motion hat = getFrameClassicalAcceleration(b.model, *b.data, b.hat, axes);
  b.rows.topRows<3>() = b.toe_jacobian.topRows<3>();
  b.rows.row(3) = b.toe_jacobian.row(3);
  b.rows.row(4) = b.heel_jacobian.row(3);
  b.rows.row(5) = b.heel_jacobian.row(5);
  b.rows.row(6) = b.hat_jacobian.row(5);
  b.rows.bottomRows<3>() = b.heel_jacobian.topRows<3>();
  b.drifts << toe.linear(), toe.angular()[0], heel.angular()[0], heel.angular()[2], hat.angular()[2], heel.linear();
}

void solve_with_rows()
{
  find_mass_and_forces();
  find_rows();
  forwardDynamics(biped.model, *biped.data, biped.zero, biped.rows, biped.drifts);
}

void solve_with_contacts()
{
  auto & b = biped;
  constraintDynamics(b.model, *b.data_of_contacts, b.q, b.u, b.zero, b.contacts, b.contact_data, b.settings);
}

JointModel joint_of(int kind)
{
  switch (kind)
  {
  case 0:
    return JointModelRX();
  case 1:
    return JointModelRY();
  case 2:
    return JointModelRZ();
  case 3:
    return JointModelPX();
  case 4:
    return JointModelPY();
  default:
    return JointModelPZ();
  }
}
} // namespace

extern "C"
{
  // bodies: place of the joint, mass, centre and moments of inertia of each, ten numbers.
  // kind: 0, 1, 2 revolute about x, y, z; 3, 4, 5 prismatic along them. heel: its place in the frame of foot 2.
  void build(int n, const int * parent, const int * kind, const double * bodies, const int * feet, const double * heel)
  {
    auto & b = biped;
    for (int i = 0; i < n; ++i)
    {
      const Eigen::Map<const Vector> body(bodies + 10 * i, 10);
      const SE3 place(Eigen::Matrix3d::Identity(), body.head<3>());
      const JointIndex joint = b.model.addJoint(parent[i], joint_of(kind[i]), place, "joint" + std::to_string(i + 1));
      const Eigen::Matrix3d inertia = body.tail<3>().asDiagonal();
      b.model.appendBodyToJoint(joint, Inertia(body[3], body.segment<3>(4), inertia), SE3::Identity());
    }
    const SE3 at_heel(Eigen::Matrix3d::Identity(), Eigen::Map<const Eigen::Vector3d>(heel));
    const JointIndex first = feet[0], second = feet[1], trunk = feet[2];
    b.toe = b.model.addFrame(Frame("toe", first, 0, SE3::Identity(), OP_FRAME));
    b.heel = b.model.addFrame(Frame("heel", second, 0, at_heel, OP_FRAME));
    b.hat = b.model.addFrame(Frame("hat", trunk, 0, SE3::Identity(), OP_FRAME));
    b.contacts.emplace_back(CONTACT_3D, b.model, first, SE3::Identity(), LOCAL_WORLD_ALIGNED);
    b.contacts.emplace_back(CONTACT_6D, b.model, second, at_heel, LOCAL_WORLD_ALIGNED);
    for (const auto & contact : b.contacts)
      b.contact_data.emplace_back(contact);
    b.model.gravity.linear() << 0., 0., -9.81;
    b.data = std::make_unique<Data>(b.model);
    b.data_of_contacts = std::make_unique<Data>(b.model);
    initConstraintDynamics(b.model, *b.data_of_contacts, b.contacts, b.contact_data);
    b.zero = Vector::Zero(n);
    b.toe_jacobian = b.heel_jacobian = b.hat_jacobian = Data::Matrix6x::Zero(6, n);
    b.rows = Eigen::MatrixXd::Zero(10, n);
    b.drifts = Vector::Zero(10);
  }

  void place(const double * q, const double * u)
  {
    const int n = biped.model.nv;
    biped.q = Eigen::Map<const Vector>(q, n);
    biped.u = Eigen::Map<const Vector>(u, n);
  }

  double time_mass_and_forces(int n) { return seconds_of_one(n, find_mass_and_forces); }
  double time_all_terms(int n) { return seconds_of_one(n, find_all_terms); }
  double time_rows(int n) { return seconds_of_one(n, solve_with_rows); }
  double time_contacts(int n) { return seconds_of_one(n, solve_with_contacts); }

  // What the last computation has found.
  void read_mass_and_forces(double * mass, double * forces)
  {
    const int n = biped.model.nv;
    Eigen::MatrixXd full = biped.data->M;
    full.triangularView<Eigen::StrictlyLower>() = full.transpose().triangularView<Eigen::StrictlyLower>();
    Eigen::Map<Rows>(mass, n, n) = full;
    Eigen::Map<Vector>(forces, n) = biped.data->nle;
  }
  void read_rates(int of_contacts, double * udot)
  {
    const Data & data = of_contacts ? *biped.data_of_contacts : *biped.data;
    Eigen::Map<Vector>(udot, biped.model.nv) = data.ddq;
  }
}
