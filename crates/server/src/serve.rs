//! Listening: connections with deadlines, and an end that answers what is in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracing::{debug, warn};

use crate::config::Http;

/// Serves until `stop` is cancelled, then gives requests in flight `grace` to end. Connections that are idle, or
/// slow to send their headers, are closed at once or at the deadline, whatever they do; one that has not sent a whole
/// head within the header timeout has not even said which HTTP it speaks, and is closed too.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Http,
    stop: CancellationToken,
    grace: Duration,
) {
    let header_timeout = Duration::from_secs(limits.header_timeout);
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(header_timeout).max_headers(64);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(header_timeout).max_concurrent_streams(256);
    let places = Arc::new(Semaphore::new(limits.max_connections));
    let graceful = GracefulShutdown::new();
    loop {
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place,
            () = stop.cancelled() => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (socket, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors, most likely: let some connections end first.
                warn!(%error, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = socket.set_nodelay(true);
        let asked = Arc::new(AtomicBool::new(false));
        let asks = asked.clone();
        let service =
            router.clone().map_request(move |mut request: hyper::Request<hyper::body::Incoming>| {
                asks.store(true, Ordering::Relaxed);
                request.extensions_mut().insert(ConnectInfo(address));
                request.map(axum::body::Body::new)
            });
        let connection =
            builder.serve_connection_with_upgrades(TokioIo::new(socket), TowerToHyperService::new(service));
        let connection = graceful.watch(connection.into_owned());
        tokio::spawn(async move {
            let silent = async {
                tokio::time::sleep(header_timeout).await;
                if asked.load(Ordering::Relaxed) {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        debug!(error, "a connection ended with an error");
                    }
                }
                () = silent => debug!("a connection sent no request in time and is closed"),
            }
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
        warn!(?grace, "some connections did not end in time and are closed");
    }
}
