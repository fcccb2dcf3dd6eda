/* The vector field of models/hexapod by hand, plant and open-loop clock: the yardstick for what a call of ours costs.
 *
 * Flat ground. What is computed is that of models/hexapod, to rounding: state, chart and equations, the search for the
 * slip velocity with its tolerances included, but for the second branch of that velocity, on which no toe of the runs
 * compared is. Otherwise written as one would in C: all parameters in a struct, what follows from them alone computed
 * once.
 */
#include <math.h>
#include <stdint.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline)) /* as hybridsim does; gcc alone stops too early, 10 % slower */

enum { LEGS = 6, PARTS = 8 };
enum { R = 0, Q = 3, V = 7, OMEGA = 10, TOE = 13, TOE_V = 31, CHARGE = 49, WORK, DAMPED, RUBBED, IMPACT };
enum { REF = 58, T_C = 64, T_S = 65, PHI_S = 67, PHI_O = 68, TURN = 70 }; /* two of T_S, PHI_O, TURN: left, right */
enum { SLIP_BITS = 6, EMPTY_BIT = 12, PHASE_BITS = 19 };

static const double SMALL_RATE = 1e-2, AGREEMENT = 1e-11;

typedef double Vector[3];

/* In this order they come from Python. */
typedef struct {
    double mass, toe_mass, gravity, friction, creep, creep_damping, creep_limit, hunt_crossley, damping_depth;
    double flight_reaction, longest, stop_force, stop_length, max_torque, max_speed, gear, torque_constant, hip_damping;
    double capacity, hours, exponent, k_p, k_d;
    double inertia[3][3];
    double stiffness[LEGS], damping[LEGS], length[LEGS], bend_stiffness[LEGS], bend_damping[LEGS], bend[LEGS];
    double attach_x[LEGS], attach_y[LEGS], attach_z[LEGS];
} Parameters;

typedef struct {
    Parameters p;
    double inverse[3][3], no_load_speed, amperes_per_torque;
} Robot;

/* A leg; vectors in B. Its axes: along rho, theta and phi. */
typedef struct {
    Vector arm, resting, axis[3], normal, force, slide;
    double rho, reach, phi, spring[3], damper[3], rate[3], torque;
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
        double share = speed / hip->robot->no_load_speed;
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
    double sin_theta = v[0] / rho, sin_phi = v[1] / reach, cos_phi = -v[2] / reach;
    for (int i = 0; i < 3; i++) leg->axis[0][i] = v[i] / rho;
    leg->axis[1][0] = reach / rho, leg->axis[1][1] = -sin_theta * sin_phi, leg->axis[1][2] = sin_theta * cos_phi;
    leg->axis[2][0] = 0.0, leg->axis[2][1] = cos_phi, leg->axis[2][2] = sin_phi;
    leg->rho = rho, leg->reach = reach, leg->phi = atan2(v[1], -v[2]);
    double stretch = rho - p->length[n], over = rho - p->longest;
    leg->spring[0] = -p->stiffness[n] * stretch;
    if (over > 0.0) leg->spring[0] -= p->stop_force * (exp(smaller(over / p->stop_length, 30.0)) - 1.0);
    leg->spring[1] = -p->bend_stiffness[n] * (atan(v[0] / reach) - p->bend[n]);
    leg->damper[0] = p->damping[n];
    if (p->hunt_crossley) leg->damper[0] *= fabs(stretch) / p->damping_depth;
    leg->damper[1] = p->bend_damping[n];
}

INLINE void load_leg(Leg *leg, const Hip *hip, const Vector w) {
    leg->rate[0] = dot(leg->axis[0], w);
    leg->rate[1] = dot(leg->axis[1], w) / leg->rho;
    leg->rate[2] = dot(leg->axis[2], w) / leg->reach;
    leg->torque = hip_torque(hip, leg->rate[2]);
    double along = leg->spring[0] - leg->damper[0] * leg->rate[0];
    double aside = (leg->spring[1] - leg->damper[1] * leg->rate[1]) / leg->rho, around = leg->torque / leg->reach;
    for (int i = 0; i < 3; i++)
        leg->force[i] = along * leg->axis[0][i] + aside * leg->axis[1][i] + around * leg->axis[2][i];
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
    double damper[2] = {leg->damper[0], leg->damper[1] / (leg->rho * leg->rho)};
    double force[2] = {leg->spring[0], leg->spring[1] / leg->rho};
    for (int k = 0; k < 2; k++) {
        double n = dot(leg->axis[k], leg->normal), t0 = dot(leg->axis[k], tangent[0]), t1 = dot(leg->axis[k], tangent[1]);
        force[k] -= damper[k] * dot(leg->axis[k], leg->resting);
        s.a11 += damper[k] * t0 * t0, s.a12 += damper[k] * t0 * t1, s.a22 += damper[k] * t1 * t1;
        s.b[0] += force[k] * t0, s.b[1] += force[k] * t1;
        s.c[0] += damper[k] * n * t0, s.c[1] += damper[k] * n * t1;
        s.n -= force[k] * n;
    }
    s.rest_rate = dot(leg->axis[2], leg->resting) / leg->reach;
    s.ahead[0] = dot(leg->axis[2], tangent[0]) / leg->reach, s.ahead[1] = dot(leg->axis[2], tangent[1]) / leg->reach;
    s.lift = dot(leg->axis[2], leg->normal) / leg->reach;
    place_torque(&s, s.rest_rate);
    s.scale = damper[0] + damper[1] + 1e-3;
    return s;
}

