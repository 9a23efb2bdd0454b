//! Every API test, on both engines, in one binary so that it is linked once.

mod auth;
mod client;
mod conferences;
mod errors;
mod guards;
mod languages;
mod legal;
mod media;
mod openapi;
mod permissions;
mod spec_map;
mod support;
