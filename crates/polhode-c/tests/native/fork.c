/* A child of a process that has run an ensemble on all cores can do so, too. */
#define _POSIX_C_SOURCE 200809L
#include <polhode.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 100 };

static int everywhere(void)
{
    const double moments[3] = {1.0, 2.0, 2.5};
    const polhode_bodies bodies = {COUNT, moments, 3, 1, 0};
    polhode_state states[COUNT];
    polhode_ensemble *ensemble;
    polhode_status status;

    for (int n = 0; n < COUNT; n++) states[n] = (polhode_state){{1, 2, 0.01 * n}, {1, 0, 0, 0}};
    status = polhode_ensemble_new("exact", NULL, 0, &ensemble);
    if (status == POLHODE_OK)
        status = polhode_ensemble_run(ensemble, &bodies, states, 0, 0.1, 10, 0, NULL, NULL, NULL);
    polhode_ensemble_free(ensemble);
    return status;
}

int main(void)
{
    int ended;
    pid_t child;

    if (everywhere() != POLHODE_OK) return 1;
    child = fork();
    if (child < 0) return 2;
    if (child == 0) {
        alarm(30); /* rather than wait for ever */
        _exit(everywhere());
    }
    if (waitpid(child, &ended, 0) != child) return 3;
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != POLHODE_OK) return 4;
    puts("done");
    return 0;
}
