//! Services: whether a load balancer has an address. Not here: whether endpoints are ready
//! (`inspect/tree/cross_object.rs`).

use super::{RuleContext, created};
use crate::model::health::{Health, Verdict};
use crate::model::json::{list, text};
use crate::model::rule::Rule;

pub(super) fn judge(context: &RuleContext) -> Health {
    let RuleContext { object, now, .. } = *context;
    let is_balanced = text(object, &["spec", "type"]) == Some("LoadBalancer");
    let addresses = [&["status", "loadBalancer", "ingress"][..], &["spec", "externalIPs"][..]];
    if is_balanced && addresses.iter().all(|path| list(object, path).is_empty()) {
        let since = created(object, now).map(|then| format!(" {}", now.lasting(then))).unwrap_or_default();
        return Health {
            since: created(object, now),
            ..Health::new(Verdict::Progressing, Rule::Service)
                .with_message(format!("no load balancer address{since}"))
        };
    }
    Health::new(Verdict::None, Rule::Service)
}
