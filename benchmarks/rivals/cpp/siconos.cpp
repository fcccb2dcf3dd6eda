// A block that rocks and a disk that slips until it rolls, by the time stepping of Moreau and Jean, as Siconos has it.
//
//     siconos STEP TIMES
//
// One line for each: the least CPU time of so many runs [s]; then the instants at which the block's angle changes its
// sign, interpolated between steps [s], or the disk's last speed [m/s].

#include <SiconosKernel.hpp>
#include <SolverOptions.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr double GRAVITY = 9.81, TILT = 0.15, WIDTH = 0.2, HEIGHT = 0.8, RADIUS = 0.5;

// A point of the body, or the lowest point of a disk, above the plane z = 0: its gap, and its way along the plane.
// The coordinates are x, z and the angle about the y axis.
class Touch : public LagrangianScleronomousR
{
  double x_, z_, radius_;

public:
  Touch(double x, double z, double radius) : x_(x), z_(z), radius_(radius)
  {
    _jachq = std::make_shared<SimpleMatrix>(2, 3);
  }

  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override
  {
    const double s = std::sin(q(2)), c = std::cos(q(2));
    y(0) = q(1) - s * x_ + c * z_ - radius_;
    y(1) = q(0) + c * x_ + s * z_;
  }

  void computeJachq(const BlockVector& q, BlockVector&) override
  {
    const double s = std::sin(q(2)), c = std::cos(q(2));
    const double rows[2][3] = {{0.0, 1.0, -c * x_ - s * z_}, {1.0, 0.0, -s * x_ + c * z_ - radius_}};
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 3; k++)
        _jachq->setValue(i, k, rows[i][k]);
  }
};

struct Case
{
  std::vector<double> place, speeds;
  double inertia, friction, seconds;
  std::vector<std::vector<double>> touches;
};

struct Answer
{
  double cpu;
  std::vector<double> angles;
  double speed;
};

Answer run(const Case& given, double step)
{
  auto mass = std::make_shared<SimpleMatrix>(3, 3);
  mass->setValue(0, 0, 1.0);
  mass->setValue(1, 1, 1.0);
  mass->setValue(2, 2, given.inertia);
  auto body = std::make_shared<LagrangianDS>(
      std::make_shared<SiconosVector>(given.place), std::make_shared<SiconosVector>(given.speeds), mass);
  auto weight = std::make_shared<SiconosVector>(3);
  weight->setValue(1, -GRAVITY);
  body->setFExtPtr(weight);
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, given.seconds);
  system->insertDynamicalSystem(body);
  for (const auto& each : given.touches)
  {
    auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, given.friction, 2);
    system->link(std::make_shared<Interaction>(law, std::make_shared<Touch>(each[0], each[1], each[2])), body);
  }
  auto problem = std::make_shared<FrictionContact>(2);
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  auto stepping = std::make_shared<TimeStepping>(
      system, std::make_shared<TimeDiscretisation>(0.0, step), std::make_shared<MoreauJeanOSI>(0.5), problem);
  Answer answer{0.0, {given.place[2]}, 0.0};
  const std::clock_t began = std::clock();
  while (stepping->hasNextEvent())
  {
    stepping->computeOneStep();
    answer.angles.push_back((*body->q())(2));
    stepping->nextStep();
  }
  answer.cpu = double(std::clock() - began) / CLOCKS_PER_SEC;
  answer.speed = (*body->velocity())(0);
  return answer;
}

Answer best_of(const Case& given, double step, int times)
{
  Answer answer = run(given, step);
  for (int k = 1; k < times; k++)
    answer.cpu = std::min(answer.cpu, run(given, step).cpu);
  return answer;
}

int main(int, char** arguments)
{
  const double step = std::atof(arguments[1]), s = std::sin(TILT), c = std::cos(TILT);
  const int times = std::atoi(arguments[2]);
  const double across = 0.5 * WIDTH, up = 0.5 * HEIGHT;
  const Answer block = best_of(
      {{-(c * across - s * up), s * across + c * up, TILT}, {0.0, 0.0, 0.0}, (WIDTH * WIDTH + HEIGHT * HEIGHT) / 12.0,
       10.0, 3.0, {{-across, -up, 0.0}, {across, -up, 0.0}}},
      step, times);
  std::printf("%.9g", block.cpu);
  for (size_t i = 1; i < block.angles.size(); i++)
  {
    const double before = block.angles[i - 1], after = block.angles[i];
    if ((before > 0.0) != (after > 0.0))
      std::printf(" %.17g", step * (i - 1 + before / (before - after)));
  }
  const Answer disk = best_of({{0.0, RADIUS, 0.0}, {1.0, 0.0, 0.0}, 0.125, 0.2, 2.0, {{0.0, 0.0, RADIUS}}}, step, times);
  std::printf("\n%.9g %.17g\n", disk.cpu, disk.speed);
}
