#pragma once

// What happens when somebody stops the command.
namespace glyd::cli {

// SIGINT, SIGTERM and SIGHUP: remove the registered temporary file, clear the progress line, exit with 128 +
// the signal's number. They are left ignored where the parent ignores them (nohup). SIGPIPE and SIGXFSZ are
// ignored, so that write(2) fails with EPIPE and EFBIG and the command can clean up.
void install_signal_handlers();

// The temporary file that must not outlive the command; one at a time. `path` is copied.
void register_temporary(const char* path);
void forget_temporary();

// While it is shown, a handler wipes the line on standard error.
void set_progress_shown(bool shown);

// Ends the process the way a program ends that writes to a closed pipe: silently, by SIGPIPE. Call it after
// cleaning up.
[[noreturn]] void die_of_broken_pipe();

}  // namespace glyd::cli
