//! A Redis of its own and as much of its protocol as is asked here.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use crate::Failed;

/// A `redis-server` that writes nothing to disk, and a connection to it.
pub struct Redis {
    child: Child,
    connection: BufReader<UnixStream>,
}

impl Redis {
    /// Starts one at a socket.
    pub async fn start(socket: &Path) -> Result<Self, Failed> {
        let mut command = Command::new("redis-server");
        command.args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"]).arg(socket);
        let mut child =
            command.stdout(Stdio::null()).spawn().map_err(|error| format!("redis-server: {error}"))?;
        for _ in 0..500 {
            if let Ok(stream) = UnixStream::connect(socket).await {
                return Ok(Self { child, connection: BufReader::new(stream) });
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        child.kill()?;
        Err("redis-server does not answer".into())
    }

    /// Asks one thing and reads its answer.
    pub async fn ask(&mut self, words: &[&str]) -> Result<String, Failed> {
        self.connection.get_mut().write_all(&request(words)).await?;
        self.answer().await
    }

    /// Adds members to a sorted set, many requests at a time; answers how many were new.
    pub async fn add_all<'m>(
        &mut self,
        set: &str,
        members: impl Iterator<Item = (&'m str, &'m str)>,
    ) -> Result<u64, Failed> {
        let requests: Vec<Vec<u8>> =
            members.map(|(score, member)| request(&["ZADD", set, score, member])).collect();
        let mut added = 0;
        for chunk in requests.chunks(1000) {
            self.connection.get_mut().write_all(&chunk.concat()).await?;
            for _ in chunk {
                added += self.answer().await?.parse::<u64>()?;
            }
        }
        Ok(added)
    }

    async fn answer(&mut self) -> Result<String, Failed> {
        let mut line = String::new();
        self.connection.read_line(&mut line).await?;
        let line = line.trim_end();
        match line.split_at_checked(1) {
            Some((":" | "+", value)) => Ok(value.to_owned()),
            Some(("$", length)) if length != "-1" => {
                let mut value = vec![0; length.parse::<usize>()? + 2];
                self.connection.read_exact(&mut value).await?;
                Ok(String::from_utf8_lossy(&value).trim_end().to_owned())
            }
            _ => Err(format!("Redis says {line:?}").into()),
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(words: &[&str]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len());
    for word in words {
        request += &format!("${}\r\n{word}\r\n", word.len());
    }
    request.into_bytes()
}
