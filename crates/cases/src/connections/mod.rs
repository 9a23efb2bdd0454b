//! Who was connected when: the media rooms of a conference and the stays of its participants.
//!
//! Called by calls, which write them, and by whatever counts or shows them. *Invariant:* a participant's stay in a media room
//! is written once, however often the engine reports it.

mod entity;
mod model;
mod store;

pub use model::{MediaRoom, Side, Stay};
pub use store::{
    BilledStay, NewStay, count_routes, end_all, end_room, end_stay, in_call, insert_room, insert_stay, list_open_stays,
    list_rooms, list_stays, rooms_of, set_route, stays_among,
};
