//! What a request is about, read from its method and path as the API server reads them.

use http::Method;
use http::request::Parts;

/// The resource a request names, or no resource for paths like `/version`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    pub path: String,
    /// `get`, `list`, `watch`, `create`, ...; for a path without a resource the method in small letters.
    pub verb: String,
    pub group: String,
    /// Plural, empty when the path names no resource.
    pub resource: String,
    pub subresource: String,
    pub namespace: String,
    pub name: String,
    pub continues: Continues,
}

/// Whether a list is the continuation of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Continues {
    #[default]
    No,
    Yes,
}

impl Target {
    /// Reads the target of a request.
    pub fn of(parts: &Parts) -> Self {
        let path = parts.uri.path();
        let query = parts.uri.query().unwrap_or_default();
        let mut target = Self { path: path.into(), ..Self::default() };
        let mut words = path.split('/').filter(|word| !word.is_empty());
        let rooted = match words.next() {
            Some("api") => words.next().is_some(),
            Some("apis") => {
                target.group = words.next().unwrap_or_default().into();
                words.next().is_some()
            }
            _ => false,
        };
        let words: Vec<&str> = words.collect();
        if rooted {
            target.read(&words);
        }
        target.verb = target.verb_of(&parts.method, query).into();
        if query.split('&').any(|pair| pair.starts_with("continue=") && pair != "continue=") {
            target.continues = Continues::Yes;
        }
        target
    }

    /// `deployments.apps`, or `pods` in the core group: how messages name a resource.
    pub fn qualified(&self) -> String {
        if self.group.is_empty() {
            self.resource.clone()
        } else {
            format!("{}.{}", self.resource, self.group)
        }
    }

    fn read(&mut self, words: &[&str]) {
        let rest = match words {
            // A namespace itself, and what hangs below it without being an object in it.
            ["namespaces", _] | ["namespaces", _, "finalize" | "status"] => words,
            ["namespaces", namespace, rest @ ..] => {
                self.namespace = (*namespace).into();
                rest
            }
            other => other,
        };
        let mut rest = rest.iter().map(|word| (*word).to_owned());
        self.resource = rest.next().unwrap_or_default();
        self.name = rest.next().unwrap_or_default();
        self.subresource = rest.next().unwrap_or_default();
    }

    fn verb_of(&self, method: &Method, query: &str) -> &'static str {
        let watches = query.split('&').any(|pair| matches!(pair, "watch" | "watch=1" | "watch=true"));
        match method.as_str() {
            "GET" | "HEAD" if self.resource.is_empty() => "get",
            "GET" | "HEAD" if watches => "watch",
            "GET" | "HEAD" if self.name.is_empty() => "list",
            "GET" | "HEAD" => "get",
            "POST" if self.resource.is_empty() => "post",
            "POST" => "create",
            "PUT" if self.resource.is_empty() => "put",
            "PUT" => "update",
            "PATCH" => "patch",
            "DELETE" if self.name.is_empty() && !self.resource.is_empty() => "deletecollection",
            "DELETE" => "delete",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn target(method: &str, uri: &str) -> String {
        let parts = Request::builder().method(method).uri(uri).body(()).unwrap().into_parts().0;
        let Target { verb, resource, subresource, namespace, name, .. } = Target::of(&parts);
        let qualified = Target::of(&parts).qualified();
        assert!(qualified.starts_with(&resource));
        format!("{verb} {qualified} sub={subresource} ns={namespace} name={name}")
    }

    #[test]
    fn resources() {
        assert_eq!(target("GET", "/api/v1/pods"), "list pods sub= ns= name=");
        assert_eq!(target("GET", "/api/v1/namespaces/a/pods?watch=1"), "watch pods sub= ns=a name=");
        assert_eq!(target("GET", "/api/v1/namespaces/a"), "get namespaces sub= ns= name=a");
        assert_eq!(
            target("PUT", "/api/v1/namespaces/a/finalize"),
            "update namespaces sub=finalize ns= name=a"
        );
        assert_eq!(
            target("PATCH", "/apis/apps/v1/namespaces/a/deployments/b/scale"),
            "patch deployments.apps sub=scale ns=a name=b"
        );
        assert_eq!(
            target("DELETE", "/apis/apps/v1/namespaces/a/deployments"),
            "deletecollection deployments.apps sub= ns=a name="
        );
    }

    #[test]
    fn other_paths() {
        for path in ["/", "/version", "/api", "/apis", "/api/v1"] {
            assert_eq!(target("GET", path), "get  sub= ns= name=", "{path}");
        }
    }

    #[test]
    fn continued_lists() {
        let of = |uri: &str| Target::of(&Request::get(uri).body(()).unwrap().into_parts().0).continues;
        assert_eq!(of("/api/v1/pods?limit=5&continue=abc"), Continues::Yes);
        assert_eq!(of("/api/v1/pods?limit=5&continue="), Continues::No);
    }
}