/* u at z between free sliding, 0, and rest, 1, and the drag there: along the tangent, then with the true torque. */
INLINE double slip_along_tangent(Slide *s, double z) {
    double y = 1.0 - z, a = s->scale * z;
    double d11 = y * (s->a11 - s->slope * s->ahead[0] * s->ahead[0]) + a;
    double d22 = y * (s->a22 - s->slope * s->ahead[1] * s->ahead[1]) + a;
    double d12 = y * (s->a12 - s->slope * s->ahead[0] * s->ahead[1]);
    double b0 = s->b[0] + s->ahead[0] * s->torque, b1 = s->b[1] + s->ahead[1] * s->torque;
    double share = 1.0 / (d11 * d22 - d12 * d12), q0 = share * (d22 * b0 - d12 * b1), q1 = share * (d11 * b1 - d12 * b0);
    s->u[0] = y * q0, s->u[1] = y * q1;
    return a * sqrt(q0 * q0 + q1 * q1);
}

INLINE double slip_at(Slide *s, double z) {
    double low = -INFINITY, high = INFINITY, drag = 0.0;
    for (int model = 0; model < 30; model++) {
        drag = slip_along_tangent(s, z);
        double turned = s->ahead[0] * s->u[0] + s->ahead[1] * s->u[1], rate = s->rest_rate + turned;
        if (fabs(hip_torque(s->hip, rate) - (s->torque + s->slope * turned)) <= AGREEMENT) return drag;
        if (rate > s->rate)
            low = s->rate;
        else
            high = s->rate;
        place_torque(s, low < rate && rate < high ? rate : 0.5 * (low + high));
    }
    return drag;
}

/* Drag less friction at z. */
INLINE double surplus(Slide *s, double z) {
    const Parameters *p = &s->hip->robot->p;
    double drag = slip_at(s, z), torque = s->torque + s->slope * (s->ahead[0] * s->u[0] + s->ahead[1] * s->u[1]);
    double push = s->n + s->c[0] * s->u[0] + s->c[1] * s->u[1] - s->lift * torque;
    double friction = p->friction * push;
    if (p->creep) {
        double limit = p->creep_limit * p->friction * push;
        double excess = p->creep_damping * copysign(sqrt(s->u[0] * s->u[0] + s->u[1] * s->u[1]), 1.0 - z);
        friction += limit > 0.0 ? excess / (1.0 + larger(excess, 0.0) / limit) : limit;
    }
    return drag - friction;
}

static double kept(double share) { return share < 1.0 ? 1.0 - share : 0.5; }

/* Anderson and Bjorck's variant of the false position (1973). */
static void refine(Slide *s, double low, double high, double at_low, double at_high) {
    int side = 0;
    for (int trial = 0; trial < 60; trial++) {
        double z = (low * at_high - high * at_low) / (at_high - at_low), value = surplus(s, z);
        if (fabs(value) <= 1e-13 * (1.0 + fabs(s->n)) || high - low < 1e-15) return;
        if (value < 0.0) {
            if (side == -1) at_high *= kept(value / at_low);
            low = z, at_low = value, side = -1;
        } else {
            if (side == 1) at_low *= kept(value / at_high);
            high = z, at_high = value, side = 1;
        }
    }
}

/* The z that is tried after k of PARTS on the way from free sliding to rest. */
INLINE double part(double k) {
    double left = 1.0 - k / PARTS;
    return 1.0 - left * left;
}

/* The velocity goes on through zero, or stays at z < 1. */
static void stop_toe(Slide *s, double z, double at_rest) {
    if (z < 1.0) {
        slip_at(s, z);
        return;
    }
    double hip_damping = -s->slope * (s->ahead[0] * s->ahead[0] + s->ahead[1] * s->ahead[1]);
    double high = 1.0 + 0.5 * s->scale / (s->scale + hip_damping), at_high = surplus(s, high);
    if (at_high > 0.0) refine(s, z, high, at_rest, at_high);
}

