//! Devices on which the client accepted the notice, and where each stands at the door of the call. Rules: docs/rules/client_page.md.
//!
//! Called by the client's page, which lets them in and out (`client_page::door`), by calls, which asks who may be inside, and
//! by whatever names the device that sent something. *Invariant:* of a device's key only the digest is stored (CLIENT-6).

mod entity;
mod model;
mod store;

pub use model::{ClientDevice, Standing};
pub use store::{
    device_name, device_names, dismiss_others, find_by_identity, find_device, has_hung_up, insert_device, is_kept_out, keeps_out,
    list_devices, list_lost, public_keys, update_device,
};
