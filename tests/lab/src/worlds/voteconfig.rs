//! `VoteConfig`: the options of a poll, kept in a `ConfigMap`. Its status says what was made and when, not whether
//! it is healthy.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::ObjectMeta;
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::controller::{Context, Custom};
use super::events::EventLevel;
use super::{World, clock, writes};

/// What people may vote for.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "voting.schoolofdevops.com",
    version = "v1alpha1",
    kind = "VoteConfig",
    doc = "What people may vote for.",
    namespaced,
    status = "VoteConfigStatus"
)]
pub struct VoteConfigSpec {
    /// The options, in the order in which they are shown.
    #[schemars(length(min = 1))]
    pub options: Vec<VoteOption>,
}

/// One thing to vote for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VoteOption {
    #[schemars(length(min = 1))]
    pub id: String,
    #[schemars(length(min = 1))]
    pub label: String,
    pub color: String,
}

/// What the operator did last.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VoteConfigStatus {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub config_map_name: String,
    #[schemars(extend("format" = "date-time"))]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub last_updated: String,
}

/// Watches the custom resources and the `ConfigMap`s they own.
pub(super) fn controller(client: Client) -> Controller<VoteConfig> {
    Controller::new(Api::<VoteConfig>::all(client.clone()), watcher::Config::default())
        .owns(Api::<ConfigMap>::all(client), watcher::Config::default())
}

impl Custom for VoteConfig {
    const WORLD: World = World::VoteConfig;

    async fn reconcile(&self, context: &Context) -> Result<Action> {
        let api: Api<ConfigMap> = writes::beside(&context.client, self);
        let wanted = self.config_map();
        let name = wanted.name_any();
        let found = api.get_opt(&name).await.context("failed to read the ConfigMap")?;
        if let Some(found) = &found {
            writes::not_of_another(self, found)?;
        }
        let verb = match found {
            None => {
                writes::create(&api, &wanted).await?;
                Some("Created")
            }
            Some(mut found) if found.data != wanted.data || found.owner_references().is_empty() => {
                found.data = wanted.data;
                found.metadata.owner_references = wanted.metadata.owner_references;
                writes::replace(&api, &found).await?;
                Some("Updated")
            }
            Some(_) => None,
        };
        let reported = self.status.as_ref().is_some_and(|status| status.config_map_name == name);
        if verb.is_some() || !reported {
            // Only now: a status that moves with every look would make the operator wake itself.
            let status = json!({ "configMapName": name, "lastUpdated": clock::stamp() });
            writes::status(&context.client, self, &status).await?;
        }
        if let Some(verb) = verb {
            context.events.post(self, EventLevel::Normal, verb, format!("{verb} ConfigMap {name}")).await;
        }
        Ok(Action::await_change())
    }

    /// The `ConfigMap` goes with its owner.
    async fn clean(&self, _: &Context) -> Result<()> {
        Ok(())
    }

    /// This status has no field for it.
    async fn report_cleanup_failure(&self, _: &Context, _: &str) -> Result<()> {
        Ok(())
    }
}

impl VoteConfig {
    fn config_map(&self) -> ConfigMap {
        ConfigMap {
            metadata: ObjectMeta {
                name: Some(format!("{}-config", self.name_any())),
                namespace: self.namespace(),
                owner_references: writes::owner(self),
                ..ObjectMeta::default()
            },
            data: Some(BTreeMap::from([("options.txt".to_owned(), text(&self.spec.options))])),
            ..ConfigMap::default()
        }
    }
}

/// One line per option.
fn text(options: &[VoteOption]) -> String {
    options.iter().fold(String::new(), |mut text, VoteOption { id, label, color }| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{id}:{label}:{color}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::{VoteOption, text};

    #[test]
    fn an_option_is_a_line() {
        let option = |id: &str, label: &str, color: &str| VoteOption {
            id: id.to_owned(),
            label: label.to_owned(),
            color: color.to_owned(),
        };
        let options = [option("a", "Cats", "#1aaaf8"), option("b", "Dogs", "#00cbca")];
        assert_eq!(text(&options), "a:Cats:#1aaaf8\nb:Dogs:#00cbca\n");
        assert_eq!(text(&[]), "");
    }
}
