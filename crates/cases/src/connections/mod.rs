//! Who was connected when: the media rooms of a conference and the stays of its participants.

pub mod entity;
mod store;

pub use entity::{participation, room};
pub use store::{NewStay, end_all, end_room, end_stay, insert_room, insert_stay, list_open_stays, set_route};
