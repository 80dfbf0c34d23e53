/** Replaces the probe's thread. */
for (;;);
