//! `status` on real objects: the five operators, healthy and not, and the first cause of common problems.

use anyhow::{Context as _, Result, ensure};
use http::header::DATE;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, ResourceQuota, Service};
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use lab::faults::{
    Conversion, ErrorResponse, FailurePolicy, Fault, Match, Proxy, ServerBehavior, Webhook, WebhookConfig,
};
use lab::many_kinds::ManyKinds;
use lab::pods::{self, PodState};
use lab::wait::{eventually, until};
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::binary::{CommandOutput, op};
use crate::harness::{Test, own, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("status::pods_in_trouble_are_the_first_cause", pods_in_trouble_are_the_first_cause),
        shared("status::a_pod_that_no_node_takes", a_pod_that_no_node_takes),
        shared("status::a_pod_that_waits_for_a_missing_object", a_pod_that_waits_for_a_missing_object),
        shared("status::a_quota_that_refuses_pods", a_quota_that_refuses_pods),
        shared("status::a_webhook_that_is_dead", a_webhook_that_is_dead),
        shared("status::a_service_that_selects_nothing", a_service_that_selects_nothing),
        shared("status::many_at_once", many_at_once),
        shared("status::what_was_not_seen_is_in_the_exit_code", what_was_not_seen_is_in_the_exit_code),
        shared("status::the_clock_is_the_servers", the_clock_is_the_servers),
        shared("status::it_costs_what_a_tree_costs_and_events", it_costs_what_a_tree_costs_and_events),
        own("status::a_conversion_that_is_dead", a_conversion_that_is_dead),
        own("status::three_hundred_kinds_fit_on_one_screen", three_hundred_kinds_fit_on_one_screen),
        own(
            "status::the_worlds_with_operators_running_crashed_and_gone",
            the_worlds_with_operators_running_crashed_and_gone,
        ),
    ]
}

