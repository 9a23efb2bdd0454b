//! The job table on both engines. PostgreSQL runs when `ATALAYA_TEST_POSTGRES_URL` names a server.

use async_trait::async_trait;
use atalaya_db::{Db, DbOptions};
use atalaya_jobs::{Backoff, Handler, Job, JobFailure, JobResult, Jobs, NewJob, Worker};
use atalaya_kernel::Sources;
use atalaya_kernel::sources::{ManualClock, SeededEntropy};
use chrono::{DateTime, TimeDelta};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct House {
    db: Db,
    clock: Arc<ManualClock>,
    sources: Sources,
}

/// A fresh migrated database on every engine there is.
async fn houses(name: &str) -> Vec<House> {
    let mut urls = vec![{
        let dir = std::env::temp_dir().join(format!("atalaya-jobs-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        format!("sqlite://{}/test.db", dir.display())
    }];
    if let Ok(server) = std::env::var("ATALAYA_TEST_POSTGRES_URL") {
        let database = format!("jobs_{name}_{}", std::process::id());
        let admin = Db::connect(DbOptions::new(&server)).await.unwrap();
        let sql = format!("CREATE DATABASE {database}");
        sea_orm::ConnectionTrait::execute_unprepared(admin.read(), &sql).await.unwrap();
        let (base, _) = server.rsplit_once('/').unwrap();
        urls.push(format!("{base}/{database}"));
    }
    let mut houses = Vec::new();
    for url in urls {
        let db = Db::connect(DbOptions::new(url)).await.unwrap();
        db.migrate().await.unwrap();
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).unwrap());
        let sources = Sources::new(clock.clone(), SeededEntropy::new(1));
        houses.push(House { db, clock, sources });
    }
    houses
}

/// Records its jobs and answers from a list.
#[derive(Default)]
struct Notes {
    seen: Mutex<Vec<(i32, serde_json::Value)>>,
    answers: Mutex<Vec<JobResult>>,
}

#[async_trait]
impl Handler for Notes {
    async fn run(&self, job: &Job) -> JobResult {
        self.seen.lock().unwrap().push((job.attempt, job.payload.clone()));
        self.answers.lock().unwrap().pop().unwrap_or(Ok(()))
    }
}

async fn enqueue(house: &House, jobs: &Jobs, job: NewJob) -> bool {
    let tx = house.db.write().await.unwrap();
    let added = jobs.enqueue(&tx, job).await.unwrap().is_some();
    tx.commit().await.unwrap();
    added
}

#[tokio::test]
async fn a_job_exists_only_if_its_transaction_commits() {
    for house in houses("tx").await {
        let jobs = Jobs::new(house.sources.clone());
        let notes = Arc::new(Notes::default());
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", notes.clone());
        let tx = house.db.write().await.unwrap();
        jobs.enqueue(&tx, NewJob::new("note", json!({"n": 1}))).await.unwrap();
        tx.rollback().await.unwrap();
        assert!(!worker.run_next().await.unwrap());
        enqueue(&house, &jobs, NewJob::new("note", json!({"n": 2}))).await;
        assert!(worker.run_next().await.unwrap());
        assert!(!worker.run_next().await.unwrap());
        assert_eq!(*notes.seen.lock().unwrap(), [(1, json!({"n": 2}))]);
    }
}

#[tokio::test]
async fn a_failed_job_waits_longer_each_time_and_is_given_up() {
    for house in houses("retry").await {
        let jobs = Jobs::new(house.sources.clone());
        let notes = Arc::new(Notes::default());
        *notes.answers.lock().unwrap() = (0..3).map(|_| Err(JobFailure::Retry("down".into()))).collect();
        let backoff = Backoff { first: TimeDelta::seconds(10), longest: TimeDelta::minutes(1) };
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", notes.clone()).backoff(backoff);
        enqueue(&house, &jobs, NewJob::new("note", json!({})).max_attempts(3)).await;
        assert!(worker.run_next().await.unwrap());
        house.clock.advance(TimeDelta::seconds(9));
        assert!(!worker.run_next().await.unwrap(), "too early");
        house.clock.advance(TimeDelta::seconds(1));
        assert!(worker.run_next().await.unwrap());
        house.clock.advance(TimeDelta::seconds(20));
        assert!(worker.run_next().await.unwrap());
        house.clock.advance(TimeDelta::days(1));
        assert!(!worker.run_next().await.unwrap(), "given up after three attempts");
        assert_eq!(notes.seen.lock().unwrap().len(), 3);
    }
}

#[tokio::test]
async fn a_hopeless_job_is_not_tried_again() {
    for house in houses("hopeless").await {
        let jobs = Jobs::new(house.sources.clone());
        let notes = Arc::new(Notes::default());
        notes.answers.lock().unwrap().push(Err(JobFailure::GiveUp("no such thing".into())));
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", notes.clone());
        enqueue(&house, &jobs, NewJob::new("note", json!({}))).await;
        assert!(worker.run_next().await.unwrap());
        house.clock.advance(TimeDelta::days(1));
        assert!(!worker.run_next().await.unwrap());
    }
}

#[tokio::test]
async fn one_key_waits_once_and_is_free_again_afterwards() {
    for house in houses("dedup").await {
        let jobs = Jobs::new(house.sources.clone());
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", Arc::new(Notes::default()));
        assert!(enqueue(&house, &jobs, NewJob::new("note", json!({})).dedup("a")).await);
        assert!(!enqueue(&house, &jobs, NewJob::new("note", json!({})).dedup("a")).await);
        assert!(enqueue(&house, &jobs, NewJob::new("note", json!({})).dedup("b")).await);
        while worker.run_next().await.unwrap() {}
        assert!(enqueue(&house, &jobs, NewJob::new("note", json!({})).dedup("a")).await);
    }
}

