"""The spring-loaded inverted pendulum: a point mass on a massless springy leg."""
