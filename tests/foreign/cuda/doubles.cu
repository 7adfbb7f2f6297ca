// Math of double precision, which the compiler takes from its library.
extern "C" __global__ void doubles(const double *x, double *y) {
  int i = threadIdx.x;
  double a = x[i];
  y[i * 6 + 0] = sin(a * 20);
  y[i * 6 + 1] = pow(a + 2, 3.7);
  y[i * 6 + 2] = erf(a);
  y[i * 6 + 3] = exp(a * 3) - log(a + 1.5);
  y[i * 6 + 4] = atan2(a, 0.3) + cbrt(a);
  y[i * 6 + 5] = sqrt(a + 1) / (a + 3) + fmod(a * 100, 7.0);
}
