/* The runner of models/slip by hand: the yardstick for the engine's speed.
 *
 * Hooke's spring, touchdown angle held, Dormand-Prince 5(4): the same tableau, controller, restarts and refinement as
 * hybridsim/engine, so it makes the same steps; but one model, one method and four states, all known to the compiler.
 *
 * Two builds. Plain: a boundary has crossed if it is negative at the end of a step. With -DCERTIFIED: every accepted
 * step is looked into as hybridsim looks, by the Bernstein coefficients of the boundary on the continuous extension.
 */
#include <math.h>

enum { N = 4, DEGREE = 4, MAX_COEFFICIENTS = 2 * DEGREE + 1, MAX_SPLITS = 256 };
enum { X, Y, XDOT, YDOT };
enum { ASCENT, DESCENT, COMPRESSION, DECOMPRESSION };

typedef struct {
    double mass, length, gravity, stiffness, touchdown_height, ahead; /* ahead: foot before the body at touchdown */
    double footx;
    int chart;
} Slip;

typedef struct {
    double t, x[N], k[7][N], h;                  /* where the next step begins */
    double t_new, x_new[N], g_end, step;         /* the last step's end */
    double x_start[N], t_start, g_start, q[DEGREE][N]; /* and its continuous extension */
    double rtol, atol;
    long steps, rejected, calls;
} Run;

/* The model. */

static inline void vector_field(double xdot[N], const double x[N], const Slip *slip) {
    xdot[X] = x[XDOT];
    xdot[Y] = x[YDOT];
    if (slip->chart <= DESCENT) {
        xdot[XDOT] = 0.0;
        xdot[YDOT] = -slip->gravity;
        return;
    }
    double legx = x[X] - slip->footx, legy = x[Y], rho = sqrt(legx * legx + legy * legy);
    double push = slip->stiffness * (slip->length - rho) / (slip->mass * rho);
    xdot[XDOT] = push * legx;
    xdot[YDOT] = push * legy - slip->gravity;
}

static inline double boundary(const double x[N], const Slip *slip) {
    double legx = x[X] - slip->footx;
    switch (slip->chart) {
    case ASCENT: return x[YDOT];
    case DESCENT: return x[Y] - slip->touchdown_height;
    case COMPRESSION: return -(legx * x[XDOT] + x[Y] * x[YDOT]);
    default: return slip->length * slip->length - (legx * legx + x[Y] * x[Y]);
    }
}

static inline void transition(const double x[N], Slip *slip) {
    if (slip->chart == DESCENT) slip->footx = x[X] + slip->ahead;
    slip->chart = slip->chart == DECOMPRESSION ? (x[YDOT] > 0.0 ? ASCENT : DESCENT) : slip->chart + 1;
}

/* The step. */

static const double A[7][6] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
static const double E[7] = {-71. / 57600, 0, 71. / 16695, -71. / 1920, 17253. / 339200, -22. / 525, 1. / 40};
static const double EXTENSION[7][DEGREE] = {
    {1, -8048581381. / 2820520608, 8663915743. / 2820520608, -12715105075. / 11282082432},
    {0},
    {0, 131558114200. / 32700410799, -68118460800. / 10900136933, 87487479700. / 32700410799},
    {0, -1754552775. / 470086768, 14199869525. / 1410260304, -10690763975. / 1880347072},
    {0, 127303824393. / 49829197408, -318862633887. / 49829197408, 701980252875. / 199316789632},
    {0, -282668133. / 205662961, 2019193451. / 616988883, -1453857185. / 822651844},
    {0, 40617522. / 29380423, -110615467. / 29380423, 69997945. / 29380423},
};

static inline double scale(const Run *run, double x) { return run->atol + run->rtol * x; }

static inline double try_step(Run *run, const Slip *slip, double h) {
    double stage[N], total = 0.0;
#pragma GCC unroll 7
    for (int i = 1; i < 7; i++) {
        for (int m = 0; m < N; m++) {
            double sum = 0.0;
            for (int j = 0; j < i; j++) sum += A[i][j] * run->k[j][m];
            stage[m] = run->x[m] + h * sum;
        }
        vector_field(run->k[i], stage, slip);
    }
    run->calls += 6;
    for (int m = 0; m < N; m++) {
        double error = 0.0;
        for (int j = 0; j < 7; j++) error += E[j] * run->k[j][m];
        run->x_new[m] = stage[m];
        error /= scale(run, fmax(fabs(run->x[m]), fabs(stage[m])));
        total += error * error;
    }
    return h * sqrt(total / N);
}

