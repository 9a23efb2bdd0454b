//! Paths that a Rust file names, with `use` trees written out.

/// Every path that begins with one of `roots` (`crate`, `atalaya_…`), as its segments; comments and strings of code do not count.
pub fn paths(text: &str, is_root: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|c: char| !is_word(c)).map_or(0, |before| before + 1);
        // Only the first segment of a path: what stands before it is no `::`.
        if is_root(&code[start..at]) && !code[..start].ends_with("::") {
            expand(&code[start..], &mut Vec::new(), &mut found);
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads one path or tree at the beginning of `rest`, and answers how many bytes it has.
fn expand(rest: &str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let depth = prefix.len();
    let mut at = 0;
    loop {
        at += rest[at..].len() - rest[at..].trim_start().len();
        if rest[at..].starts_with('{') {
            at += 1;
            while at < rest.len() && !rest[at..].trim_start().starts_with('}') {
                let step = expand(&rest[at..], prefix, found);
                at += step.max(1);
                at += rest[at..].find([',', '}']).unwrap_or(rest.len() - at);
                if rest[at..].starts_with(',') {
                    at += 1;
                }
            }
            at += rest[at..].find('}').map_or(0, |end| end + 1);
            prefix.truncate(depth);
            return at;
        }
        let word: String = rest[at..].chars().take_while(|c| is_word(*c)).collect();
        at += word.len();
        if !word.is_empty() {
            prefix.push(word);
        }
        if rest[at..].starts_with("::") && rest[at + 2..].starts_with(|c: char| is_word(c) || c == '{') {
            at += 2;
            continue;
        }
        if prefix.len() > depth {
            found.push(prefix.clone());
        }
        prefix.truncate(depth);
        return at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        paths(text, |word| word == "crate").into_iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn trees_are_written_out() {
        assert_eq!(of("use crate::{a::x, b::{y, z as w}, c};"), ["crate::a::x", "crate::b::y", "crate::b::z", "crate::c"]);
        assert_eq!(of("use crate::a::{\n    b,\n    c::*,\n};\nuse crate::d;"), ["crate::a::b", "crate::a::c", "crate::d"]);
    }

    #[test]
    fn paths_in_expressions_count_and_comments_do_not() {
        assert_eq!(of("let x = crate::a::b(1); // crate::c::d"), ["crate::a::b"]);
        assert_eq!(of("other::crate_::x"), Vec::<String>::new());
    }
}