async fn pods_in_trouble_are_the_first_cause(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    pods_of(&lab, &namespace, 2).await?;
    for (state, code) in [
        (PodState::CrashLoopBackOff, "OP-H010"),
        (PodState::ImagePullBackOff, "OP-H011"),
        (PodState::OomKilled, "OP-H019"),
    ] {
        pods::set(&lab.client(), &namespace, "", state).await?;
        eventually(&format!("{state:?} to be the cause"), async || {
            let output = status(&lab, &namespace, "website/shop", &[]).await?;
            let first = output.stdout.lines().next().unwrap_or_default();
            ensure!(output.stdout.contains(code), "{output:?}");
            ensure!(
                output.exit_code == 1 && first.starts_with("Website/shop ") && first.contains("Pod/shop-"),
                "{output:?}"
            );
            ensure!(first.contains(state.word()), "{first}");
            let report = status(&lab, &namespace, "website/shop", &["-o", "json"]).await?.json()?;
            let resource = &report["resources"][0];
            ensure!(report["schema"] == "kubectl-op/status/v1", "{report}");
            ensure!(resource["cause"]["object"]["kind"] == "Pod", "{resource}");
            ensure!(resource["conditions"][0]["judged"] == "good", "{resource}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn a_pod_that_no_node_takes(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Memcached).sample(&namespace, "mc").await?;
    pods_of(&lab, &namespace, 3).await?;
    let template = json!({"spec": {"nodeSelector": {"disk": "of-gold"}}});
    patch(&lab, &namespace, "mc", json!({"spec": {"template": template}})).await?;
    expect_cause(&lab, &namespace, "memcached/mc", "OP-H012", &["Pod/mc-", "node"]).await
}

async fn a_pod_that_waits_for_a_missing_object(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Memcached).sample(&namespace, "mc").await?;
    pods_of(&lab, &namespace, 3).await?;
    // Every new Pod stays where a kubelet would leave it: waiting for its configuration.
    let label = json!({"labels": {pods::LABEL: PodState::Pending.word()}});
    let container = json!({"name": "memcached", "envFrom": [{"configMapRef": {"name": "settings"}}]});
    let template = json!({"metadata": label, "spec": {"containers": [container]}});
    patch(&lab, &namespace, "mc", json!({"spec": {"template": template}})).await?;
    expect_cause(&lab, &namespace, "memcached/mc", "OP-H013", &["ConfigMap/settings", "does not exist"]).await
}

async fn a_quota_that_refuses_pods(lab: Lab, namespace: String) -> Result<()> {
    let quotas: Api<ResourceQuota> = Api::namespaced(lab.client(), &namespace);
    let quota = json!({"metadata": {"name": "tight"}, "spec": {"hard": {"pods": "1"}}});
    quotas.create(&PostParams::default(), &serde_json::from_value(quota)?).await?;
    until("the quota to be counted", async || {
        Ok(quotas.get("tight").await?.status.and_then(|status| status.used).map(drop))
    })
    .await?;
    Operator::new(&lab, World::Memcached).sample(&namespace, "mc").await?;
    expect_cause(&lab, &namespace, "memcached/mc", "OP-H014", &["exceeded quota"]).await
}

async fn a_webhook_that_is_dead(lab: Lab, namespace: String) -> Result<()> {
    let hook =
        WebhookConfig::validating("gate").on("", "pods", &["CREATE"]).failure_policy(FailurePolicy::Fail);
    let webhook = Webhook::start(&lab, &namespace, hook, ServerBehavior::ConnectionRefused).await?;
    Operator::new(&lab, World::Memcached).sample(&namespace, "mc").await?;
    expect_cause(&lab, &namespace, "memcached/mc", "OP-H015", &["failed calling webhook", webhook.name()])
        .await
}

/// The preferred version cannot be had, the stored one can: the person sees the object, and what is wrong.
async fn a_conversion_that_is_dead(lab: Lab) -> Result<()> {
    let conversion = Conversion::start(&lab, "default", "gadgets.example.com", ServerBehavior::Works).await?;
    conversion.gadget("default", "one").await?;
    conversion.set_behavior(ServerBehavior::ConnectionRefused).await?;
    eventually("the conversion to fail", async || {
        let output = status(&lab, "default", "gadget/one", &[]).await?;
        ensure!(output.stdout.contains("OP-H016"), "{output:?}");
        ensure!(output.exit_code == 3 && output.stdout.contains("conversion webhook"), "{output:?}");
        Ok(())
    })
    .await
}

async fn a_service_that_selects_nothing(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    pods_of(&lab, &namespace, 2).await?;
    let services: Api<Service> = Api::namespaced(lab.client(), &namespace);
    until("the Service", async || Ok(services.get_opt("shop").await?)).await?;
    let selector = json!({"spec": {"selector": {"app": "nobody"}}});
    services.patch("shop", &PatchParams::default(), &Patch::Merge(selector)).await?;
    expect_cause(
        &lab,
        &namespace,
        "website/shop",
        "OP-H017",
        &["reports Ready, but Service/shop", "matches no Pods"],
    )
    .await
}

async fn many_at_once(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    Operator::new(&lab, World::HelloWorld).sample(&namespace, "hi").await?;
    pods_of(&lab, &namespace, 2).await?;
    eventually("the Website to be ready", async || {
        let output = op(&lab.kubeconfig(User::Admin), &["status", "-n", &namespace]).await?;
        let headline = "1 of 2 custom resources is healthy, 1 keeps no status\n";
        ensure!(output.exit_code == 0 && output.stdout.starts_with(headline), "{output:?}");
        ensure!(output.stdout.contains("Website/shop"), "{output:?}");
        ensure!(output.stdout.contains("1 HelloWorld keeps no status\n1 Ready;"), "{output:?}");
        let output = op(&lab.kubeconfig(User::Admin), &["status", "-n", &namespace, "--all"]).await?;
        ensure!(output.exit_code == 0 && output.stdout.contains("HelloWorld/hi"), "{output:?}");
        let output = status(&lab, &namespace, "helloworld/hi", &[]).await?;
        ensure!(output.exit_code == 3 && output.stdout.contains("its kind keeps no status"), "{output:?}");
        let output = op(&lab.kubeconfig(User::Admin), &["status", "websites", "-n", &namespace]).await?;
        ensure!(output.exit_code == 0 && output.stdout.starts_with("1 Website is healthy\n"), "{output:?}");
        let words = ["status", "websites,helloworlds", "-n", &namespace, "-o", "name"];
        let output = op(&lab.kubeconfig(User::Admin), &words).await?;
        ensure!(output.stdout.lines().count() == 2, "{output:?}");
        let output =
            op(&lab.kubeconfig(User::Admin), &["status", "websites", "-n", &namespace, "-l", "a=b"]).await?;
        ensure!(output.exit_code == 0 && output.stdout.starts_with("no "), "{output:?}");
        Ok(())
    })
    .await
}

/// Half of the kinds keep no status.
async fn three_hundred_kinds_fit_on_one_screen(lab: Lab) -> Result<()> {
    const SCREEN: usize = 40;
    let kinds = ManyKinds { kinds: 300, resources: 2 };
    kinds.fill(&lab.client()).await?;
    let output = eventually("every resource to be listed", async || {
        let output = op(&lab.kubeconfig(User::Admin), &["status", "-A"]).await?;
        let headline = "300 of 600 custom resources are healthy, 300 keep no status\n";
        ensure!(output.exit_code == 0 && output.stdout.starts_with(headline), "{output:?}");
        Ok(output)
    })
    .await?;
    ensure!(output.stdout.lines().count() <= SCREEN, "{output:?}");
    ensure!(
        output.stdout.contains("290 resources of 145 other kinds keep no status\n300 Ready;"),
        "{output:?}"
    );
    let words = ["status", "bare0", "-n", ManyKinds::NAMESPACE];
    let output = op(&lab.kubeconfig(User::Admin), &words).await?;
    ensure!(
        output.exit_code == 0 && output.stdout.starts_with("all 2 Bare0s keep no status\n"),
        "{output:?}"
    );
    let output = status(&lab, ManyKinds::NAMESPACE, "bare0/r0", &[]).await?;
    let unknown = "Bare0/r0 is Unknown: its kind keeps no status";
    ensure!(output.exit_code == 3 && output.stdout.starts_with(unknown), "{output:?}");
    // A kind with a status subresource that nobody writes is another matter.
    kinds.clear_status(&lab.client(), 1).await?;
    eventually("the removed status to be noticed", async || {
        let output = op(&lab.kubeconfig(User::Admin), &["status", "-A"]).await?;
        let headline =
            "the health of 2 of 600 custom resources is unknown, 300 keep no status, the others are healthy\n";
        ensure!(output.exit_code == 3 && output.stdout.starts_with(headline), "{output:?}");
        ensure!(output.stdout.lines().count() <= SCREEN, "{output:?}");
        Ok(())
    })
    .await
}

async fn what_was_not_seen_is_in_the_exit_code(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    until("the Website to be fine", async || {
        Ok((status(&lab, &namespace, "website/shop", &[]).await?.exit_code == 0).then_some(()))
    })
    .await?;
    let proxy = Proxy::start(&lab).await?;
    let ends = async |code: i32, words: &str| {
        eventually(&format!("exit code {code}"), async || {
            let call = ["status", "website/shop", "-n", &namespace];
            let output = op(&proxy.kubeconfig(User::Admin)?, &call).await?;
            ensure!(output.exit_code == code && output.stdout.contains(words), "{output:?}");
            Ok(())
        })
        .await
    };
    // Events decide nothing: without them the answer stands.
    proxy.on(Match::path_ends("/events"), ErrorResponse::Forbidden);
    ends(0, " not read: events (forbidden)").await?;
    proxy.on(Match::path_ends("/secrets"), ErrorResponse::Forbidden);
    ends(0, "").await.context("Secrets hold nothing to judge")?;
    // Pods could be anything.
    proxy.on(Match::path_ends("/pods"), ErrorResponse::Forbidden);
    ends(3, "but not everything could be read").await?;
    // The very thing asked about.
    let viewer = op(&lab.kubeconfig(User::Viewer), &["status", "website/shop", "-n", &namespace]).await?;
    ensure!(viewer.exit_code == 6, "{viewer:?}");
    Ok(())
}

async fn the_clock_is_the_servers(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::VoteConfig).sample(&namespace, "demo").await?;
    until("the status", async || {
        let output = status(&lab, &namespace, "voteconfig/demo", &[]).await?;
        Ok(output.stdout.contains("last updated").then_some(()))
    })
    .await?;
    let proxy = Proxy::start(&lab).await?;
    // The same as a laptop whose clock is ten minutes slow.
    let later = |mut answer: lab::faults::BufferedResponse| {
        let date = answer.headers().get(DATE).and_then(|date| date.to_str().ok());
        let ten_minutes_later = date.and_then(|date| later_date(date).ok());
        if let Some(date) = ten_minutes_later {
            answer.headers_mut().insert(DATE, date);
        }
        answer
    };
    proxy.on(Match::any(), Fault::change(later));
    eventually("ages by the server's clock", async || {
        let words = ["status", "voteconfig/demo", "-n", &namespace];
        let output = op(&proxy.kubeconfig(User::Admin)?, &words).await?;
        if !output.stdout.contains("last updated 10m") {
            // By now it may be eleven. The operator makes the child again and updates the status.
            let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
            maps.delete("demo-config", &DeleteParams::default()).await?;
        }
        ensure!(output.stdout.contains("last updated 10m"), "{output:?}");
        let ten = output.stderr.contains("clock is 10m") || output.stderr.contains("clock is 9m5");
        ensure!(ten && output.stderr.contains("ahead of"), "{output:?}");
        Ok(())
    })
    .await
}

fn later_date(date: &str) -> Result<http::HeaderValue> {
    use k8s_openapi::jiff::SignedDuration;
    use k8s_openapi::jiff::fmt::rfc2822;
    use k8s_openapi::jiff::tz::TimeZone;

    let later = rfc2822::parse(date)?.timestamp() + SignedDuration::from_mins(10);
    let text = later.to_zoned(TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S GMT");
    Ok(http::HeaderValue::from_str(&text.to_string())?)
}

async fn it_costs_what_a_tree_costs_and_events(lab: Lab, namespace: String) -> Result<()> {
    Operator::new(&lab, World::Website).sample(&namespace, "shop").await?;
    until("the Website to be fine", async || {
        Ok((status(&lab, &namespace, "website/shop", &[]).await?.exit_code == 0).then_some(()))
    })
    .await?;
    let proxy = Proxy::start(&lab).await?;
    let kubeconfig = proxy.kubeconfig(User::Admin)?;
    // The tree may grow between two readings, and a request that was lost is sent again.
    eventually("two readings of the same tree", async || {
        proxy.reset_records();
        op(&kubeconfig, &["tree", "website/shop", "-n", &namespace]).await?;
        let tree = proxy.requests().len();
        proxy.reset_records();
        op(&kubeconfig, &["status", "website/shop", "-n", &namespace]).await?;
        let status = proxy.requests().len();
        // One list of events, and the columns of the resource that is printed.
        ensure!(status <= tree + 2, "{status} requests for a status, {tree} for a tree");
        ensure!(proxy.connections() <= 2, "one connection each: {}", proxy.connections());
        Ok(())
    })
    .await
}

/// The status of each sample, whatever the state of its operator.
async fn the_worlds_with_operators_running_crashed_and_gone(lab: Lab) -> Result<()> {
    let namespace = "default";
    for world in World::ALL {
        let operator = Operator::new(&lab, world);
        operator.install().await?;
        operator.start().await?;
        operator.sample(namespace, world.sample_name()).await?;
    }
    check_worlds(&lab, namespace).await.context("operators running")?;
    for world in World::ALL {
        Operator::new(&lab, world).crash().await?;
    }
    check_worlds(&lab, namespace).await.context("operators crashed")?;
    for world in World::ALL {
        Operator::new(&lab, world).uninstall().await?;
    }
    check_worlds(&lab, namespace).await.context("operators gone")?;
    // A deletion that nobody finishes.
    let groups = Operator::new(&lab, World::VmGroup).objects(namespace);
    groups.delete(World::VmGroup.sample_name(), &DeleteParams::default()).await?;
    eventually("the finalizer to be the cause", async || {
        let output = status(&lab, namespace, "vg/web", &[]).await?;
        ensure!(
            output.exit_code == 1 && output.stdout.contains("vm.codeconnect.vmworld.com/finalizer"),
            "{output:?}"
        );
        Ok(())
    })
    .await
}

async fn check_worlds(lab: &Lab, namespace: &str) -> Result<()> {
    for (world, code, words) in [
        (
            World::VoteConfig,
            3,
            "VoteConfig/demo is Unknown: its status has no condition, phase or ready field; configMapName is set, last updated ",
        ),
        (World::Memcached, 0, "Memcached/mc has been Ready"),
        (World::VmGroup, 0, "VmGroup/web is Ready"),
        (World::Website, 0, "Website/shop has been Ready"),
        (World::HelloWorld, 3, "HelloWorld/my-hello-world is Unknown: its kind keeps no status"),
    ] {
        let object = format!("{}/{}", world.names().name, world.sample_name());
        eventually(&format!("the status of {object}"), async || {
            let output = status(lab, namespace, &object, &[]).await?;
            let fits = output.exit_code == code && output.stdout.starts_with(words);
            let columns =
                world != World::VmGroup || output.stdout.contains("Phase Running, Current 2, Desired 2");
            ensure!(fits && columns, "{output:?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

async fn expect_cause(lab: &Lab, namespace: &str, object: &str, code: &str, words: &[&str]) -> Result<()> {
    eventually(&format!("{code} to be the cause"), async || {
        let output = status(lab, namespace, object, &[]).await?;
        for word in [&[code], words].concat() {
            ensure!(output.stdout.contains(word), "{word}: {output:?}");
        }
        ensure!(output.exit_code == 1, "{output:?}");
        Ok(())
    })
    .await
}

async fn status(lab: &Lab, namespace: &str, object: &str, more: &[&str]) -> Result<CommandOutput> {
    op(&lab.kubeconfig(User::Admin), &[&["status", object, "-n", namespace], more].concat()).await
}

async fn pods_of(lab: &Lab, namespace: &str, count: usize) -> Result<()> {
    let pods: Api<Pod> = Api::namespaced(lab.client(), namespace);
    until("the Pods", async || {
        Ok((pods.list(&ListParams::default()).await?.items.len() == count).then_some(()))
    })
    .await
}

async fn patch(lab: &Lab, namespace: &str, name: &str, patch: Value) -> Result<()> {
    let deployments: Api<Deployment> = Api::namespaced(lab.client(), namespace);
    deployments.patch(name, &PatchParams::default(), &Patch::Strategic(patch)).await?;
    Ok(())
}