static int accepted_step(Run *run, const Slip *slip) {
    double smallest = 10.0 * (nextafter(run->t, INFINITY) - run->t);
    int rejected = 0;
    run->h = fmax(run->h, smallest);
    for (;;) {
        double h = run->h, error = try_step(run, slip, h);
        if (error < 1.0) {
            double factor = error > 0.0 ? fmin(10.0, 0.9 * pow(error, -0.2)) : 10.0;
            run->h = h * (rejected ? fmin(1.0, factor) : factor);
            run->step = h;
            run->t_start = run->t;
            run->t_new = run->t + h;
            run->steps++;
            return 1;
        }
        rejected = 1;
        run->rejected++;
        run->h = h * (isfinite(error) ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2);
        if (run->h < smallest) return 0;
    }
}

static double initial_step(Run *run, const Slip *slip) {
    double d0 = 0.0, d1 = 0.0, d2 = 0.0, stage[N], k[N];
    for (int m = 0; m < N; m++) {
        double unit = scale(run, fabs(run->x[m])), a = run->x[m] / unit, b = run->k[0][m] / unit;
        d0 += a * a;
        d1 += b * b;
    }
    d0 = sqrt(d0 / N), d1 = sqrt(d1 / N);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    for (int m = 0; m < N; m++) stage[m] = run->x[m] + h0 * run->k[0][m];
    vector_field(k, stage, slip);
    run->calls++;
    for (int m = 0; m < N; m++) {
        double c = (k[m] - run->k[0][m]) / scale(run, fabs(run->x[m]));
        d2 += c * c;
    }
    d2 = sqrt(d2 / N) / h0;
    double h1 = d1 <= 1e-15 && d2 <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / fmax(d1, d2), 0.2);
    return fmin(100.0 * h0, h1);
}

static inline void extend(Run *run) {
    for (int d = 0; d < DEGREE; d++)
        for (int m = 0; m < N; m++) {
            double sum = 0.0;
            for (int j = 0; j < 7; j++) sum += EXTENSION[j][d] * run->k[j][m];
            run->q[d][m] = run->step * sum;
        }
}

static inline void extension_at(const Run *run, double theta, double x[N]) {
    for (int m = 0; m < N; m++)
        x[m] = run->x_start[m] +
               theta * (run->q[0][m] + theta * (run->q[1][m] + theta * (run->q[2][m] + theta * run->q[3][m])));
}

/* Crossings. */

static inline double value_at(const Run *run, const Slip *slip, double theta) {
    double x[N];
    extension_at(run, theta, x);
    return boundary(x, slip);
}

static inline double value_at_time(const Run *run, const Slip *slip, double t) {
    return t == run->t_new ? run->g_end : value_at(run, slip, (t - run->t_start) / run->step);
}

/* The first of two adjacent floats between which the boundary falls (Chandrupatla 1997). */
static double refine(const Run *run, const Slip *slip, double lo, double hi) {
    double b = run->t_start + lo * run->step, a = hi == 1.0 ? run->t_new : run->t_start + hi * run->step;
    double gb = value_at_time(run, slip, b), ga = value_at_time(run, slip, a), c = b, gc = gb;
    if (gb <= 0.0) return b;
    double fraction = ga / (ga - gb);
    while (nextafter(fmin(a, b), INFINITY) < fmax(a, b)) {
        double low = fmin(a, b), high = fmax(a, b), t = a + fraction * (b - a);
        if (t <= low) t = nextafter(low, INFINITY);
        if (t >= high) t = nextafter(high, -INFINITY);
        double g = value_at_time(run, slip, t);
        if ((g <= 0.0) == (ga <= 0.0)) {
            c = a, gc = ga;
        } else {
            c = b, gc = gb;
            b = a, gb = ga;
        }
        a = t, ga = g;
        double top = fmax(fabs(a), fabs(b)), least = (nextafter(top, INFINITY) - top) / fabs(b - a);
        fraction = 0.5;
        if (c != b && gc != ga) {
            double xi = (a - b) / (c - b), phi = (ga - gb) / (gc - gb);
            if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)
                fraction = ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb);
        }
        fraction = fmin(fmax(fraction, least), 1.0 - least);
    }
    return ga <= 0.0 ? a : b;
}