/* A root beside part(best); without any, that itself. */
static void look_closer(Slide *s, double best) {
    double away = 1.0;
    for (int k = 1; k < 4; k++) {
        away *= 0.5;
        for (int side = 1; side >= -1; side -= 2) {
            double place = best + side * away;
            if (place < 0.0 || place > PARTS) continue;
            double low = part(place), at_low = surplus(s, low);
            if (at_low < 0.0) {
                double high = part(side < 0 ? best : best + 1.0), at_high = surplus(s, high);
                refine(s, low, high, at_low, at_high);
                return;
            }
        }
    }
    slip_at(s, part(best));
}

/* The least h > 0 with c0 + c1 h + c2 h^2 = 0 for c0 > 0. */
INLINE double first_zero(double c0, double c1, double c2) {
    double disc = c1 * c1 - 4.0 * c0 * c2;
    if (disc < 0.0) return INFINITY;
    double divisor = sqrt(disc) - c1;
    return divisor > 0.0 ? 2.0 * c0 / divisor : INFINITY;
}

/* The least place beyond s at which the hip has turned by `turn`, on the line of the torque: a quadratic. */
INLINE double first_turn_to(double turn, double s, double turn_b, double turn_w, double trace, double det) {
    if (!(fabs(turn) < INFINITY)) return INFINITY;
    double a2 = turn_w - turn * det, a1 = turn_b - turn * trace, disc = a1 * a1 + 4.0 * a2 * turn, least = INFINITY;
    if (disc < 0.0) return INFINITY;
    double half = 0.5 * (a1 + copysign(sqrt(disc), a1)), beyond = s * (1.0 + 1e-12);
    if (half != 0.0 && turn / half > beyond) least = turn / half;
    if (a2 != 0.0 && -half / a2 > beyond) least = smaller(least, -half / a2);
    return least;
}

INLINE void cut(double *low, double *high, double edge, double rate) {
    if (edge < rate)
        *low = larger(*low, edge);
    else
        *high = smaller(*high, edge);
}

/* Between the speeds low and high the torque is at_zero + slope speed. */
INLINE void find_piece(const Hip *hip, double rate, double *at_zero, double *slope, double *low, double *high) {
    const Parameters *p = &hip->robot->p;
    double fastest = hip->robot->no_load_speed, most = p->max_torque, fall = -most / fastest;
    *low = -INFINITY, *high = INFINITY, *at_zero = 0.0, *slope = -p->hip_damping;
    if (hip->empty) return;
    double at[5] = {0.0, most, -most, most, -most}, falls[5] = {0.0, 0.0, 0.0, fall, fall};
    double line[2] = {hip->wanted + p->k_d * hip->rate, -p->k_d};
    for (int k = -1; k < 2; k++) cut(low, high, k * fastest, rate);
    for (int k = 0; k < 5; k++)
        if (falls[k] != line[1]) cut(low, high, (at[k] - line[0]) / (line[1] - falls[k]), rate);
    double inside = 0.5 * (larger(*low, rate - 1.0) + smaller(*high, rate + 1.0));
    for (int side = 1; side > -2; side -= 2) {
        double share = side * inside / fastest, limit[2] = {0.0, 0.0};
        if (share < 1.0) limit[0] = side * most, limit[1] = share < 0.0 ? 0.0 : fall;
        if (side * (line[0] - limit[0] + (line[1] - limit[1]) * inside) > 0.0) line[0] = limit[0], line[1] = limit[1];
    }
    *at_zero = line[0], *slope = line[1] - p->hip_damping;
}

/* u at the least root s = 1 / k > 0 of rho |b + s w| = q0 + q1 s + q2 s^2: along each piece of the torque, to the first
 * zero of the parabola that the tangents of rho and |b + s w| make. */
