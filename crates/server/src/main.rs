//! The `atalaya` command.

fn main() -> std::process::ExitCode {
    atalaya_server::cli::main()
}
