//! The `atalaya` command.

/// Gives memory back after a storm of uploads or passwords, which the system's allocator keeps (docs/benchmarks.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    atalaya_server::cli::main()
}