#ifdef CERTIFIED

static double nodes[MAX_COEFFICIENTS], bernstein[MAX_COEFFICIENTS][MAX_COEFFICIENTS];

/* The Chebyshev points of [0, 1], and the inverse of the Bernstein polynomials of degree 8 there. */
void prepare(const double *points, const double *matrix) {
    for (int r = 0; r < MAX_COEFFICIENTS; r++) {
        nodes[r] = points[r];
        for (int c = 0; c < MAX_COEFFICIENTS; c++) bernstein[r][c] = matrix[r * MAX_COEFFICIENTS + c];
    }
}

/* Affine boundaries: their values at the control points of the extension are their Bernstein coefficients. */
static inline int affine_coefficients(const Run *run, const Slip *slip, double *b) {
    static const double weights[3][DEGREE] = {{1. / 4}, {2. / 4, 1. / 6}, {3. / 4, 3. / 6, 1. / 4}};
    for (int i = 0; i < 3; i++) {
        double x[N];
        for (int m = 0; m < N; m++) {
            double rise = 0.0;
            for (int d = 0; d < DEGREE; d++) rise += weights[i][d] * run->q[d][m];
            x[m] = run->x_start[m] + rise;
        }
        b[i + 1] = boundary(x, slip);
    }
    b[0] = run->g_start;
    b[4] = run->g_end;
    return b[1] > 0.0 && b[2] > 0.0 && b[3] > 0.0 && b[4] > 0.0;
}

/* Quadratic boundaries: polynomials of degree 8, sampled and converted. */
static inline int quadratic_coefficients(const Run *run, const Slip *slip, double *b) {
    double g[MAX_COEFFICIENTS];
    g[0] = run->g_start;
    g[8] = run->g_end;
    for (int i = 1; i < 8; i++) g[i] = value_at(run, slip, nodes[i]);
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < MAX_COEFFICIENTS; i++) lowest = fmin(lowest, g[i]), highest = fmax(highest, g[i]);
    if (lowest > 0.91 * (highest - lowest)) return 1;
    int clear = run->g_end > 0.0;
    b[0] = g[0];
    b[8] = g[8];
    for (int r = 1; r < 8; r++) {
        double sum = 0.0;
        for (int i = 0; i < MAX_COEFFICIENTS; i++) sum += bernstein[r][i] * g[i];
        b[r] = sum;
        clear &= sum > 0.0;
    }
    return clear;
}

typedef struct {
    double lo, hi, b[MAX_COEFFICIENTS];
} Interval;

static void halve(Interval *whole, Interval *left, int n) {
    left->lo = whole->lo;
    left->hi = whole->lo = 0.5 * (whole->lo + whole->hi);
    for (int r = 0; r <= n; r++) {
        left->b[r] = whole->b[0];
        for (int k = 0; k < n - r; k++) whole->b[k] = 0.5 * (whole->b[k] + whole->b[k + 1]);
    }
}

/* When the boundary first falls to zero in the step, or infinity: isolate the first root (Lane and Riesenfeld 1981). */
static double crossing(Run *run, const Slip *slip) {
    static Interval stack[MAX_SPLITS];
    int n = slip->chart <= DESCENT ? DEGREE : 2 * DEGREE, splits = 0;
    extend(run);
    if (n == DEGREE ? affine_coefficients(run, slip, stack[0].b) : quadratic_coefficients(run, slip, stack[0].b))
        return INFINITY;
    stack[0].lo = 0.0, stack[0].hi = 1.0;
    for (int top = 0; top >= 0;) {
        Interval *last = stack + top;
        int changes = 0, below = 0;
        for (int k = 1; k <= n; k++) {
            changes += (last->b[k] <= 0.0) != below;
            below = last->b[k] <= 0.0;
        }
        int narrow = last->hi - last->lo < 0x1p-48 || splits == MAX_SPLITS - 1;
        if (changes == 0 || (narrow && !below)) {
            top--;
        } else if (changes == 1 || narrow) {
            if (last->hi == 1.0 || value_at(run, slip, last->hi) <= 0.0) return refine(run, slip, last->lo, last->hi);
            top--;
        } else {
            halve(last, last + 1, n);
            splits++;
            top++;
        }
    }
    return INFINITY;
}

