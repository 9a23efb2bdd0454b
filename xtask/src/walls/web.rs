//! Features of the web app stand apart: none imports another, nor `app`; what is below features imports neither.

use super::{Breaches, count};
use crate::tree;
use anyhow::Result;
use std::path::{Component, Path, PathBuf};

pub fn check(breaches: &mut Breaches) -> Result<()> {
    for extension in [".ts", ".tsx"] {
        for file in tree::files("web/src", extension)? {
            if file.contains(".test.") {
                continue;
            }
            let own = unit(&file);
            for target in targets(&tree::read(&file)?).filter_map(|target| resolve(&file, target)) {
                let other = unit(&target);
                let rule = match (own.as_str(), other.as_str()) {
                    (a, b) if a == b => continue,
                    // `test` renders what `app` puts around a page.
                    ("app" | "test", _) => continue,
                    (a, "app") if a.starts_with("features/") => "feature imports app",
                    (a, b) if a.starts_with("features/") && b.starts_with("features/") => "feature imports feature",
                    (_, b) if b == "app" || b.starts_with("features/") => "import from above",
                    _ => continue,
                };
                count(breaches, rule, &file, 1);
            }
        }
    }
    Ok(())
}

/// `features/x`, or the folder directly in `web/src`.
fn unit(file: &str) -> String {
    let parts: Vec<&str> = file.trim_start_matches("web/src/").split('/').collect();
    match parts.as_slice() {
        ["features", feature, ..] => format!("features/{feature}"),
        [first, ..] => (*first).to_owned(),
        [] => String::new(),
    }
}

/// What stands in quotes after `from` or in `import(…)`.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';']).filter_map(|line| {
        let rest = line.split_once("from '").or_else(|| line.split_once("import('")).or_else(|| line.split_once("import '"))?.1;
        rest.split_once('\'').map(|(target, _)| target)
    })
}

fn resolve(file: &str, target: &str) -> Option<String> {
    if let Some(rest) = target.strip_prefix("@/") {
        return Some(format!("web/src/{rest}"));
    }
    if !target.starts_with('.') {
        return None;
    }
    let mut path = PathBuf::new();
    for part in Path::new(file).parent()?.join(target).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_way_into_another_feature_is_seen() {
        let target = resolve("web/src/features/a/components/X.tsx", "../../b/model").expect("relative");
        assert_eq!(unit(&target), "features/b");
        assert_eq!(resolve("web/src/features/a/X.tsx", "react"), None);
        assert_eq!(targets("import { a } from '@/app/guards';").collect::<Vec<_>>(), ["@/app/guards"]);
    }
}
