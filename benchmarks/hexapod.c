/* The vector field of models/hexapod by hand, plant and open-loop clock: the yardstick for what a call of ours costs.
 *
 * Flat ground. What is computed is that of models/hexapod, to rounding: state, chart and equations, and the tolerance
 * of the slip velocity. Otherwise written as one would in C: all parameters in a struct, what follows from them alone
 * computed once.
 */
#include <math.h>
#include <stdint.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline)) /* as hybridsim does; gcc alone stops too early, 10 % slower */

enum { LEGS = 6 };
enum { R = 0, Q = 3, V = 7, OMEGA = 10, TOE = 13, TOE_V = 31, RELEASE = 49, CHARGE = 55, WORK, DAMPED, RUBBED, IMPACT };
enum { REF = 64, T_C = 70, T_S = 71, PHI_S = 73, PHI_O = 74, TURN = 76 }; /* two of T_S, PHI_O, TURN: left, right */
enum { SLIP_BITS = 6, EMPTY_BIT = 12, PHASE_BITS = 21 };

static const double SMALL_RATE = 0x1p-7, AGREEMENT = 1e-11;
static const double LEAST_DIFFERENCE = 1e-3, FARTHEST_BEYOND_REST = -0.05, LEAST_MOMENTUM = 1e-12;

typedef double Vector[3];

/* In this order they come from Python. */
typedef struct {
    double mass, toe_mass, gravity, friction, creep, creep_damping, creep_limit, slip_lag, hunt_crossley;
    double damping_depth, flight_reaction, longest, stop_force, stop_length, max_torque, max_speed, gear, torque_constant, hip_damping;
    double capacity, hours, exponent, k_p, k_d;
    double inertia[3][3];
    double stiffness[LEGS], damping[LEGS], length[LEGS], bend_stiffness[LEGS], bend_damping[LEGS], bend[LEGS];
    double attach_x[LEGS], attach_y[LEGS], attach_z[LEGS];
} Parameters;

typedef struct {
    Parameters p;
    double inverse[3][3], per_no_load_speed, amperes_per_torque;
} Robot;

/* A leg; vectors in B. Its axes are the rates of rho, theta and phi with the toe: of length 1, 1 / rho, 1 / reach. */
typedef struct {
    Vector arm, resting, axis[3], normal, force, slide;
    double phi, spring[3], damper[3], rate[3], torque;
} Leg;

/* What the clock and the motor of one hip make of its speed. */
typedef struct {
    const Robot *robot;
    double wanted, rate; /* k_p times the error of the angle; the rate of its reference */
    int empty;
} Hip;

