/** Stands in for the probe's thread. */
for (;;);
