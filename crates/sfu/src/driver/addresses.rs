//! The machine's own addresses, read from the kernel's tables without another library.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Addresses clients could reach, without loopback and link-local ones.
pub fn interface_addresses() -> Vec<IpAddr> {
    let v4 = std::fs::read_to_string("/proc/net/fib_trie").map(|t| parse_fib_trie(&t)).unwrap_or_default();
    let v6 = std::fs::read_to_string("/proc/net/if_inet6").map(|t| parse_if_inet6(&t)).unwrap_or_default();
    let mut found: Vec<IpAddr> = v4.into_iter().map(IpAddr::V4).chain(v6.into_iter().map(IpAddr::V6)).collect();
    if found.is_empty() {
        found.extend(routed_address());
    }
    found
}

/// The source address of a packet that would leave the machine; nothing is sent.
fn routed_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(198, 51, 100, 1), 9)).ok()?;
    socket.local_addr().ok().map(|a| a.ip()).filter(|ip| !ip.is_unspecified() && !ip.is_loopback())
}

/// A local address is a line `|-- a.b.c.d` followed by `/32 host LOCAL`.
fn parse_fib_trie(text: &str) -> Vec<Ipv4Addr> {
    let mut found = Vec::new();
    let mut last = None;
    for line in text.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse::<Ipv4Addr>().ok();
        } else if line.starts_with("/32 host LOCAL")
            && let Some(address) = last
            && !address.is_loopback()
            && !address.is_link_local()
            && !found.contains(&address)
        {
            found.push(address);
        }
    }
    found
}

/// `address index prefix scope flags name`; scope 00 is global. Temporary and deprecated ones stay: they work.
fn parse_if_inet6(text: &str) -> Vec<Ipv6Addr> {
    let address = |line: &str| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [hex, _, _, "00", ..] = fields[..] else {
            return None;
        };
        u128::from_str_radix(hex, 16).ok().map(Ipv6Addr::from)
    };
    text.lines().filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        let trie = "Local:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 127.0.0.1\n        /32 host LOCAL\n     |-- 192.0.2.0\n        /24 link UNICAST\n     |-- 192.0.2.2\n        /32 host LOCAL\n";
        assert_eq!(parse_fib_trie(trie), [Ipv4Addr::new(192, 0, 2, 2)]);
        let six = "fe8000000000000000fc00fffe000001 04 40 20 80 eth0\nfd000000000000000000000000000002 04 40 00 82 eth0\nbad\n";
        assert_eq!(parse_if_inet6(six), ["fd00::2".parse::<Ipv6Addr>().expect("an address")]);
    }
}
