/* Steps of the header for the test beside it: numbers come in and go out as the hexadecimal digits of their bits. */
#include "polhode_step.h"

#include <inttypes.h>
#include <stdio.h>

static int read_numbers(double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        if (scanf("%" SCNx64, &bits) != 1) return 0;
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    return 1;
}

static void print_f64(const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        printf("%016" PRIx64 " ", bits);
    }
}

static void print_f32(const float *numbers, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        printf("%08" PRIx32 " ", bits);
    }
}

/* Stored: GCC 12 leaves out a vector's way to float and back to double. */
static float rounded(double x) {
    volatile float stored = (float)x;
    return stored;
}

int main(void) {
    /* Moments, frame, tensor, angular velocity, rotation, time. */
    double x[3 + 4 + 9 + 3 + 4 + 1];
    while (read_numbers(x, 24)) {
        const polhode_inertia bodies[3] = {
            polhode_inertia_principal(x),
            polhode_inertia_principal_in_frame(x, x + 3),
            polhode_inertia_tensor(x + 7),
        };
        for (int body = 0; body < 3; body++) {
            for (int world = 0; world < 2; world++) {
                double omega[3], q[4];
                float omega_f32[3], q_f32[4];
                memcpy(omega, x + 16, sizeof omega);
                memcpy(q, x + 19, sizeof q);
                for (int i = 0; i < 3; i++) omega_f32[i] = rounded(omega[i]);
                for (int i = 0; i < 4; i++) q_f32[i] = rounded(q[i]);
                if (world) {
                    polhode_step_f64(&bodies[body], omega, q, x[23]);
                    polhode_step_f32(&bodies[body], omega_f32, q_f32, rounded(x[23]));
                } else {
                    polhode_step_body_f64(&bodies[body], omega, q, x[23]);
                    polhode_step_body_f32(&bodies[body], omega_f32, q_f32, rounded(x[23]));
                }
                print_f64(omega, 3);
                print_f64(q, 4);
                print_f32(omega_f32, 3);
                print_f32(q_f32, 4);
            }
        }
        printf("\n");
    }
    return 0;
}
