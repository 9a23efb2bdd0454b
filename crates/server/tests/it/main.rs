//! Every API test, on both engines, in one binary so that it is linked once.

mod auth;
mod errors;
mod guards;
mod languages;
mod legal;
mod openapi;
mod permissions;
mod spec_map;
