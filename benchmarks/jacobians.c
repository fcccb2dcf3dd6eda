/* The Jacobian of SLIP's vector field by hand, at n rows: the yardstick for hybridsim.functions("slip").jacobian.
 *
 * `by_duals` evaluates the field on dual numbers with seven directions, as hybridsim does; `by_hand` has the derivatives
 * written out, most of which are known to be zero.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N = 7 };
enum { X, Y, XDOT, YDOT, FOOTX, FOOTY, ANGLE };
enum { ASCENT, DESCENT, COMPRESSION, DECOMPRESSION };
enum { MASS, REST_LENGTH, STIFFNESS, G_STANCE, G_FLIGHT };

typedef struct {
    double value, d[N];
} Dual;

static inline Dual constant(double value) { return (Dual){value, {0}}; }

#define EACH(expression)                                 \
    Dual result;                                         \
    for (int m = 0; m < N; m++) result.d[m] = expression

static inline Dual minus(Dual a, Dual b) {
    EACH(a.d[m] - b.d[m]);
    result.value = a.value - b.value;
    return result;
}

static inline Dual plus(Dual a, Dual b) {
    EACH(a.d[m] + b.d[m]);
    result.value = a.value + b.value;
    return result;
}

static inline Dual times(Dual a, Dual b) {
    EACH(a.d[m] * b.value + a.value * b.d[m]);
    result.value = a.value * b.value;
    return result;
}

static inline Dual over(Dual a, Dual b) {
    double quotient = a.value / b.value;
    EACH((a.d[m] - quotient * b.d[m]) / b.value);
    result.value = quotient;
    return result;
}

static inline Dual root(Dual a) {
    double value = sqrt(a.value);
    EACH(a.d[m] / (2.0 * value));
    result.value = value;
    return result;
}

static inline void field_on_duals(Dual xdot[N], const Dual x[N], const double *p, int64_t chart) {
    xdot[X] = x[XDOT];
    xdot[Y] = x[YDOT];
    if (chart <= DESCENT) {
        xdot[YDOT] = constant(-p[G_FLIGHT]);
        return;
    }
    Dual legx = minus(x[X], x[FOOTX]), legy = minus(x[Y], x[FOOTY]);
    Dual rho = root(plus(times(legx, legx), times(legy, legy)));
    Dual force = times(constant(p[STIFFNESS]), minus(constant(p[REST_LENGTH]), rho));
    Dual push = over(force, times(constant(p[MASS]), rho));
    xdot[XDOT] = times(push, legx);
    xdot[YDOT] = minus(times(push, legy), constant(p[G_STANCE]));
}

void by_duals(int64_t n, const double *x, const int64_t *chart, const double *p, double *jacobian) {
    for (int64_t row = 0; row < n; row++) {
        Dual state[N], xdot[N] = {0};
        for (int m = 0; m < N; m++) {
            state[m] = constant(x[row * N + m]);
            state[m].d[m] = 1.0;
        }
        field_on_duals(xdot, state, p, chart[row]);
        for (int i = 0; i < N; i++) memcpy(jacobian + (row * N + i) * N, xdot[i].d, sizeof xdot[i].d);
    }
}

void by_hand(int64_t n, const double *x, const int64_t *chart, const double *p, double *jacobian) {
    memset(jacobian, 0, n * N * N * sizeof(double));
    for (int64_t row = 0; row < n; row++, x += N, jacobian += N * N) {
        jacobian[X * N + XDOT] = jacobian[Y * N + YDOT] = 1.0;
        if (chart[row] <= DESCENT) continue;
        double legx = x[X] - x[FOOTX], legy = x[Y] - x[FOOTY], rho2 = legx * legx + legy * legy, rho = sqrt(rho2);
        double rate = p[STIFFNESS] / p[MASS], push = rate * (p[REST_LENGTH] / rho - 1.0);
        double bend = -rate * p[REST_LENGTH] / (rho2 * rho); /* d push / d legx = bend * legx */
        double xx = push + bend * legx * legx, xy = bend * legx * legy, yy = push + bend * legy * legy;
        double *of_xdot = jacobian + XDOT * N, *of_ydot = jacobian + YDOT * N;
        of_xdot[X] = xx, of_xdot[Y] = xy, of_xdot[FOOTX] = -xx, of_xdot[FOOTY] = -xy;
        of_ydot[X] = xy, of_ydot[Y] = yy, of_ydot[FOOTX] = -xy, of_ydot[FOOTY] = -yy;
    }
}