#[tokio::test]
async fn a_later_job_waits_for_its_time_and_unknown_kinds_are_left_alone() {
    for house in houses("later").await {
        let jobs = Jobs::new(house.sources.clone());
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", Arc::new(Notes::default()));
        let later = house.sources.now() + TimeDelta::hours(1);
        enqueue(&house, &jobs, NewJob::new("note", json!({})).at(later)).await;
        enqueue(&house, &jobs, NewJob::new("somebody_else", json!({}))).await;
        assert!(!worker.run_next().await.unwrap());
        house.clock.advance(TimeDelta::hours(1));
        assert!(worker.run_next().await.unwrap());
        assert!(!worker.run_next().await.unwrap());
    }
}

struct Panics;

#[async_trait]
impl Handler for Panics {
    async fn run(&self, _: &Job) -> JobResult {
        panic!("a defect")
    }
}

#[tokio::test]
async fn a_panic_fails_its_job_only() {
    for house in houses("panic").await {
        let jobs = Jobs::new(house.sources.clone());
        let notes = Arc::new(Notes::default());
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("panics", Arc::new(Panics)).handle("note", notes.clone());
        enqueue(&house, &jobs, NewJob::new("panics", json!({}))).await;
        assert!(worker.run_next().await.unwrap());
        enqueue(&house, &jobs, NewJob::new("note", json!({}))).await;
        assert!(worker.run_next().await.unwrap());
        assert_eq!(notes.seen.lock().unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_workers_run_each_job_once() {
    for house in houses("many").await {
        let jobs = Jobs::new(house.sources.clone());
        let notes = Arc::new(Notes::default());
        for n in 0..24 {
            enqueue(&house, &jobs, NewJob::new("note", json!(n))).await;
        }
        let workers = (0..4).map(|_| {
            let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", notes.clone());
            tokio::spawn(async move { while worker.run_next().await.unwrap() {} })
        });
        for worker in workers.collect::<Vec<_>>() {
            worker.await.unwrap();
        }
        let mut seen: Vec<i64> = notes.seen.lock().unwrap().iter().map(|(_, n)| n.as_i64().unwrap()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..24).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_lease_of_a_dead_worker_ends() {
    /// Never returns, like a process that was killed.
    struct Hangs;
    #[async_trait]
    impl Handler for Hangs {
        async fn run(&self, _: &Job) -> JobResult {
            std::future::pending().await
        }
    }
    for house in houses("lease").await {
        let jobs = Jobs::new(house.sources.clone());
        enqueue(&house, &jobs, NewJob::new("note", json!({}))).await;
        let dead = Worker::new(house.db.clone(), jobs.clone()).handle("note", Arc::new(Hangs));
        assert!(tokio::time::timeout(Duration::from_millis(300), dead.run_next()).await.is_err());
        let notes = Arc::new(Notes::default());
        let alive = Worker::new(house.db.clone(), jobs.clone()).handle("note", notes.clone());
        assert!(!alive.run_next().await.unwrap(), "still leased");
        house.clock.advance(TimeDelta::minutes(6));
        assert!(alive.run_next().await.unwrap());
        assert_eq!(notes.seen.lock().unwrap()[0].0, 2, "the second attempt");
    }
}

#[tokio::test]
async fn periodic_work_comes_back_and_stops_when_told() {
    for house in houses("periodic").await {
        let jobs = Jobs::new(house.sources.clone());
        let notes = Arc::new(Notes::default());
        let worker = Worker::new(house.db.clone(), jobs.clone()).handle("note", notes.clone()).every(
            "note",
            Duration::from_secs(60),
            json!({}),
        );
        let stop = tokio_util::sync::CancellationToken::new();
        let running = tokio::spawn(worker.run(stop.clone()));
        let seen = |n: usize| {
            let notes = notes.clone();
            let jobs = jobs.clone();
            async move {
                while notes.seen.lock().unwrap().len() < n {
                    jobs.wake();
                    tokio::task::yield_now().await;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), seen(1)).await.expect("the first period runs at once");
        house.clock.advance(TimeDelta::seconds(61));
        tokio::time::timeout(Duration::from_secs(10), seen(2)).await.expect("the next after a minute");
        stop.cancel();
        tokio::time::timeout(Duration::from_secs(10), running).await.expect("it stops").unwrap();
    }
}

// JOBS-1
#[tokio::test]
async fn a_worker_that_sleeps_is_woken_by_the_commit_of_a_job() {
    for house in houses("woken").await {
        let notes = Arc::new(Notes::default());
        let worker = Worker::new(house.db.clone(), Jobs::new(house.sources.clone())).handle("note", notes.clone());
        let stop = tokio_util::sync::CancellationToken::new();
        let running = tokio::spawn(worker.run(stop.clone()));
        for expected in 1..=2 {
            let asleep = house.db.statements().count();
            let tx = house.db.write().await.unwrap();
            // Another part of the process, which cannot call `wake` of that one.
            Jobs::new(house.sources.clone()).enqueue(&tx, NewJob::new("note", json!({}))).await.unwrap();
            tx.commit().await.unwrap();
            let done = async {
                while notes.seen.lock().unwrap().len() < expected {
                    tokio::task::yield_now().await;
                }
            };
            tokio::time::timeout(Duration::from_secs(20), done).await.expect("long before it looks by itself");
            assert!(house.db.statements().count() > asleep);
        }
        stop.cancel();
        running.await.unwrap();
    }
}