#else

static double crossing(Run *run, const Slip *slip) {
    if (run->g_end > 0.0 || (slip->chart == DESCENT && run->g_start <= 0.0)) return INFINITY;  // too low, it waits
    extend(run);
    return refine(run, slip, 0.0, 1.0);
}

#endif

/* The loop. */

static int slopes_agree(const Run *run, const double a[N], const double b[N]) {
    double total = 0.0;
    for (int m = 0; m < N; m++) {
        double apart = run->step * (a[m] - b[m]) / scale(run, fabs(run->x[m]));
        total += apart * apart;
    }
    return total <= 1e4 * N;
}

/* Is the flow of the new chart that of the old one, at the event and at the end of the step that was cut there? */
static int flow_goes_on(Run *run, const Slip *slip) {
    double theta = (run->t - run->t_start) / run->step, led[N], beyond[N];
    if (run->t >= run->t_new) return 0;
    for (int m = 0; m < N; m++)
        led[m] = (run->q[0][m] + theta * (2.0 * run->q[1][m] + theta * (3.0 * run->q[2][m] + theta * 4.0 * run->q[3][m]))) /
                 run->step;
    if (!slopes_agree(run, run->k[0], led)) return 0;
    vector_field(beyond, run->x_new, slip);
    run->calls++;
    return slopes_agree(run, beyond, run->k[6]);
}

/* Run until `*strides` touchdowns are made, counting them down, or the body is on the ground; did it get there? */
static int go(Run *run, Slip *slip, long *strides) {
    vector_field(run->k[0], run->x, slip);
    run->calls = 1;
    run->h = initial_step(run, slip);
    run->g_start = boundary(run->x, slip);
    while (*strides > 0) {
        if (!accepted_step(run, slip)) return 0;
        for (int m = 0; m < N; m++) run->x_start[m] = run->x[m];
        run->g_end = boundary(run->x_new, slip);
        double t = crossing(run, slip);
        if (t == INFINITY) {
            for (int m = 0; m < N; m++) run->x[m] = run->x_new[m], run->k[0][m] = run->k[6][m];
            run->g_start = run->g_end;
            run->t = run->t_new;
        } else {
            if (t == run->t_new)
                for (int m = 0; m < N; m++) run->x[m] = run->x_new[m];
            else
                extension_at(run, (t - run->t_start) / run->step, run->x);
            run->t = t;
            *strides -= slip->chart == DESCENT;
            transition(run->x, slip);
            vector_field(run->k[0], run->x, slip);
            run->calls++;
            if (!flow_goes_on(run, slip)) run->h = initial_step(run, slip);
            run->g_start = boundary(run->x, slip);
        }
        if (run->x[Y] <= 0.0) return 0;
    }
    return 1;
}

static void begin(Run *run, Slip *slip, const double *p, double rtol, double atol, const double *x) {
    *slip = (Slip){.mass = p[0], .length = p[1], .gravity = p[2], .stiffness = p[3], .chart = DESCENT};
    slip->touchdown_height = slip->length * cos(p[4]);
    slip->ahead = -slip->length * sin(p[4]);
    *run = (Run){.rtol = rtol, .atol = atol};
    for (int m = 0; m < N; m++) run->x[m] = x[m];
}

/* Run `strides` touchdowns from the apex at x[]; p = mass, length, gravity, stiffness, angle from the vertical.
 * Returns 0 if it got there; x[] = the state there, counts = steps, rejected, calls. */
int run(const double *p, long strides, double rtol, double atol, double *x, long *counts) {
    Slip slip;
    Run run;
    begin(&run, &slip, p, rtol, atol, x);
    if (!go(&run, &slip, &strides)) return 1;
    for (int m = 0; m < N; m++) x[m] = run.x[m];
    counts[0] = run.steps, counts[1] = run.rejected, counts[2] = run.calls;
    return 0;
}

/* How many touchdowns, `most` at the most, each of n runners makes from the apex at x[]: p[i] as in `run`. */
void map(const double (*p)[5], long n, long most, double rtol, double atol, const double *x, long *touchdowns) {
    for (long i = 0; i < n; i++) {
        Slip slip;
        Run run;
        long left = most;
        begin(&run, &slip, p[i], rtol, atol, x);
        go(&run, &slip, &left);
        touchdowns[i] = most - left;
    }
}