static int find_nearest(Slide *sl) {
    const Parameters *p = &sl->hip->robot->p;
    double h0 = sl->ahead[0], h1 = sl->ahead[1], mu = p->friction, s = 0.0;
    double rest_turn = h0 * sl->b[0] + h1 * sl->b[1] + (h0 * h0 + h1 * h1) * hip_torque(sl->hip, sl->rest_rate);
    double rate = sl->rest_rate + copysign(1e-12 * (1.0 + fabs(sl->rest_rate)), rest_turn);
    double damping = p->creep ? p->creep_damping : 0.0, limit = p->creep_limit, least = 1.0 / (1.0 + limit);
    for (int piece = 0; piece < 12; piece++) {
        double at_zero, slope, low, high;
        find_piece(sl->hip, rate, &at_zero, &slope, &low, &high);
        double torque = at_zero + slope * sl->rest_rate;
        double a00 = sl->a11 - slope * h0 * h0, a11 = sl->a22 - slope * h1 * h1, a01 = sl->a12 - slope * h0 * h1;
        double b0 = sl->b[0] + h0 * torque, b1 = sl->b[1] + h1 * torque;
        double c0 = sl->c[0] - sl->lift * slope * h0, c1 = sl->c[1] - sl->lift * slope * h1;
        double w0 = a11 * b0 - a01 * b1, w1 = a00 * b1 - a01 * b0, trace = a00 + a11, det = a00 * a11 - a01 * a01;
        double n = sl->n - sl->lift * torque, q0 = mu * n;
        double q1 = mu * (n * trace + c0 * b0 + c1 * b1), q2 = mu * (n * det + c0 * w0 + c1 * w1);
        double turn_b = h0 * b0 + h1 * b1, turn_w = h0 * w0 + h1 * w1;
        double at_high = first_turn_to(high - sl->rest_rate, s, turn_b, turn_w, trace, det);
        double at_low = first_turn_to(low - sl->rest_rate, s, turn_b, turn_w, trace, det), end = smaller(at_high, at_low);
        for (int step = 0; step < 60 && s < end; step++) {
            double d0 = b0 + s * w0, d1 = b1 + s * w1, drag = sqrt(d0 * d0 + d1 * d1), rho = 1.0, rho_rate = 0.0;
            if (damping > 0.0) {
                double fast = damping * s, middle = limit - fast * (1.0 + limit);
                double root = sqrt(middle * middle + 4.0 * limit * fast);
                rho = middle > 0.0 ? (root + middle) / (2.0 * limit) : 2.0 * fast / (root - middle);
                rho_rate = damping * (1.0 - (1.0 + limit) * rho) / root;
            }
            double value = rho * drag - (q0 + s * (q1 + s * q2)), size = 1.0 + s * (trace + s * det);
            double tolerance = 1e-13 * (1.0 + fabs(sl->n));
            if (value <= tolerance * size) {
                sl->torque = torque, sl->slope = slope, sl->u[0] = s * d0 / size, sl->u[1] = s * d1 / size;
                return s > 0.0 || value >= -tolerance;
            }
            double drag_rate = (d0 * w0 + d1 * w1) / drag, cone_rate = q1 + 2.0 * s * q2;
            double h = first_zero(value, drag_rate * rho + drag * rho_rate - cone_rate, drag_rate * rho_rate - q2);
            value -= (rho - least) * drag;
            if (rho_rate < 0.0 && value > 0.0) h = larger(h, first_zero(value, least * drag_rate - cone_rate, -q2));
            s += h;
        }
        if (s < end || end == INFINITY) return 0;
        s = end, rate = at_high < at_low ? high : low;
        rate += copysign(1e-12 * (1.0 + fabs(rate)), at_low - at_high);
    }
    return 0;
}

/* The root that is nearest to rest; without any, the z that comes nearest to one. */
static void find_slide(Slide *s) {
    if (find_nearest(s)) return;
    place_torque(s, s->rest_rate);
    double low = 1.0, fastest = low, at_rest = surplus(s, low), at_low = at_rest, most = at_rest;
    int k = PARTS;
    while (at_low < 0.0 && k > 1) {
        low = part(--k), at_low = surplus(s, low);
        if (at_low > most) fastest = low, most = at_low;
    }
    if (most < 0.0) {
        stop_toe(s, fastest, at_rest);
        return;
    }
    double best = k, at_best = INFINITY;
    while (k > 0) {
        double high = low, at_high = at_low;
        low = part(--k), at_low = surplus(s, low);
        if (at_low < 0.0) {
            refine(s, low, high, at_low, at_high);
            return;
        }
        if (at_low < at_best) best = k, at_best = at_low;
    }
    if (0.0 < -at_rest && -at_rest < at_best)
        stop_toe(s, 1.0, at_rest);
    else
        look_closer(s, best);
}

INLINE void find_tangents(Vector tangent[2], const Vector n) { /* Duff et al. 2017 */
    double sign = copysign(1.0, n[2]), a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
    tangent[0][0] = 1.0 + sign * n[0] * n[0] * a, tangent[0][1] = sign * b, tangent[0][2] = -sign * n[0];
    tangent[1][0] = b, tangent[1][1] = sign + n[1] * n[1] * a, tangent[1][2] = -n[1];
}

INLINE void slide_toe(Leg *leg, const Hip *hip) {
    Vector tangent[2], w;
    find_tangents(tangent, leg->normal);
    Slide s = begin_slide(leg, hip, tangent);
    find_slide(&s);
    for (int i = 0; i < 3; i++) {
        leg->slide[i] = s.u[0] * tangent[0][i] + s.u[1] * tangent[1][i];
        w[i] = leg->resting[i] + leg->slide[i];
    }
    load_leg(leg, hip, w);
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
    for (int i = 0; i < 3; i++) xdot[R + i] = x[V + i], xdot[V + i] = world[i] / robot->p.mass;
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
            slide_toe(&leg, &hip);
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
    robot.no_load_speed = robot.p.max_speed * 2.0 * M_PI / (60.0 * robot.p.gear);
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
