/** A decoder in an endless loop, as damaged bytes can cause it. */
for (;;) Math.random()
