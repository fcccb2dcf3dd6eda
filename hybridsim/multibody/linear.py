"""Linear equations in place: Gaussian elimination with partial pivoting."""

from hybridsim.engine.compiler.slices import is_nothing


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
        best = eliminate(matrix, 0, column, n, n)
        right[best], right[column] = right[column], right[best]
        for i in range(column + 1, n):
            right[i] -= matrix[n * i + column] * right[column]
        smallest = smaller(smallest, matrix[n * column + column])
    for step in range(n):
        i = n - 1 - step
        left = right[i]
        for j in range(i + 1, n):
            left -= matrix[n * i + j] * right[j]
        right[i] = left / matrix[n * i + i]
    return smallest


def smaller(smallest, pivot):
    """Return the smallest pivot so far, given that of the next column."""
    size = abs(pivot)
    return size if size < smallest else smallest


def scale_of(rows, first, n):
    """Return one over the largest entry of a row, so that pivots do not depend on the units of a row; 1 for zeros."""
    largest = 0.0
    for j in range(first, first + n):
        if abs(rows[j]) > largest:
            largest = abs(rows[j])
    return 1.0 / largest if largest > 0.0 else 1.0


def row_of_pivot(rows, first, column, n, width):
    """Return the row, from the diagonal on, with the largest entry of a column."""
    best, largest = column, abs(rows[first + width * column + column])
    for i in range(column + 1, n):
        if abs(rows[first + width * i + column]) > largest:
            best, largest = i, abs(rows[first + width * i + column])
    return best


def eliminate(rows, first, column, n, width):
    """Bring the largest entry of a column to the diagonal, and take the column out of the rows below.

    Parameters
    ----------
    rows : array
        Holds n rows of `width` numbers from `first` on. Below the diagonal, the factors of the rows take the place of
        the column: those of L in P A = L U.
    first, column, n, width : int
        Place of the first row; the column, counted from 0; number of rows; numbers in a row.

    Returns
    -------
    int
        The row that was swapped with the one of the diagonal.
    """
    best = row_of_pivot(rows, first, column, n, width)
    upper, lower = first + width * column, first + width * best
    if best != column:
        for j in range(width):
            rows[upper + j], rows[lower + j] = rows[lower + j], rows[upper + j]
    inverse = 1.0 / rows[upper + column]
    for i in range(column + 1, n):
        row = first + width * i
        factor = rows[row + column] * inverse
        rows[row + column] = factor
        if not is_nothing(factor):
            for j in range(column + 1, width):
                rows[row + j] -= factor * rows[upper + j]
    return best
