//! `VmGroup`: virtual machines in a system outside the cluster. Nothing in the cluster belongs to it, its status
//! is a phase and a message, and only the operator knows which machine belongs to which group.

use std::time::Duration;

use anyhow::Result;
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::controller::{Context, Custom};
use super::events::EventLevel;
use super::vms::{self, Machines, Shape, Vm};
use super::{World, writes};

/// Nothing in the cluster tells when a machine dies, so it looks again and again.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Machines of one shape.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "vm.codeconnect.vmworld.com",
    version = "v1alpha1",
    kind = "VmGroup",
    doc = "Machines outside the cluster.",
    namespaced,
    shortname = "vg",
    status = "VmGroupStatus",
    scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.desiredReplicas"),
    printcolumn = r#"{"name": "Phase", "type": "string", "jsonPath": ".status.phase"}"#,
    printcolumn = r#"{"name": "Current", "type": "integer", "jsonPath": ".status.currentReplicas"}"#,
    printcolumn = r#"{"name": "Desired", "type": "integer", "jsonPath": ".status.desiredReplicas"}"#,
    printcolumn = r#"{"name": "CPU", "type": "integer", "jsonPath": ".spec.cpu"}"#,
    printcolumn = r#"{"name": "Memory", "type": "integer", "jsonPath": ".spec.memory"}"#,
    printcolumn = r#"{"name": "Template", "type": "string", "jsonPath": ".spec.template"}"#,
    printcolumn = r#"{"name": "Last_Message", "type": "string", "jsonPath": ".status.lastMessage"}"#
)]
pub struct VmGroupSpec {
    /// Virtual processors per machine.
    #[schemars(range(min = 1, max = 4))]
    pub cpu: i32,
    /// Gigabytes per machine.
    #[schemars(range(min = 1, max = 8))]
    pub memory: i32,
    /// What a machine is cloned from.
    #[schemars(length(min = 1))]
    pub template: String,
    #[schemars(range(min = 1))]
    pub replicas: i32,
}

/// What the outside system last said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(transform = super::schema::without_defaults)]
pub struct VmGroupStatus {
    /// Pending, Running, Error.
    pub phase: String,
    pub current_replicas: i32,
    pub desired_replicas: i32,
    pub last_message: String,
}

/// Watches the custom resources; there is nothing else to watch.
pub(super) fn controller(client: Client) -> Controller<VmGroup> {
    Controller::new(Api::<VmGroup>::all(client), watcher::Config::default())
}

impl Custom for VmGroup {
    const WORLD: World = World::VmGroup;

    async fn reconcile(&self, context: &Context) -> Result<Action> {
        let machines = Machines::new(context.external.vms());
        let (group, shape) = (self.group_id(), self.shape());
        let existing = machines.of(&group)?;
        let plan = vms::plan(&existing, usize::try_from(self.spec.replicas).unwrap_or_default());
        if plan.create > 0 || !plan.destroy.is_empty() {
            let message = format!("changing from {} to {} VMs", existing.len(), self.spec.replicas);
            self.write_status(context, "Pending", existing.len(), message).await?;
        }
        for _ in 0..plan.create {
            machines.create(&group, &shape)?;
        }
        for id in &plan.destroy {
            machines.destroy(id)?;
        }
        if plan.create > 0 {
            context
                .events
                .post(self, EventLevel::Normal, "Created", format!("created {} VMs", plan.create))
                .await;
        }
        if !plan.destroy.is_empty() {
            let message = format!("destroyed {} VMs", plan.destroy.len());
            context.events.post(self, EventLevel::Normal, "Destroyed", message).await;
        }
        let vms = machines.of(&group)?;
        for vm in vms.iter().filter(|vm| vm.shape != shape) {
            machines.reshape(vm, &shape)?;
        }
        self.write_status(context, "Running", vms.len(), format!("{} run", ids(&vms))).await?;
        Ok(Action::requeue(LOOK_AGAIN))
    }

    async fn clean(&self, context: &Context) -> Result<()> {
        let machines = Machines::new(context.external.vms());
        for vm in machines.of(&self.group_id())? {
            machines.destroy(&vm.id)?;
        }
        Ok(())
    }

    async fn report_cleanup_failure(&self, context: &Context, why: &str) -> Result<()> {
        let vms = Machines::new(context.external.vms()).of(&self.group_id())?;
        let message = format!("cannot destroy {}: {why}", ids(&vms));
        self.write_status(context, "Error", vms.len(), message).await
    }
}

impl VmGroup {
    /// Writes the status; the API server drops a patch that changes nothing, so this triggers no reconcile.
    async fn write_status(
        &self,
        context: &Context,
        phase: &str,
        current: usize,
        message: String,
    ) -> Result<()> {
        let status = VmGroupStatus {
            phase: phase.to_owned(),
            current_replicas: i32::try_from(current).unwrap_or(i32::MAX),
            desired_replicas: self.spec.replicas,
            last_message: message,
        };
        writes::status(&context.client, self, &status).await
    }

    fn group_id(&self) -> String {
        format!("{}/{}", self.namespace().unwrap_or_default(), self.name_any())
    }

    fn shape(&self) -> Shape {
        Shape { cpu: self.spec.cpu, memory: self.spec.memory, template: self.spec.template.clone() }
    }
}

fn ids(vms: &[Vm]) -> String {
    if vms.is_empty() {
        return "no VM".to_owned();
    }
    vms.iter().map(|vm| vm.id.as_str()).collect::<Vec<_>>().join(", ")
}
