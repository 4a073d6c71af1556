//! What the measuring examples share: the built service as a process, and a connection that is kept and knows no more of
//! HTTP/1.1 than they need.

use std::io::BufRead;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// The built `ongrid` as a process on a free port; killed when dropped.
pub struct Service {
    pub child: Child,
    pub address: String,
    /// The demo pilot's token, where the database was new.
    pub token: Option<String>,
}

impl Service {
    pub fn start(configure: impl FnOnce(&mut Command)) -> Result<Self> {
        let example = std::env::current_exe()?;
        let binary = example.parent().and_then(|it| it.parent()).context("no target")?.join("ongrid");
        let mut command = Command::new(binary);
        command.args(["--listen", "127.0.0.1:0", "--set", "rate.per_address=0", "--set", "log.filter=warn"]);
        configure(&mut command);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.context("cargo build --release first")?;
        let said = std::io::BufReader::new(child.stdout.take().context("no output")?);
        let mut service = Self { child, address: String::new(), token: None };
        for line in said.lines() {
            let line = line?;
            if line.starts_with("demo pilot's token") {
                service.token = line.rsplit(' ').next().map(str::to_owned);
            }
            if let Some(address) = line.strip_prefix("listening on http://") {
                service.address = address.to_owned();
                break;
            }
        }
        Ok(service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection to the service.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    pub async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Sends a request's bytes; answers status and body.
    pub async fn ask(&mut self, request: &[u8]) -> Result<(u16, Vec<u8>)> {
        self.0.get_mut().write_all(request).await?;
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            anyhow::ensure!(self.0.read_line(&mut line).await? > 0, "the connection was closed");
            let header = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = header.strip_prefix("http/1.1 ") {
                status = rest.get(..3).context("a status line")?.parse()?;
            } else if let Some(value) = header.strip_prefix("content-length: ") {
                length = value.parse()?;
            } else if header.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await?;
        Ok((status, body))
    }
}
