//! Every API test, on both engines, in one binary so that it is linked once.

mod account_events;
mod api_keys;
mod audit;
mod auth;
mod calls;
mod client;
mod conference_lists;
mod conferences;
mod demo;
mod devices;
mod errors;
mod evidence;
mod guards;
mod keeping;
mod languages;
mod legal;
mod media;
mod openapi;
mod passkeys;
mod permissions;
mod recovery;
mod second_factor;
mod spec_map;
mod stream;
mod support;
mod users;