INLINE double smaller(double a, double b) { return a < b ? a : b; }
INLINE double larger(double a, double b) { return a > b ? a : b; }
INLINE double dot(const Vector a, const Vector b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

INLINE void to_world(Vector out, double turn[3][3], const Vector a) {
    for (int i = 0; i < 3; i++) out[i] = dot(turn[i], a);
}

INLINE void to_body(Vector out, double turn[3][3], const Vector a) {
    for (int i = 0; i < 3; i++) out[i] = turn[0][i] * a[0] + turn[1][i] * a[1] + turn[2][i] * a[2];
}

INLINE void cross(Vector out, const Vector a, const Vector b) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The clock and the motor. */

INLINE double reference_rate(const double x[], int64_t chart, int leg) {
    int phase = chart >> (PHASE_BITS + 2 * leg) & 3, side = leg < 3;
    double slow = x[T_S + side], turn = x[TURN + side];
    return phase == 0 || phase == 3 ? turn * x[PHI_S] / slow : turn * (2.0 * M_PI - x[PHI_S]) / (x[T_C] - slow);
}

INLINE double angle_error(double difference) {
    const double blend = 0.1;
    double error = difference - 2.0 * M_PI * floor(difference / (2.0 * M_PI) + 0.5), opposite = M_PI - fabs(error);
    return opposite >= blend ? error : copysign(opposite * (M_PI - blend) / blend, error);
}

INLINE double hip_torque(const Hip *hip, double speed) {
    const Parameters *p = &hip->robot->p;
    double torque = 0.0;
    if (!hip->empty) {
        double share = speed * hip->robot->per_no_load_speed;
        double most = p->max_torque * smaller(larger(1.0 - share, 0.0), 1.0);
        double least = -p->max_torque * smaller(larger(1.0 + share, 0.0), 1.0);
        torque = smaller(larger(hip->wanted + p->k_d * (hip->rate - speed), least), most);
    }
    return torque - p->hip_damping * speed;
}

/* A leg: geometry and springs, then the forces at some velocity of its toe. */

INLINE void find_leg(Leg *leg, const Robot *robot, const double x[], double turn[3][3], const Vector velocity,
                     const Vector spin, int n) {
    const Parameters *p = &robot->p;
    Vector away, v;
    for (int i = 0; i < 3; i++) away[i] = x[TOE + 3 * n + i] - x[R + i];
    to_body(leg->arm, turn, away);
    cross(leg->resting, leg->arm, spin);
    for (int i = 0; i < 3; i++) leg->resting[i] -= velocity[i];
    v[0] = leg->arm[0] - p->attach_x[n], v[1] = leg->arm[1] - p->attach_y[n], v[2] = leg->arm[2] - p->attach_z[n];
    double reach = sqrt(v[1] * v[1] + v[2] * v[2]), rho = sqrt(dot(v, v));
    double per_rho = 1.0 / rho, per_reach = 1.0 / reach, tan_theta = v[0] * per_reach;
    for (int i = 0; i < 3; i++) leg->axis[0][i] = v[i] * per_rho;
    leg->axis[1][0] = reach * per_rho * per_rho;
    for (int i = 1; i < 3; i++) leg->axis[1][i] = -tan_theta * per_rho * leg->axis[0][i];
    leg->axis[2][0] = 0.0, leg->axis[2][1] = -v[2] * per_reach * per_reach, leg->axis[2][2] = v[1] * per_reach * per_reach;
    leg->phi = atan2(v[1], -v[2]);
    double stretch = rho - p->length[n], over = rho - p->longest;
    leg->spring[0] = -p->stiffness[n] * stretch;
    if (over > 0.0) leg->spring[0] -= p->stop_force * (exp(smaller(over / p->stop_length, 30.0)) - 1.0);
    leg->spring[1] = -p->bend_stiffness[n] * (atan(tan_theta) - p->bend[n]);
    leg->damper[0] = p->damping[n];
    if (p->hunt_crossley) leg->damper[0] *= fabs(stretch) / p->damping_depth;
    leg->damper[1] = p->bend_damping[n];
}

INLINE void load_leg(Leg *leg, const Hip *hip, const Vector w) {
    for (int k = 0; k < 3; k++) leg->rate[k] = dot(leg->axis[k], w);
    leg->torque = hip_torque(hip, leg->rate[2]);
    double along = leg->spring[0] - leg->damper[0] * leg->rate[0];
    double aside = leg->spring[1] - leg->damper[1] * leg->rate[1];
    for (int i = 0; i < 3; i++)
        leg->force[i] = along * leg->axis[0][i] + aside * leg->axis[1][i] + leg->torque * leg->axis[2][i];
}

/* A toe that slips. With u its velocity along two tangents of the ground, and without the hip torque, drag = b - A u and
 * push = n + c . u. The hip turns at rest_rate + ahead . u; its torque adds ahead to the drag and takes lift from the
 * push, each per N m; its tangent at some rate is torque + slope ahead . u. */

typedef struct {
    const Hip *hip;
    double a11, a12, a22, b[2], c[2], n, scale;
    double rest_rate, ahead[2], lift, rate, torque, slope, u[2];
} Slide;

INLINE void place_torque(Slide *s, double rate) {
    double here = hip_torque(s->hip, rate), slope = (hip_torque(s->hip, rate + SMALL_RATE) - here) / SMALL_RATE;
    s->rate = rate, s->slope = smaller(slope, -1e-9);
    s->torque = here - s->slope * (rate - s->rest_rate);
}

INLINE Slide begin_slide(const Leg *leg, const Hip *hip, const Vector tangent[2]) {
    Slide s = {.hip = hip};
    const double *damper = leg->damper;
    double force[2] = {leg->spring[0], leg->spring[1]};
    for (int k = 0; k < 2; k++) {
        double n = dot(leg->axis[k], leg->normal), t0 = dot(leg->axis[k], tangent[0]), t1 = dot(leg->axis[k], tangent[1]);
        force[k] -= damper[k] * dot(leg->axis[k], leg->resting);
        s.a11 += damper[k] * t0 * t0, s.a12 += damper[k] * t0 * t1, s.a22 += damper[k] * t1 * t1;
        s.b[0] += force[k] * t0, s.b[1] += force[k] * t1;
        s.c[0] += damper[k] * n * t0, s.c[1] += damper[k] * n * t1;
        s.n -= force[k] * n;
    }
    s.rest_rate = dot(leg->axis[2], leg->resting);
    s.ahead[0] = dot(leg->axis[2], tangent[0]), s.ahead[1] = dot(leg->axis[2], tangent[1]);
    s.lift = dot(leg->axis[2], leg->normal);
    s.scale = damper[0] + damper[1] * dot(leg->axis[1], leg->axis[1]) + 1e-3;
    return s;
}

/* u at y between rest, 0, and free sliding, 1, and the drag there: along the tangent, then with the true torque. */
INLINE double slip_along_tangent(Slide *s, double y) {
    double a = s->scale * (1.0 - y);
    double d11 = y * (s->a11 - s->slope * s->ahead[0] * s->ahead[0]) + a;
    double d22 = y * (s->a22 - s->slope * s->ahead[1] * s->ahead[1]) + a;
    double d12 = y * (s->a12 - s->slope * s->ahead[0] * s->ahead[1]);
    double b0 = s->b[0] + s->ahead[0] * s->torque, b1 = s->b[1] + s->ahead[1] * s->torque;
    double share = 1.0 / (d11 * d22 - d12 * d12), q0 = share * (d22 * b0 - d12 * b1), q1 = share * (d11 * b1 - d12 * b0);
    s->u[0] = y * q0, s->u[1] = y * q1;
    return a * sqrt(q0 * q0 + q1 * q1);
}

INLINE double slip_at(Slide *s, double y) {
    double low = -INFINITY, high = INFINITY, drag = 0.0;
    place_torque(s, s->rest_rate);
    for (int model = 0; model < 30; model++) {
        drag = slip_along_tangent(s, y);
        double turned = s->ahead[0] * s->u[0] + s->ahead[1] * s->u[1], rate = s->rest_rate + turned;
        if (fabs(hip_torque(s->hip, rate) - (s->torque + s->slope * turned)) <= AGREEMENT) return drag;
        if (rate > s->rate)
            low = s->rate;
        else
            high = s->rate;
        int inside = low < rate && rate < high;
        double middle = low == -INFINITY ? high - 1.0 : high == INFINITY ? low + 1.0 : 0.5 * (low + high);
        place_torque(s, inside ? rate : middle);
    }
    return drag;
}

INLINE double resistance(const Parameters *p, double push, double speed) {
    double friction = p->friction * push;
    if (!p->creep) return friction;
    double limit = p->creep_limit * friction, excess = p->creep_damping * speed;
    return friction + (limit > 0.0 ? excess * limit / (limit + larger(excess, 0.0)) : limit);
}

/* Drag less friction at y. */
INLINE double surplus(Slide *s, double y) {
    double drag = slip_at(s, y), torque = s->torque + s->slope * (s->ahead[0] * s->u[0] + s->ahead[1] * s->u[1]);
    double push = s->n + s->c[0] * s->u[0] + s->c[1] * s->u[1] - s->lift * torque;
    return drag - resistance(&s->hip->robot->p, push, copysign(sqrt(s->u[0] * s->u[0] + s->u[1] * s->u[1]), y));
}

INLINE double rest_surplus(const Slide *s) {
    double torque = hip_torque(s->hip, s->rest_rate);
    double b0 = s->b[0] + s->ahead[0] * torque, b1 = s->b[1] + s->ahead[1] * torque;
    return sqrt(b0 * b0 + b1 * b1) - resistance(&s->hip->robot->p, s->n - s->lift * torque, 0.0);
}

/* The rate of y; u is left at y. */
INLINE double release_rate(Slide *s, double y) {
    const Parameters *p = &s->hip->robot->p;
    double place = y, here = surplus(s, larger(y, FARTHEST_BEYOND_REST)), there = here, u[2] = {s->u[0], s->u[1]};
    if (place < LEAST_DIFFERENCE) place = LEAST_DIFFERENCE, there = surplus(s, place);
    double inertia = p->toe_mass * sqrt(s->u[0] * s->u[0] + s->u[1] * s->u[1]);
    double delay = p->slip_lag * (there - rest_surplus(s));
    s->u[0] = u[0], s->u[1] = u[1];
    return here * place / (sqrt(inertia * inertia + delay * delay) + LEAST_MOMENTUM);
}

INLINE void find_tangents(Vector tangent[2], const Vector n) { /* Duff et al. 2017 */
    double sign = copysign(1.0, n[2]), a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
    tangent[0][0] = 1.0 + sign * n[0] * n[0] * a, tangent[0][1] = sign * b, tangent[0][2] = -sign * n[0];
    tangent[1][0] = b, tangent[1][1] = sign + n[1] * n[1] * a, tangent[1][2] = -n[1];
}

INLINE double slide_toe(Leg *leg, const Hip *hip, double y) {
    Vector tangent[2], w;
    find_tangents(tangent, leg->normal);
    Slide s = begin_slide(leg, hip, tangent);
    double rate = release_rate(&s, y);
    for (int i = 0; i < 3; i++) {
        leg->slide[i] = s.u[0] * tangent[0][i] + s.u[1] * tangent[1][i];
        w[i] = leg->resting[i] + leg->slide[i];
    }
    load_leg(leg, hip, w);
    return rate;
}

/* The body. */

static void find_turn(double turn[3][3], const double q[4]) {
    double w = q[0], a = q[1], b = q[2], c = q[3], s = 2.0 / (w * w + a * a + b * b + c * c);
    turn[0][0] = 1.0 - s * (b * b + c * c), turn[0][1] = s * (a * b - w * c), turn[0][2] = s * (a * c + w * b);
    turn[1][0] = s * (a * b + w * c), turn[1][1] = 1.0 - s * (a * a + c * c), turn[1][2] = s * (b * c - w * a);
    turn[2][0] = s * (a * c - w * b), turn[2][1] = s * (b * c + w * a), turn[2][2] = 1.0 - s * (a * a + b * b);
}

static void move_body(double xdot[], const Robot *robot, const double x[], double turn[3][3], const Vector spin,
                      const Vector force, const Vector torque) {
    Vector momentum, gyric, rest, rate, world;
    to_world(world, turn, force);
    double per_mass = 1.0 / robot->p.mass;
    for (int i = 0; i < 3; i++) xdot[R + i] = x[V + i], xdot[V + i] = world[i] * per_mass;
    xdot[V + 2] -= robot->p.gravity;
    const double *q = x + Q, *o = x + OMEGA;
    double pull = 10.0 * (1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    xdot[Q] = -0.5 * dot(o, q + 1) + pull * q[0];
    xdot[Q + 1] = 0.5 * (o[0] * q[0] + o[1] * q[3] - o[2] * q[2]) + pull * q[1];
    xdot[Q + 2] = 0.5 * (o[1] * q[0] + o[2] * q[1] - o[0] * q[3]) + pull * q[2];
    xdot[Q + 3] = 0.5 * (o[2] * q[0] + o[0] * q[2] - o[1] * q[1]) + pull * q[3];
    for (int i = 0; i < 3; i++) momentum[i] = dot(robot->p.inertia[i], spin);
    cross(gyric, spin, momentum);
    for (int i = 0; i < 3; i++) rest[i] = torque[i] - gyric[i];
    for (int i = 0; i < 3; i++) rate[i] = dot(robot->inverse[i], rest);
    to_world(world, turn, rate);
    for (int i = 0; i < 3; i++) xdot[OMEGA + i] = world[i];
}

static void vector_field(double xdot[], const double x[], const Robot *robot, int64_t chart) {
    const Parameters *p = &robot->p;
    double turn[3][3], amperes = 0.0;
    Vector velocity, spin, force = {0.0}, torque = {0.0}, moment, world;
    int empty = chart >> EMPTY_BIT & 1;
    find_turn(turn, x + Q);
    to_body(velocity, turn, x + V);
    to_body(spin, turn, x + OMEGA);
    xdot[WORK] = xdot[DAMPED] = xdot[RUBBED] = 0.0;
    for (int n = 0; n < LEGS; n++) {
        int stands = chart >> n & 1, slips = stands && chart >> (SLIP_BITS + n) & 1, toe = 3 * n;
        Leg leg;
        find_leg(&leg, robot, x, turn, velocity, spin, n);
        double rate = reference_rate(x, chart, n);
        Hip hip = {robot, p->k_p * angle_error(x[REF + n] - leg.phi), rate, empty};
        xdot[REF + n] = rate;
        if (slips) {
            for (int i = 0; i < 3; i++) leg.normal[i] = turn[2][i];
            xdot[RELEASE + n] = slide_toe(&leg, &hip, x[RELEASE + n]);
            to_world(xdot + TOE + toe, turn, leg.slide);
            xdot[RUBBED] += dot(leg.force, leg.slide);
        } else if (stands) {
            load_leg(&leg, &hip, leg.resting);
        } else {
            Vector w;
            to_body(w, turn, x + TOE_V + toe);
            for (int i = 0; i < 3; i++) w[i] += leg.resting[i];
            load_leg(&leg, &hip, w);
            to_world(world, turn, leg.force);
            for (int i = 0; i < 3; i++) xdot[TOE + toe + i] = x[TOE_V + toe + i], xdot[TOE_V + toe + i] = world[i] / p->toe_mass;
        }
        double gear_loss = p->hip_damping * leg.rate[2] * leg.rate[2];
        if (stands || p->flight_reaction) {
            cross(moment, leg.arm, leg.force);
            for (int i = 0; i < 3; i++) force[i] -= leg.force[i], torque[i] -= moment[i];
            xdot[DAMPED] += leg.damper[0] * leg.rate[0] * leg.rate[0] + leg.damper[1] * leg.rate[1] * leg.rate[1] + gear_loss;
            xdot[WORK] += leg.torque * leg.rate[2] + gear_loss;
        }
        amperes += fabs(leg.torque + p->hip_damping * leg.rate[2]) * robot->amperes_per_torque;
    }
    move_body(xdot, robot, x, turn, spin, force, torque);
    if (!empty) xdot[CHARGE] = -pow(amperes * p->hours / p->capacity, p->exponent) / (3600.0 * p->hours);
}

/* For Python. A vector field of hybridsim's kind is an address, so that both are called from the same loop. */

typedef void (*Field)(double *xdot, double t, const double *x, const double *p, int64_t chart);

static Robot robot;

void prepare(const double *values) {
    double *p = (double *)&robot.p;
    for (unsigned i = 0; i < sizeof(Parameters) / sizeof(double); i++) p[i] = values[i];
    robot.p.friction = larger(robot.p.friction, 1e-9);
    robot.per_no_load_speed = 60.0 * robot.p.gear / (robot.p.max_speed * 2.0 * M_PI);
    robot.amperes_per_torque = 1.0 / (robot.p.torque_constant * robot.p.gear);
    double(*m)[3] = robot.p.inertia, scale = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
            robot.inverse[i][j] = m[r][u] * m[s][v] - m[r][v] * m[s][u];
        }
    for (int i = 0; i < 3; i++) scale += m[0][i] * robot.inverse[i][0];
    for (int i = 0; i < 9; i++) robot.inverse[i / 3][i % 3] /= scale;
}

/* `p` is not used: what hybridsim passes there lies in the robot. */
void field(double *xdot, double t, const double *x, const double *p, int64_t chart) {
    vector_field(xdot, x, &robot, chart);
}

/* The slopes at n states. */
void slopes(Field field, const double *states, const int64_t *charts, const double *p, long n, long n_states,
            double *xdot) {
    for (long i = 0; i < n; i++) field(xdot + i * n_states, 0.0, states + i * n_states, p, charts[i]);
}

/* Seconds of this thread that `repeats` rounds through n states take; xdot[] is there to be written. */
double time_calls(Field field, const double *states, const int64_t *charts, const double *p, long n, long n_states,
                  long repeats, double *xdot) {
    struct timespec begun, ended;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
    for (long k = 0; k < repeats; k++)
        for (long i = 0; i < n; i++) field(xdot, 0.0, states + i * n_states, p, charts[i]);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
    return (ended.tv_sec - begun.tv_sec) + 1e-9 * (ended.tv_nsec - begun.tv_nsec);
}
