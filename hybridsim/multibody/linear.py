"""Linear equations, solved in place: Gaussian elimination with partial pivoting."""


def solve_linear(matrix, right, n):
    """Solve matrix x = right.

    Parameters
    ----------
    matrix : (n * n,) array
        The matrix, row by row; it is overwritten.
    right : (n,) array
        The right side; it is overwritten by the solution.
    n : int
        Number of unknowns.

    Returns
    -------
    float
        The smallest pivot, of rows whose largest entry is made 1; at most 1. It is 0 if the matrix is singular, and the
        solution is then not finite.
    """
    for i in range(n):
        scale = scale_of(matrix, n * i, n)
        for j in range(n * i, n * i + n):
            matrix[j] *= scale
        right[i] *= scale
    smallest = 1.0
    for column in range(n):
        best = best_row(matrix, column, n)
        if best != column:
            _swap_rows(matrix, right, best, column, n)
        pivot = matrix[n * column + column]
        smallest = abs(pivot) if abs(pivot) < smallest else smallest
        inverse = 1.0 / pivot
        for i in range(column + 1, n):
            factor = matrix[n * i + column] * inverse
            for j in range(column + 1, n):
                matrix[n * i + j] -= factor * matrix[n * column + j]
            right[i] -= factor * right[column]
    for step in range(n):
        i = n - 1 - step
        left = right[i]
        for j in range(i + 1, n):
            left -= matrix[n * i + j] * right[j]
        right[i] = left / matrix[n * i + i]
    return smallest


def scale_of(rows, first, n):
    """Return one over the largest entry of a row, so that pivots do not depend on the units of a row; 1 for zeros."""
    largest = 0.0
    for j in range(first, first + n):
        if abs(rows[j]) > largest:
            largest = abs(rows[j])
    return 1.0 / largest if largest > 0.0 else 1.0


def best_row(matrix, column, n):
    """Return the row, from that of the diagonal on, whose entry in a column of n rows of n entries is largest."""
    best, largest = column, abs(matrix[n * column + column])
    for i in range(column + 1, n):
        if abs(matrix[n * i + column]) > largest:
            best, largest = i, abs(matrix[n * i + column])
    return best


def _swap_rows(matrix, right, first, second, n):
    for j in range(n):
        matrix[n * first + j], matrix[n * second + j] = matrix[n * second + j], matrix[n * first + j]
    right[first], right[second] = right[second], right[first]
