//! How long checking one password takes here: `cargo run --release -p atalaya-identity --example hash_time`.

use atalaya_identity::{Lane, PasswordCost, Passwords};
use atalaya_kernel::Sources;
use std::time::Instant;

#[tokio::main]
async fn main() {
    let passwords = Passwords::new(Sources::system(), PasswordCost::Standard, 1);
    let stored = passwords.hash("correcto caballo").await;
    let mut times = Vec::new();
    for _ in 0..21 {
        let began = Instant::now();
        assert!(
            passwords
                .verify(passwords.turn(passwords.enter(Lane::Known).expect("a place")).await, "correcto caballo", Some(&stored))
                .await
        );
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    println!("{:.1}", times[times.len() / 2]);
}
