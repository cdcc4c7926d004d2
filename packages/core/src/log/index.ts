/** The version of the log format on disk that this package writes. */
export const logFormatVersion = 1;
